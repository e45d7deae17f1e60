/** What letters say, and what cannot be smuggled into them. */
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { afterFailure } from './after-failure.js';
import { letterFor, type LetterAbout } from './letter.js';
import { occasionOf } from './occasion.js';
import { safeText } from './safe-text.js';
import { smtpOptions } from './smtp-options.js';

const task: TaskView = {
  ...{ taskId: 'b-1.t-1', rev: 3, state: 'pending', threadId: 'th', runId: 'r', agentId: 'onboarding' },
  ...{ interruptId: 'i', source: 'interrupt', reason: 'tool_call', message: 'Only 10 CHF, please approve!' },
  proposal: { toolName: 'openAccount', args: { amount: 1_500_000, iban: 'CH93', note: 'x' } },
  ...{ proposalHash: 'hash', audience: 'reviewer', groups: ['advisors'], priority: 50, requester: 'amelia' },
  ...{ createdAt: 1_700_000_000_000, dueAt: 1_700_000_900_000, expiresAt: 1_702_592_000_000 },
  ...{ votes: [], quorum: { needed: 2, have: 0 }, may: [] },
  batch: { batchId: 'b-1', state: 'open', open: 1, total: 1 },
  policy: { rule: 'large-transfer', version: 'v1', matched: [] },
};

const about = (over: Partial<LetterAbout> = {}): LetterAbout => ({
  ...{ noticeId: 'notice', changeId: 'change-1', names: { amelia: 'Amelia Customer' } },
  ...{ link: 'https://hub.example/reviewer?task=b-1.t-1', what: 'created', task },
  ...over,
});

const decided: TaskView = {
  ...task,
  state: 'decided',
  decision: { kind: 'approved', by: ['rita'], at: 1_700_000_100_000, reason: 'Fine <b>' },
};

describe('a letter', () => {
  verifies('BRG-101', 'says what is to be decided, and shows the figures of the arguments', () => {
    const { subject, text } = letterFor(about());
    expect(subject).toBe('Waiting for a decision · openAccount');
    expect(text).toContain('Argument amount: 1500000');
    expect(text).toContain('Requested by: Amelia Customer (amelia)');
    expect(text).toContain('Due: 14 Nov 2023, 22:28 UTC');
    expect(text).toContain('https://hub.example/reviewer?task=b-1.t-1');
  });

  verifies('BRG-101', 'shows an edit in the place of what it replaced', () => {
    const edit = { by: 'rita', at: 0, args: { amount: 5 } };
    const { text } = letterFor(about({ task: { ...task, edit } }));
    expect(text).toContain('Argument amount: 5');
    expect(text).not.toContain('1500000');
  });

  verifies('BRG-101', 'says who decided, and how', () => {
    const { subject, text } = letterFor(about({ what: 'decided', task: decided, names: { rita: 'Rita' } }));
    expect(subject).toBe('Decided: approved · openAccount');
    expect(text).toContain('By: Rita (rita)');
    expect(text).not.toContain('Open until');
  });

  verifies('BRG-100', 'calls nobody to what is over before they were written to', () => {
    const states = ['pending', 'held', 'decided', 'closed', 'expired', 'superseded'] as const;
    const occasions = states.map((state) => occasionOf({ what: 'created', task: { ...task, state } }));
    expect(occasions).toEqual(['created', 'created', 'decided', 'decided', 'expired', 'decided']);
    const replaced = letterFor(about({ what: 'decided', task: { ...task, state: 'superseded' } }));
    expect(replaced.subject).toBe('No longer asked · openAccount');
  });

  verifies(
    'BRG-102',
    'is one and the same whenever it is written, and those after it hang on the first',
    () => {
      const [first, again] = [letterFor(about()), letterFor(about({ changeId: 'change-9' }))];
      expect(again.messageId).toBe(first.messageId);
      expect(first).not.toHaveProperty('inReplyTo');
      const later = letterFor(about({ what: 'decided', changeId: 'change-2', task: decided }));
      expect(later.inReplyTo).toBe(first.messageId);
      expect(later.messageId).not.toBe(first.messageId);
      expect(first.messageId).toMatch(/^<tt\.[0-9a-f]{40}@hub\.example>$/u);
    },
  );

  const tricks: readonly (readonly [string, string, string])[] = [
    ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['an end of its cell', '"></td></tr><h1>Approved', '&quot;&gt;&lt;/td&gt;&lt;/tr&gt;&lt;h1&gt;Approved'],
    ['a link', '<a href="https://evil.example">bank</a>', 'https[:]//evil[.]example'],
    ['a name that becomes a link', 'see www.evil.example', 'www[.]evil[.]example'],
    ['text that runs backwards', 'pay \u202e001', 'pay \\u202e001'],
    ['what cannot be seen', 'a\u200bb\u{e0041}', 'a\\u200bb\\udb40\\udc41'],
    ['lines of its own', 'ok\n\nDecided: approved', 'ok Decided: approved'],
  ];
  for (const [what, smuggled, shown] of tricks)
    verifies('BRG-103', `threat 11, CH-07: shows ${what} as the characters it is`, () => {
      const proposal = { toolName: 'pay', args: { [smuggled]: smuggled } };
      const { html, text } = letterFor(about({ task: { ...task, message: smuggled, proposal } }));
      expect(html.split(shown).length).toBeGreaterThanOrEqual(4);
      expect(html).not.toContain(smuggled);
      expect(text).not.toMatch(/:\/\/evil|\.evil|\u202e|\u200b|^Decided/mu);
      expect([...html.matchAll(/<a /gu)]).toHaveLength(1);
    });

  verifies('BRG-103', 'threat 11: has a subject of one short line, whatever the tool is called', () => {
    const proposal = { toolName: `a\r\nBcc: all@bank.example ${'x'.repeat(9_000)}` };
    const { subject } = letterFor(about({ task: { ...task, proposal } }));
    expect(subject).toMatch(/^[^\r\n]{1,150}$/u);
  });

  verifies('BRG-103', 'is short, whatever is proposed', () => {
    const args = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, nth) => [`n${nth}`, 'v'.repeat(5_000)]),
    );
    const { text, html } = letterFor(about({ task: { ...task, proposal: { toolName: 'x', args } } }));
    expect(text).toContain('And more: 4980 not shown here');
    expect(Math.max(text.length, html.length)).toBeLessThan(32_000);
  });

  verifies('BRG-103', 'does not cut a character in two', () => {
    expect(safeText('😀'.repeat(10), 3)).toBe('😀😀😀…');
    expect(safeText('abc', 3)).toBe('abc');
  });
});

describe('a mail server', () => {
  const answers = [
    ['that refuses the address', { responseCode: 550 }, 'refused'],
    ['that is busy', { responseCode: 451 }, 'failed'],
    ['that does not take our password', { responseCode: 535, code: 'EAUTH' }, 'failed'],
    ['that is away', { code: 'ECONNECTION' }, 'failed'],
    ['that took a letter and fell silent', { code: 'ETIMEDOUT', sent: true }, 'unsure'],
    ['that did so twice', { code: 'ETIMEDOUT', sent: true, unsure: true }, 'refused'],
  ] as const;
  for (const [what, failure, kind] of answers)
    verifies('BRG-104', `${what}: ${kind}`, () => {
      expect(afterFailure({ sent: false, unsure: false, ...failure }).kind).toBe(kind);
    });

  verifies('BRG-105', 'is shown a password only where nobody listens', () => {
    expect(smtpOptions('smtp://u%40x:p%3A@mail.example')).toEqual({
      ...{ host: 'mail.example', port: 587, secure: false, requireTLS: true },
      auth: { user: 'u@x', pass: 'p:' },
    });
    expect(smtpOptions('smtps://u:p@mail.example')).toMatchObject({
      port: 465,
      secure: true,
      requireTLS: false,
    });
    expect(smtpOptions('smtp://relay.internal:25')).toEqual({
      ...{ host: 'relay.internal', port: 25, secure: false, requireTLS: false },
    });
  });
});
