/** What is wrong with a thread whose story went through a crash: lost, doubled, or not told to somebody. */
import { isDeepStrictEqual } from 'node:util';
import { GENESIS, linkHash } from '@triptych/audit';
import type { BatchState, BatchView, TaskView } from '@triptych/protocol';
import { until, type LastingScreen } from '@triptych/testkit';
import type { Office } from '../stand/office.js';
import { sealedIn } from '../stand/sealed.js';
import { outboxOf } from '../stand/outbox.js';
import type { CrashPoint } from './points.js';

export interface Ended {
  readonly site: Office;
  readonly threadId: string;
  /** Those of the run whose questions were answered. */
  readonly tasks: readonly TaskView[];
  readonly state: BatchState;
  readonly screens: readonly { readonly surface: 'customer' | 'operator'; readonly screen: LastingScreen }[];
  /** undefined: nobody was killed. */
  readonly point: CrashPoint | undefined;
}

interface Logged {
  readonly seq: number;
  readonly event: { readonly type: string; readonly toolCallId?: string };
}

type Finder = (ended: Ended) => Promise<readonly string[]>;

const unlessEqual = (what: string, found: unknown, wanted: unknown): readonly string[] =>
  isDeepStrictEqual(found, wanted)
    ? []
    : [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];

const resumes: Finder = async ({ site, threadId, tasks, state, point }) => {
  const heard = site.agent.resumesOf(threadId);
  const entries = heard[0]?.resume?.map(({ interruptId }) => interruptId);
  return [
    ...unlessEqual('batch ends', state, point?.ends ?? 'done'),
    ...unlessEqual('resumes heard', heard.length, point?.heard ?? 1),
    ...(heard.length === 0
      ? []
      : unlessEqual(
          'entries',
          entries,
          tasks.map(({ interruptId }) => interruptId),
        )),
  ];
};

const outbox: Finder = async ({ site, threadId, tasks, point }) => {
  const batchId = tasks[0]?.batch.batchId;
  const lines = (await outboxOf(site.redis, threadId)).filter((line) => line.batchId === batchId);
  const count = (...actions: readonly string[]): number =>
    lines.filter(({ action }) => actions.includes(action)).length;
  return [
    ...unlessEqual('tasks opened', count('opened'), tasks.length),
    ...unlessEqual('tasks settled', count('decided', 'expired'), tasks.length + (point?.anew ?? 0)),
    ...unlessEqual('batch ready', count('ready', 'retry'), point?.readied ?? 1),
  ];
};

const log: Finder = async ({ site, threadId, tasks, point }) => {
  const { items } = await site.as('mo').get<{ items: Logged[] }>(`/v1/threads/${threadId}/log?limit=1000`);
  const calls = tasks.map(({ toolCallId }) => toolCallId);
  const done = items
    .filter(({ event }) => event.type === 'TOOL_CALL_RESULT')
    .map(({ event }) => event.toolCallId);
  const least = (point?.acted ?? true) ? unlessEqual('results', done, calls) : [];
  const doubled = done.length > new Set(done).size ? [`results come twice: ${done.join(' ')}`] : [];
  return [
    ...unlessEqual(
      'log is dense',
      items.map(({ seq }) => seq),
      items.map((_, nth) => nth + 1),
    ),
    ...least,
    ...doubled,
  ];
};

/** The chain is whole, and holds each step of the batch once. */
const trail: Finder = async ({ site, tasks, state, point }) => {
  const batchId = tasks[0]?.batch.batchId;
  let links = await sealedIn(site.redis);
  const own = (action: string): number =>
    links.filter(({ record }) => record.subject.batch === batchId && record.action === action).length;
  await until(async () => {
    links = await sealedIn(site.redis);
    return own(`batch.${state}`) > 0;
  });
  const broken = links.filter(
    ({ text, hash }, nth) => hash !== linkHash(links[nth - 1]?.hash ?? GENESIS, text),
  );
  return [
    ...unlessEqual('broken links of the chain', broken.length, 0),
    ...unlessEqual(
      'records of opening',
      [own('batch.open'), own('task.open')],
      [1 + (point?.anew ?? 0), tasks.length],
    ),
    ...unlessEqual('records of readiness', own('batch.ready'), point?.readied ?? 1),
    ...unlessEqual('records of the end', own(`batch.${state}`), 1),
  ];
};

/** Who stands in the inbox, in the operators' list, and may begin anew. */
const lists: Finder = async ({ site, threadId, tasks, state }) => {
  const operator = site.as('mo');
  const open = await operator.get<{ items: TaskView[] }>(`/v1/approvals?threadId=${threadId}`);
  const { items } = await operator.get<{ items: BatchView[] }>('/v1/batches?limit=200');
  const listed = items.some(({ batchId }) => batchId === tasks[0]?.batch.batchId);
  const thread = await operator.get<{ status: string }>(`/v1/threads/${threadId}`);
  return [
    ...unlessEqual('open tasks', open.items.length, 0),
    ...unlessEqual('listed for operators', listed, state !== 'done'),
    ...unlessEqual('thread', thread.status === 'running', false),
  ];
};

/** Every screen has what one has who comes only now. */
const sights: Finder = async ({ site, threadId, screens }) => {
  const found = await Promise.all(
    screens.map(async ({ surface, screen }) => {
      const late = await site.screen(surface, surface === 'customer' ? 'amelia' : 'mo');
      try {
        await late.subscribe(threadId);
        await late.next('snapshot', (data) => data.threadId === threadId);
        await until(() => screen.book.positionOf(threadId) === late.positionOf(threadId));
        const model = isDeepStrictEqual(screen.model(threadId), late.model(threadId))
          ? []
          : ['shows something else'];
        return [...model, ...screen.gaps, ...late.gaps].map((what) => `${surface}: ${what}`);
      } finally {
        await late.close();
      }
    }),
  );
  return found.flat();
};

export const findFaults = async (ended: Ended): Promise<readonly string[]> =>
  (await Promise.all([resumes, outbox, log, trail, lists, sights].map((find) => find(ended)))).flat();
