/** The checker finds what is wrong: a correct history passes, and each doctored one is named for what it breaks. */
import type { AguiEvent } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { Chance } from './chance.js';
import type { Book, FinalLog, History, Note, Sent } from './history.js';
import { judge } from './judge.js';
import { CUSTOMER_SECRET, markOf, REFUSED_MARK, storyOf } from './story.js';

const RUN = { threadId: 't', runId: 't-r0' };
const EVENTS = storyOf(RUN, { length: 60, long: 0 }, new Chance('judge'));
const EPOCH = 'aaaaaaaa';
const FRAME = 7;

const frames = (prefix: string, seqs: boolean): Note[] => {
  const notes: Note[] = [{ kind: 'snapshot', pos: `${prefix}:0`, events: [] }];
  for (let from = 0; from < EVENTS.length; from += FRAME) {
    const events = EVENTS.slice(from, from + FRAME);
    const [prev, pos] = [`${prefix}:${from}`, `${prefix}:${from + events.length}`];
    notes.push({
      kind: 'events',
      prev,
      pos,
      events,
      ...(seqs && { seqs: events.map((_, nth) => from + nth + 1) }),
    });
  }
  return notes;
};

const book = (reader: string, surface: Book['surface'], more: Partial<Book> = {}): Book => ({
  ...{ reader, surface, threadId: 't' },
  notes: surface === 'operator' ? frames(EPOCH, true) : frames(`sealed-${surface}`, false),
  ...more,
});

const SENT: Sent = {
  ...RUN,
  events: EVENTS,
  acked: EVENTS.map((event, nth) => ({ at: { epoch: EPOCH, seq: nth + 1 }, mark: markOf(event) ?? '' })),
  asked: 1,
  complete: true,
};
const LOG: FinalLog = {
  threadId: 't',
  epoch: EPOCH,
  head: EVENTS.length,
  entries: EVENTS.map((event, nth) => ({ seq: nth + 1, source: 'agent', event })),
};
const WHOLE: History = {
  sent: [SENT],
  books: [
    book('one', 'operator'),
    book('two', 'operator', { cold: true }),
    book('three', 'customer'),
    book('four', 'customer', { cold: true }),
  ],
  logs: [LOG],
  lossy: false,
};

/** The history with one reader's notes changed. */
const told = (reader: string, change: (notes: readonly Note[]) => readonly Note[]): History => ({
  ...WHOLE,
  books: WHOLE.books.map((one) => (one.reader === reader ? { ...one, notes: change(one.notes) } : one)),
});

/** The history with other entries in the log, numbered anew. */
const logged = (
  change: (entries: FinalLog['entries']) => FinalLog['entries'],
  more: Partial<History> = {},
): History => {
  const entries = change(LOG.entries).map((entry, nth) => ({ ...entry, seq: nth + 1 }));
  return { ...WHOLE, books: [], logs: [{ ...LOG, entries, head: entries.length }], ...more };
};

const found = (history: History): string[] => [...new Set(judge(history).map(({ invariant }) => invariant))];
const without = <T>(items: readonly T[], at: number): T[] => items.filter((_, nth) => nth !== at);
const swapped = <T>(items: readonly T[], at: number): T[] =>
  items.map((item, nth) => items[nth === at ? at + 1 : nth === at + 1 ? at : nth] ?? item);
const changed = (event: AguiEvent): AguiEvent => ({ ...event, delta: 'other' });
const TEXT_AT = EVENTS.findIndex(({ type }) => type === 'TEXT_MESSAGE_CONTENT');

const editFrame =
  (edit: (note: Extract<Note, { kind: 'events' }>) => Note, at: number) => (notes: readonly Note[]) =>
    notes.map((note, nth) => (nth === at && note.kind === 'events' ? edit(note) : note));

describe('the checker', () => {
  verifies('OPS-23', 'finds nothing in a correct history', () => {
    expect(judge(WHOLE)).toEqual([]);
  });

  const doctored: readonly (readonly [string, string, History])[] = [
    ['a frame lost on the way', 'I1', told('three', (notes) => without(notes, 3))],
    ['the last frame lost', 'I5', told('three', (notes) => notes.slice(0, -1))],
    ['a frame given twice', 'I1', told('three', (notes) => [...notes.slice(0, 3), ...notes.slice(2)])],
    ['two frames in the wrong order', 'I1', told('three', (notes) => swapped(notes, 3))],
    [
      'an event left out of a frame',
      'I1',
      told(
        'three',
        editFrame(
          (note) => ({ ...note, events: without(note.events, TEXT_AT % FRAME) }),
          1 + Math.floor(TEXT_AT / FRAME),
        ),
      ),
    ],
    [
      'an event changed on its way to one screen',
      'I1',
      told(
        'three',
        editFrame(
          (note) => ({
            ...note,
            events: note.events.map((event, nth) => (nth === TEXT_AT % FRAME ? changed(event) : event)),
          }),
          1 + Math.floor(TEXT_AT / FRAME),
        ),
      ),
    ],
    [
      'an entry the operator was not shown',
      'I1',
      told(
        'one',
        editFrame(
          (note) => ({ ...note, seqs: without(note.seqs ?? [], 2), events: without(note.events, 2) }),
          4,
        ),
      ),
    ],
    [
      'one epoch and seq with two names',
      'I1',
      told(
        'one',
        editFrame((note) => ({ ...note, events: swapped(note.events, 2) }), 4),
      ),
    ],
    [
      'a snapshot of something else',
      'I1',
      told('three', (notes) => [
        ...notes,
        { kind: 'snapshot', pos: `sealed-customer:${EVENTS.length}`, events: EVENTS.slice(0, 9) },
      ]),
    ],
    [
      'a replay from where nobody stood',
      'I1',
      told('three', (notes) => [
        ...notes,
        { kind: 'asked' },
        { kind: 'answered', recovered: 'replay', from: 'nowhere' },
      ]),
    ],
    [
      'a head that is not where the reader stands',
      'I1',
      told('three', (notes) => [...notes, { kind: 'head', pos: 'ahead' }]),
    ],
    [
      'readers who disagree on the order',
      'I4',
      told('three', (notes) => [
        ...notes.slice(0, 3),
        { kind: 'snapshot', pos: 'sealed-customer:21', events: EVENTS.slice(0, 21) },
        { kind: 'events', prev: 'sealed-customer:21', pos: 'sealed-customer:14', events: [] },
      ]),
    ],
    [
      'a secret on a screen',
      'I7',
      told('three', (notes) => [...notes, { kind: 'leak', secret: CUSTOMER_SECRET, text: '…' }]),
    ],
    ['an acknowledged event that the log lacks', 'I2', logged((entries) => without(entries, 9))],
    ['an event stored twice', 'I2', logged((entries) => [...entries.slice(0, 9), ...entries.slice(8)])],
    ['two events stored in the wrong order', 'I2', logged((entries) => swapped(entries, 9))],
    ['the end of a run missing', 'I2', logged((entries) => entries.slice(0, -1))],
    ['an agent asked twice', 'I2', { ...WHOLE, sent: [{ ...SENT, asked: 2 }] }],
    [
      'an event nobody sent',
      'I3',
      logged((entries) => [
        ...entries,
        { seq: 0, source: 'agent', event: { type: 'CUSTOM', name: 'x', value: 1 } },
      ]),
    ],
    [
      'a refused event that was stored',
      'I3',
      logged((entries) => [
        ...entries,
        { seq: 0, source: 'agent', event: { type: 'CUSTOM', name: REFUSED_MARK, value: 1 } },
      ]),
    ],
    [
      'an event changed in the store',
      'I3',
      logged((entries) =>
        entries.map((one, nth) => (nth === TEXT_AT ? { ...one, event: changed(one.event) } : one)),
      ),
    ],
    [
      'a hole in the numbers',
      'I1',
      { ...WHOLE, books: [], logs: [{ ...LOG, entries: without(LOG.entries, 9) }] },
    ],
    [
      'events twice after a loss',
      'I2',
      logged((entries) => [...entries.slice(0, 9), ...entries.slice(8)], { lossy: true }),
    ],
  ];
  for (const [what, invariant, history] of doctored)
    verifies('OPS-23', `finds ${what}`, () => {
      expect(found(history)).toContain(invariant);
    });

  verifies('OPS-23', 'bears what a reader may lawfully do', () => {
    const history = told('three', (notes) => [
      ...notes.slice(0, 4),
      // Left, rewound, and handed the former delivery meanwhile.
      { kind: 'lost' },
      { kind: 'asked' },
      { kind: 'events', prev: 'old', pos: 'older', events: [] },
      { kind: 'answered', recovered: 'replay', from: 'sealed-customer:7' },
      ...notes.slice(2),
    ]);
    expect(judge(history)).toEqual([]);
  });

  verifies(
    'OPS-23',
    'takes the word of who asks from where it is, and was sent that before the answer',
    () => {
      const history = told('three', (notes) => [
        ...notes.slice(0, 4),
        { kind: 'asked' },
        { kind: 'answered', recovered: 'replay', from: 'sealed-customer:7' },
        { kind: 'asked' },
        ...notes.slice(2, 4),
        { kind: 'answered', from: 'sealed-customer:21' },
        ...notes.slice(4),
      ]);
      expect(judge(history)).toEqual([]);
    },
  );

  verifies('OPS-23', 'bears a log whose end was lost: its head lies beyond all that can be shown', () => {
    const logs = [{ ...LOG, head: LOG.head + 9 }];
    expect(judge({ ...WHOLE, logs, lossy: true })).toEqual([]);
  });

  verifies('OPS-23', 'draws the same from the same seed, and each part its own', () => {
    const draws = (seed: string) => Array.from({ length: 5 }, () => new Chance(seed).of('part').next());
    expect(draws('7')).toEqual(draws('7'));
    expect(draws('7')).not.toEqual(draws('8'));
    const parent = new Chance('7');
    parent.next();
    expect(parent.of('part').next()).toBe(draws('7')[0]);
  });
});
