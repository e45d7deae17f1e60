import { asPosition, type AguiEvent } from '@triptych/protocol';
import { ThreadBook } from './thread-book.js';

const T = 't';
const RS: AguiEvent = { type: 'RUN_STARTED', threadId: T, runId: 'r' };
const custom = (name: string): AguiEvent => ({ type: 'CUSTOM', name, value: 1 });
const snapshot = (pos: string, events: readonly AguiEvent[] = []) => ({
  event: 'snapshot',
  data: { threadId: T, pos: asPosition(pos), reason: 'join', events },
});
const agui = (prev: string, pos: string, more: object = {}) => ({
  event: 'agui',
  data: { threadId: T, prev, pos, events: [custom(pos)], ...more },
});
const head = (pos: string) => ({ event: 'head', data: { threadId: T, pos } });

const joined = (...frames: { event: string; data: unknown }[]): ThreadBook => {
  const book = new ThreadBook();
  book.answered(T, undefined, 'snapshot');
  for (const frame of frames) book.take(frame);
  return book;
};
const resumed = (from: string, ...frames: { event: string; data: unknown }[]): ThreadBook => {
  const book = new ThreadBook();
  book.answered(T, from, 'replay');
  for (const frame of frames) book.take(frame);
  return book;
};

describe('the book of a screen', () => {
  it('follows what continues, and folds it once', () => {
    const book = joined(snapshot('p1', [RS]), agui('p1', 'p2'), agui('p2', 'p3'), head('p3'));
    expect(book.gaps).toEqual([]);
    expect(book.positionOf(T)).toBe('p3');
    expect(book.model(T).custom.map(({ event }) => event['name'])).toEqual(['p2', 'p3']);
    expect(resumed('p1', agui('p1', 'p2')).gaps).toEqual([]);
    expect(resumed('p1', snapshot('p7'), agui('p7', 'p8')).gaps).toEqual([]);
  });

  const broken: readonly (readonly [string, ThreadBook])[] = [
    ['a frame in the middle that was left out', joined(snapshot('p1'), agui('p2', 'p3'))],
    ['the first frame after a resume that was left out', resumed('p1', agui('p2', 'p3'))],
    ['the snapshot that was promised and did not come', joined(agui('p1', 'p2'))],
    ['a frame that came twice', joined(snapshot('p1'), agui('p1', 'p2'), agui('p1', 'p2'))],
    ['a way back to where it was', joined(snapshot('p1'), agui('p1', 'p2'), agui('p2', 'p1'))],
    ['a head that is elsewhere', joined(snapshot('p1'), head('p2'))],
    ['an entry left out inside a frame', joined(snapshot('e:1'), agui('e:1', 'e:3', { seqs: [3] }))],
    ['an entry twice inside a frame', joined(snapshot('e:1'), agui('e:1', 'e:2', { seqs: [2, 2] }))],
    ['entries that end elsewhere', joined(snapshot('e:1'), agui('e:1', 'e:3', { seqs: [2] }))],
  ];
  it.each(broken)('notes %s', (_name, book) => {
    expect(book.gaps).not.toEqual([]);
  });

  it('notes frames of a thread nobody subscribed to', () => {
    const book = new ThreadBook();
    book.take(snapshot('p1'));
    expect(book.gaps).toHaveLength(1);
  });

  it('passes over what is still under way when it asks anew', () => {
    const book = joined(snapshot('p1'), agui('p1', 'p2'));
    book.asked(T);
    book.take(agui('p2', 'p3'));
    book.answered(T, 'p1', 'replay');
    expect(book.gaps).toEqual([]);
    book.take(agui('p2', 'p3'));
    expect(book.gaps).toHaveLength(1);
  });

  it('goes on where nothing was to be changed', () => {
    const book = joined(snapshot('p1'));
    book.asked(T);
    book.answered(T, undefined, undefined);
    book.take(agui('p1', 'p2'));
    expect(book.gaps).toEqual([]);
  });
});
