/** What is done next: played against a board on which everything goes wrong, by workers who die. */
import { shapeOf } from '@triptych/access';
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { VoiceBoard, type Mood } from '../../../test/voice-board.js';
import { pagesOf } from './page.js';
import { gapOf, nextAct, type Next } from './plan.js';
import { afterAct, afterSilence, beginAct, newRecord, type ProgressRecord } from './progress-record.js';
import { noProgress, nothingBefore } from './run-progress.js';

const DESTINATION = { args: shapeOf(['']) };

interface Play {
  readonly board: VoiceBoard;
  record: ProgressRecord;
  now: number;
  lastAt: number;
}

const newPlay = (streams: boolean, terms: { canLook?: boolean } = {}): Play => {
  const board = new VoiceBoard(terms);
  board.streams = streams;
  return { board, record: newRecord('r'), now: 1_000_000, lastAt: 1_000_000 };
};

const nextOf = ({ board, record, now, lastAt }: Play, said: string, over: boolean): Next => {
  const progress = {
    ...noProgress('r', nothingBefore()),
    begun: true,
    said: [{ id: 'm', text: said }],
    ...(over ? { end: 'success' as const } : {}),
  };
  const pages = pagesOf(progress, { destination: DESTINATION, pageChars: board.terms.pageChars });
  return nextAct(record, { pages, over, streams: board.streams, terms: board.terms, lastAt, now, atOnce: 1 });
};

/** One step; `dies`: after the act, before anything of it is kept. */
const step = (play: Play, next: Next, dies = false): void => {
  if (next.kind === 'wait' || next.kind === 'held') play.now = next.untilMs;
  if (next.kind !== 'act') return;
  const { act, nth } = next;
  play.record = beginAct(play.record, { act, nth, now: play.now });
  const heard = play.board.answer(act);
  play.lastAt = play.now;
  play.record = dies ? afterSilence(play.record) : afterAct(play.record, { act, nth, heard, now: play.now });
};

/** Until there is nothing to do; well above what a play of this size needs. */
const settle = (play: Play, said: string, over: boolean): Next['kind'] => {
  for (let steps = 0; steps < 500; steps += 1) {
    const next = nextOf(play, said, over);
    if (next.kind === 'rest' || next.kind === 'over') return next.kind;
    step(play, next);
  }
  throw new Error('It never comes to rest.');
};

const later = { kind: 'later', retryAfterMs: 1_000 } as const;
const failed = { kind: 'failed', why: 'away' } as const;
const none = { kind: 'no-stream', why: 'unknown_method' } as const;

describe('telling a run', () => {
  verifies('BRG-144', 'tells every word once, whatever answers are lost and whoever dies', () => {
    const mood = fc.constantFrom<Mood>('fine', 'fine', 'drop', 'lost', 'close', later, failed);
    const turn = fc.record({
      words: fc.string({ maxLength: 30 }),
      moods: fc.array(mood, { maxLength: 3 }),
      dies: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), fc.boolean(), (turns, streams) => {
        const play = newPlay(streams);
        let said = '';
        for (const { words, moods, dies } of turns) {
          said += words.replaceAll(/[^ -~]/gu, '');
          play.board.moods.push(...moods);
          play.now += 700;
          step(play, nextOf(play, said, false), dies);
        }
        play.board.moods.length = 0;
        expect(settle(play, said, true)).toBe('over');
        expect(play.board.text).toBe(said);
        expect(play.board.messages.map(({ streams: open }) => open)).not.toContain(true);
        expect(play.board.messages.map(({ standing }) => standing)).toEqual([
          ...play.board.messages.slice(1).map(() => undefined),
          'The run is over.',
        ]);
      }),
      { numRuns: 300 },
    );
  });

  verifies('BRG-150', 'says no word twice where nobody can look, whatever answers are lost', () => {
    const mood = fc.constantFrom<Mood>('fine', 'fine', 'drop', 'lost', later, failed);
    const turn = fc.record({ words: fc.string({ maxLength: 30 }), moods: fc.array(mood, { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), fc.boolean(), (turns, streams) => {
        const play = newPlay(streams, { canLook: false });
        let said = '';
        for (const { words, moods } of turns) {
          said += words.replaceAll(/[^ -~]/gu, '');
          play.board.moods.push(...moods);
          play.now += 1_600;
          step(play, nextOf(play, said, false));
        }
        const isKnown = play.record.doing?.act !== 'post';
        play.board.moods.length = 0;
        expect(settle(play, said, true)).toBe('over');
        expect(said.startsWith(play.board.text)).toBe(true);
        if (isKnown) expect(play.board.text).toBe(said);
        expect(play.board.acts.map(({ kind }) => kind)).not.toContain('find');
      }),
      { numRuns: 300 },
    );
  });

  verifies('BRG-150', 'posts once more at the end, and then no more', () => {
    const play = newPlay(false, { canLook: false });
    play.board.moods.push('drop', 'drop');
    settle(play, 'One', false);
    expect(play.board.acts.map(({ kind }) => kind)).toEqual(['post']);
    settle(play, 'One two', true);
    expect(play.board.messages).toMatchObject([
      { text: '', standing: 'The agent is at work.' },
      { text: '', standing: 'The run is over.' },
    ]);
  });

  verifies(
    'BRG-145',
    'changes a message at its pace, and shares that among those who are told at once',
    () => {
      const play = newPlay(false);
      settle(play, 'One', false);
      const at = play.lastAt;
      expect(nextOf(play, 'One two', false)).toEqual({ kind: 'wait', untilMs: at + 1_200 });
      play.now = at + 1_200;
      expect(nextOf(play, 'One two', false)).toMatchObject({
        kind: 'act',
        act: { kind: 'change', id: 'm1' },
      });
      expect([1, 3, 1_000].map((atOnce) => gapOf(1_200, atOnce))).toEqual([1_200, 3_600, 30_000]);
    },
  );

  verifies('BRG-146', 'waits longer each time it fails, and gives up after a day', () => {
    const play = newPlay(false);
    const waits = [];
    for (let times = 0; times < 8; times += 1) {
      play.board.moods.push(failed);
      play.now = Math.max(play.now + 2_000, play.record.notBefore ?? 0);
      step(play, nextOf(play, 'One', true));
      waits.push((play.record.notBefore ?? 0) - play.now);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    expect(nextOf(play, 'One', true)).toEqual({ kind: 'held', untilMs: play.record.notBefore });
    play.now += 25 * 3_600_000;
    play.board.moods.push(failed);
    step(play, nextOf(play, 'One', true));
    expect(nextOf(play, 'One', true)).toEqual({ kind: 'over' });
  });

  verifies('BRG-146', 'is over where it is refused, or its message was taken away', () => {
    for (const heard of [{ kind: 'refused', why: 'not_in_channel' }, { kind: 'gone' }] as const) {
      const play = newPlay(false);
      settle(play, 'One', false);
      play.board.moods.push(heard);
      expect(settle(play, 'One two', true)).toBe('over');
      expect(play.board.acts).toHaveLength(2);
    }
  });

  verifies(
    'BRG-148',
    'grows as a stream, and ends it with the run; a stream that ends before is changed as a whole',
    () => {
      const play = newPlay(true);
      expect(settle(play, '', false)).toBe('rest');
      settle(play, 'One', false);
      settle(play, 'One two', false);
      expect(play.board.acts.map(({ kind }) => kind)).toEqual(['begin', 'add']);
      play.board.moods.push('close');
      settle(play, 'One two three', false);
      settle(play, 'One two three four', true);
      expect(play.board.acts.map(({ kind }) => kind)).toEqual(['begin', 'add', 'add', 'change', 'change']);
      expect([play.board.text, play.board.messages.length]).toEqual(['One two three four', 1]);
    },
  );

  verifies(
    'BRG-148',
    'is ended when it is full, or old, and when the run is over before it begins there is none',
    () => {
      const full = newPlay(true);
      settle(full, 'x'.repeat(30), false);
      settle(full, 'x'.repeat(60), true);
      expect(full.board.acts.map(({ kind }) => kind)).toEqual(['begin', 'end', 'post']);
      const old = newPlay(true);
      settle(old, 'One', false);
      old.now += 240_000;
      settle(old, 'One two', false);
      expect(old.board.acts.map(({ kind }) => kind)).toEqual(['begin', 'end']);
      const quick = newPlay(true);
      settle(quick, 'One', true);
      expect(quick.board.acts.map(({ kind }) => kind)).toEqual(['post']);
    },
  );

  verifies('BRG-148', 'posts where streams are unknown, for this run and the next', () => {
    const play = newPlay(true);
    play.board.moods.push(none);
    settle(play, 'One', false);
    expect(play.board.acts.map(({ kind }) => kind)).toEqual(['begin', 'post']);
    expect(newRecord('s', play.record)).toMatchObject({ noStream: true, earlier: ['m1'], pages: [] });
  });
});
