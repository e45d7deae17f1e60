/** Proves that a track applies each event once, in order, and asks for what it lacks. */
import fc from 'fast-check';
import { asPosition, refusal, type AguiData, type AguiEvent, type SnapshotData } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  asked,
  askFrom,
  newTrack,
  trackAnswered,
  trackAway,
  trackEvents,
  trackHead,
  trackRefused,
  trackSnapshot,
  type ThreadTrack,
} from './thread-track.js';

const pos = (n: number) => asPosition(`p${n}`);
const delta = (n: number): AguiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${n},` });
const opening: readonly AguiEvent[] = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
];
const snapshot = (n: number, events: readonly AguiEvent[] = opening): SnapshotData => ({
  threadId: 't',
  pos: pos(n),
  reason: 'join',
  events,
});
const frame = (from: number, to: number): AguiData => ({
  threadId: 't',
  prev: pos(from),
  pos: pos(to),
  events: Array.from({ length: to - from }, (_, i) => delta(from + i + 1)),
});
const joined = (): ThreadTrack => trackSnapshot(trackAnswered(asked(newTrack('t'))), snapshot(0));
const textOf = (track: ThreadTrack): unknown =>
  track.view.model.messages.find((message) => message.id === 'm')?.content;

describe('a thread track', () => {
  verifies('CLI-4', 'applies what continues its position', () => {
    const step = trackEvents(joined(), frame(0, 2));
    expect(step.effect).toEqual({ do: 'nothing' });
    expect(step.track.view.pos).toBe(pos(2));
    expect(textOf(step.track)).toBe('1,2,');
  });

  verifies('CLI-5', 'a gap changes nothing and asks again from its own position', () => {
    const step = trackEvents(joined(), frame(3, 4));
    expect(step.effect).toEqual({ do: 'ask', afterMs: 0 });
    expect(askFrom(step.track)).toBe(pos(0));
    expect(textOf(step.track) ?? '').toBe('');
  });

  verifies('CLI-5', 'a position that never fits is given up for a join', () => {
    let track = joined();
    for (let i = 0; i < 3; i += 1) track = trackAnswered(asked(trackEvents(track, frame(9, 10)).track));
    expect(askFrom(track)).toBeUndefined();
  });

  verifies('CLI-6', 'a snapshot replaces all that was known', () => {
    const grown = trackEvents(joined(), frame(0, 3)).track;
    const rebuilt = trackSnapshot(grown, { ...snapshot(7), reason: 'trimmed' });
    expect(rebuilt.view).toMatchObject({ phase: 'live', pos: pos(7), rebuilt: 'trimmed' });
    expect(textOf(rebuilt) ?? '').toBe('');
  });

  verifies('CLI-7', 'a head that is not ours asks again, our own does not', () => {
    expect(trackHead(joined(), pos(0)).effect).toEqual({ do: 'nothing' });
    expect(trackHead(joined(), pos(1)).effect).toEqual({ do: 'ask', afterMs: 0 });
  });

  const wrong: AguiEvent = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/not/there' }] };
  const right: AguiEvent = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/x', value: 1 }] };
  const patching = (from: number, ...events: AguiEvent[]): AguiData => ({
    threadId: 't',
    prev: pos(from),
    pos: pos(from + 1),
    events,
  });

  verifies('CLI-39', 'a patch that does not apply keeps the state, says so, and asks for a snapshot', () => {
    const step = trackEvents(joined(), patching(0, right, wrong, delta(1)));
    expect(step.effect).toEqual({ do: 'ask', afterMs: 0 });
    expect(askFrom(step.track)).toBeUndefined();
    expect(step.track.view).toMatchObject({ phase: 'live', pos: pos(1), missed: expect.any(String) });
    expect(step.track.view.model.state).toEqual({ x: 1 });
    const after = trackSnapshot(trackAnswered(asked(step.track)), snapshot(1));
    expect(after.view.missed).toBeUndefined();
    expect(askFrom(after)).toBe(pos(1));
  });

  verifies('CLI-39', 'asks once a run, however often patches do not apply', () => {
    const begins: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'another' };
    const mended = (track: ThreadTrack, n: number) => trackSnapshot(trackAnswered(asked(track)), snapshot(n));
    let track = mended(trackEvents(joined(), patching(0, wrong)).track, 1);
    for (let n = 1; n < 5; n += 1) {
      const step = trackEvents(track, patching(n, wrong));
      expect(step.effect).toEqual({ do: 'nothing' });
      track = step.track;
    }
    expect(trackEvents(track, patching(5, begins, wrong)).effect).toEqual({ do: 'ask', afterMs: 0 });
  });

  verifies('CLI-39', 'a join that the connection cut short is still a join', () => {
    const { track } = trackEvents(joined(), patching(0, wrong));
    expect(askFrom(trackAway(asked(track)))).toBeUndefined();
  });

  verifies('CLI-11', 'a refusal ends the thread, or is asked again later when the hub says so', () => {
    const track = asked(newTrack('t'));
    expect(trackRefused(track, refusal('NOT_FOUND'), 0).track.view).toMatchObject({
      phase: 'ended',
      ended: 'NOT_FOUND',
    });
    expect(trackRefused(track, refusal('RATE_LIMITED', { retryAfterMs: 40 }), 0).effect).toEqual({
      do: 'ask',
      afterMs: 40,
    });
  });

  verifies(
    'CLI-4',
    'whatever is lost, repeated or cut, the text ends whole and no event counts twice',
    () => {
      const act = fc.oneof(
        fc.record({ kind: fc.constant('send' as const), size: fc.integer({ min: 1, max: 4 }) }),
        fc.record({
          kind: fc.constantFrom('lose' as const, 'repeat' as const, 'reconnect' as const),
          size: fc.constant(1),
        }),
      );
      fc.assert(
        fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
          let head = 0;
          let track = joined();
          const catchUp = () => {
            track = trackAnswered(asked(track));
            const from = Number(String(askFrom(track) ?? 'p0').slice(1));
            if (askFrom(track) === undefined) track = trackSnapshot(track, snapshot(0));
            if (from < head)
              track = trackEvents(track, frame(askFrom(track) === undefined ? 0 : from, head)).track;
          };
          const deliver = (data: AguiData) => {
            const step = trackEvents(track, data);
            track = step.track;
            if (step.effect.do === 'ask') catchUp();
          };
          for (const { kind, size } of acts) {
            const before = head;
            if (kind !== 'reconnect') head += size;
            if (kind === 'send' || kind === 'repeat') deliver(frame(before, head));
            if (kind === 'repeat') deliver(frame(before, head));
            if (kind === 'reconnect') {
              track = trackAway(track);
              catchUp();
            }
          }
          if (trackHead(track, pos(head)).effect.do === 'ask') catchUp();
          const whole = Array.from({ length: head }, (_, i) => `${i + 1},`).join('');
          expect(textOf(track) ?? '').toBe(whole);
        }),
      );
    },
  );
});
