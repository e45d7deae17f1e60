/** Proves the console's rules: each event once and in order, nothing hidden unsaid, a filter that means what it says. */
import fc from 'fast-check';
import { asPosition, type AguiEvent } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { summaryOf } from './event-summary.js';
import { firstLook } from './first-look.js';
import { familyOf } from './families.js';
import { EVERYTHING, parseFilter, passes } from './filter.js';
import { decoded, jsonTokens } from './json-tokens.js';
import {
  emptyBook,
  entriesOf,
  gapsIn,
  MAX_KEPT,
  readPosition,
  smallGap,
  withPage,
  withStored,
  type Stored,
} from './log-book.js';
import { familyCounts, layRows, runOf } from './rows.js';
import { threadPasses } from './thread-filter.js';
import { threadTitle } from './thread-title.js';

const stored = (seq: number, event: AguiEvent, more: Partial<Stored> = {}): Stored => ({
  kind: 'stored',
  seq,
  at: seq * 1_000,
  source: 'agent',
  event,
  ...more,
});
const text = (seq: number): Stored =>
  stored(seq, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `word ${seq}` });
const book = (...entries: readonly Stored[]) => withStored(emptyBook('e'), entries);
const log = book(
  stored(1, { type: 'RUN_STARTED', runId: 'r1' }, { source: 'hub' }),
  stored(
    2,
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'openAccount' },
    { seen: { customer: 'redacted', reviewer: 'full' } },
  ),
  stored(3, {
    type: 'RUN_FINISHED',
    runId: 'r1',
    outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call' }] },
  }),
  stored(4, { type: 'RUN_STARTED', runId: 'r2' }, { source: 'hub', at: 64_000 }),
  stored(
    5,
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'secret' },
    { at: 64_010, seen: { customer: 'hidden', reviewer: 'hidden' } },
  ),
);

describe('the log book', () => {
  verifies(
    'WEB-119',
    'lets go of its oldest beyond what it keeps, and keeps what was loaded on demand',
    () => {
      const many = Array.from({ length: MAX_KEPT }, (_, at) => text(at + 11));
      const full = withStored(emptyBook('e'), many);
      const on = withStored(full, [text(MAX_KEPT + 11), text(MAX_KEPT + 12)]);
      expect([on.stored.length, on.stored[0]?.seq, on.stored.at(-1)?.seq]).toEqual([
        MAX_KEPT,
        13,
        MAX_KEPT + 12,
      ]);
      expect(withStored(on, [text(11), text(12)]).stored[0]?.seq).toBe(11);
    },
  );

  verifies('WEB-16', 'holds each event once and in order, however frames and pages arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }), { maxLength: 12 }),
        (loads) => {
          const full = loads.reduce(
            (current, seqs) => withStored(current, [...seqs].sort((a, b) => a - b).map(text)),
            emptyBook('e'),
          );
          const seqs = full.stored.map(({ seq }) => seq);
          expect(seqs).toEqual([...new Set(loads.flat())].sort((a, b) => a - b));
          const missing = gapsIn(full).reduce((sum, { from, to }) => sum + to - from + 1, 0);
          expect(seqs.length + missing).toBe(seqs.length === 0 ? 0 : (seqs.at(-1) ?? 0) - (seqs[0] ?? 0) + 1);
        },
      ),
    );
  });

  verifies('WEB-42', 'a gap that one load fills is found behind one that stays until it is asked for', () => {
    const gone = book(text(1), text(300), text(400), text(403));
    expect(smallGap(gone, 2)).toEqual({ from: 401, to: 402 });
    expect(smallGap(gone, 99)).toEqual({ from: 301, to: 399 });
    expect(smallGap(gone, 298)).toEqual({ from: 2, to: 299 });
    expect(smallGap(gone, 1)).toBeUndefined();
  });

  verifies('WEB-16', 'reads frames and pages alike', () => {
    const frame = entriesOf({
      threadId: 't',
      prev: asPosition('e:0'),
      pos: asPosition('e:1'),
      events: [{ type: 'RUN_STARTED' }],
      seqs: [1],
      at: [7],
      source: ['hub'],
      seen: [{ customer: 'full', reviewer: 'full' }],
    });
    const page = withPage(emptyBook('e'), {
      items: [
        {
          seq: 1,
          at: 7,
          source: 'hub',
          event: { type: 'RUN_STARTED' },
          seen: { customer: 'full', reviewer: 'full' },
        },
      ],
      firstSeq: 1,
    });
    expect(page.stored).toEqual(frame);
    expect(readPosition('9f2c41aa:1284')).toEqual({ epoch: '9f2c41aa', seq: 1284 });
  });

  verifies('WEB-16', 'refused events are kept once, at their time, in the colour of trouble', () => {
    const items = [
      { refused: true as const, at: 1_500, rule: 'AGUI-3', event: '{"type":"TEXT_MESSAGE_END"}' },
    ];
    const twice = withPage(withPage(log, { items }), { items });
    expect(twice.refused).toHaveLength(1);
    const rows = layRows(twice, EVERYTHING).rows.filter((row) => row.kind === 'event');
    expect(rows[1]).toMatchObject({ entry: { kind: 'refused', event: { type: 'TEXT_MESSAGE_END' } } });
    expect(familyCounts(twice).get('bad')).toBe(1);
  });

  verifies('WEB-16', 'the time people took and what is missing are rows of their own', () => {
    const kinds = layRows(withStored(log, [text(9)]), EVERYTHING).rows.map((row) => row.kind);
    expect(kinds).toEqual(['event', 'event', 'event', 'people', 'event', 'event', 'gap', 'event']);
    expect(layRows(log, EVERYTHING).rows[3]).toMatchObject({ kind: 'people', ms: 61_000, runId: 'r2' });
    expect(runOf(log, 3)).toBe('r1');
    expect(runOf(log, 5)).toBe('r2');
  });
});

describe('the filter', () => {
  const shown = (words: string, families: readonly Parameters<typeof familyOf>[0][] = []) => {
    const laid = layRows(log, parseFilter(words, new Set(families.map(familyOf))));
    return {
      seqs: laid.rows.flatMap((row) =>
        row.kind === 'event' && row.entry.kind === 'stored' ? [row.entry.seq] : [],
      ),
      hidden: laid.hidden,
    };
  };

  verifies('WEB-17', 'every word must hold, a minus turns one around, the rest is counted as hidden', () => {
    expect(shown('type:RUN_*')).toEqual({ seqs: [1, 3, 4], hidden: 2 });
    expect(shown('type:run_* source:hub').seqs).toEqual([1, 4]);
    expect(shown('-source:hub').seqs).toEqual([2, 3, 5]);
    expect(shown('openaccount').seqs).toEqual([2]);
    expect(shown('type:REASONING_* secret').seqs).toEqual([5]);
    expect(shown('').hidden).toBe(0);
  });

  verifies('WEB-17', 'seen: tells what a surface got anything of', () => {
    expect(shown('seen:customer').seqs).toEqual([2]);
    expect(shown('seen:operator').seqs).toEqual([1, 2, 3, 4, 5]);
    expect(shown('seen:nobody').seqs).toEqual([]);
  });

  verifies('WEB-17', 'no pattern and no name breaks it', () => {
    const entry = text(1);
    for (const words of ['type:[', 'type:(.*', 'constructor:x', '__proto__:y', '-', 'seq:1']) {
      expect(() => passes(parseFilter(words, new Set()), entry)).not.toThrow();
    }
    expect(passes(parseFilter('seq:1', new Set()), entry)).toBe(true);
  });

  verifies('WEB-17', 'threads are filtered by status, agent, owner and text', () => {
    const thread = {
      threadId: 't1',
      agentId: 'onboarding',
      owner: 'amelia',
      status: 'waiting',
    } as Parameters<typeof threadPasses>[0];
    const passing = (words: string) => threadPasses(thread, 'Invest 2 million', words);
    expect(passing('status:waiting agent:onb')).toBe(true);
    expect(passing('status:failed')).toBe(false);
    expect(passing('AMELIA')).toBe(true);
    expect(passing('2 million')).toBe(true);
    expect(passing('3 million')).toBe(false);
  });

  verifies('WEB-18', 'a thread is called by the first words of its first run', () => {
    const began = (messages: unknown) => ({ event: { type: 'RUN_STARTED', input: { messages } } });
    const said = began([{ role: 'user', content: 'Invest 2 million\nplease' }]);
    expect(threadTitle([{ event: 'no event' }, said])).toBe('Invest 2 million');
    for (const silent of [[], [began([])], [began(undefined)], [{ event: null }]]) {
      expect(threadTitle(silent)).toBeUndefined();
    }
  });
});

describe('the first look', () => {
  verifies('WEB-24', 'is at the newest thread where its log has room, and only once', () => {
    const look = { looked: false, newest: 't9', width: 1_440 };
    expect(firstLook(look)).toBe('t9');
    expect(firstLook({ ...look, width: 360 })).toBeUndefined();
    expect(firstLook({ ...look, looked: true })).toBeUndefined();
    expect(firstLook({ ...look, newest: undefined })).toBeUndefined();
  });
});

describe('an event taken apart', () => {
  verifies('WEB-16', 'any event has a summary of one bounded line', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, type) => {
        const line = summaryOf(stored(1, { ...fields, type }));
        expect(line.length).toBeLessThanOrEqual(240);
        expect(line).not.toContain('\n');
      }),
    );
    expect(summaryOf(log.stored[2] as Stored)).toBe('interrupt, 1 open: tool_call i');
    expect(
      summaryOf(stored(1, { type: 'TOOL_CALL_START', toolCallId: 'call-cbe498c50cb1', toolCallName: 'pay' })),
    ).toBe('pay …0cb1');
    expect(
      summaryOf(stored(1, { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 'b' }] })),
    ).toBe('replace /a b');
  });

  verifies('WEB-16', 'colouring loses nothing, decoding opens JSON within text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value, null, 2);
        expect(
          jsonTokens(json)
            .map((token) => token.text)
            .join(''),
        ).toBe(json);
      }),
    );
    expect(decoded({ content: '{"a":1}', delta: '{"a":' })).toEqual({ content: { a: 1 }, delta: '{"a":' });
  });
});
