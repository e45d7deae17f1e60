/** Tasks that no bridge may stumble over: mean, huge, and odd. */
import type { TaskView } from '@triptych/protocol';
import { viewOf } from './views.js';

export const taskOf = (over: Partial<TaskView>): TaskView => viewOf('b.t', over);

const TURNED = 'pay \u202e000,1\u202c \u200b\u2066now\u2069\u0007';
const WORDS = [
  '<!channel> <@U0ANN> <https://evil.example|bank> <at>Ann</at> @everyone',
  '<script>alert(1)</script><img src=x onerror=alert(1)><a href="https://evil.example">bank</a>',
  '**bold** [bank](https://evil.example) ![x](https://evil.example/x.png) ``` {{DATE(2026-11-30)}}',
  TURNED,
].join('\n');

export const MEAN: Partial<TaskView> = {
  message: WORDS,
  agentId: 'agent <!here>',
  requester: 'amelia <at>Ann</at>',
  proposal: { toolName: `pay <!here> ${TURNED}`, args: { [WORDS]: WORDS, note: WORDS, deep: [[WORDS]] } },
};

const many = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`n${nth}`, text]));

export const HUGE: Partial<TaskView> = {
  message: 'long '.repeat(200_000),
  proposal: { toolName: 'tool'.repeat(60), args: many('value '.repeat(50)) },
};
export const CRUEL: Partial<TaskView> = {
  message: WORDS.repeat(2_000),
  proposal: { toolName: WORDS, args: many(WORDS) },
};

export const ODD_TASKS: readonly Partial<TaskView>[] = [
  { proposal: {} },
  { proposal: { argsText: '{"cut' } },
  { proposal: { args: null } },
  { proposal: { args: [1, [2, [3]]] } },
  { proposal: { args: 1e300 } },
  { responseSchema: { type: 'string', pattern: '(' } },
  { responseSchema: { properties: { approved: { const: true }, __proto__: null } } },
  {
    reason: '\u0000',
    source: 'interrupt',
    requester: 'constructor',
    claim: { by: '', until: 0, maxUntil: 0 },
  },
  { state: 'superseded' },
  { state: 'expired', expiresAt: 0 },
  { createdAt: 0, dueAt: Number.MAX_SAFE_INTEGER },
];

export const ODD_POSTED: readonly string[] = [
  '',
  'nonsense',
  '[]',
  '[1,2]',
  '{"a"',
  '\u0000',
  'C0X 1.1',
  'null',
];

/** What turns text around, has no width, or rings a bell. */
export const HIDING = /[\u200b\u202a-\u202e\u2066-\u2069\u0007]/u;
