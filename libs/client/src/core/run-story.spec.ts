/** Proves that of a thread one run is told, legally and to its end, whatever of it was missed. */
import fc from 'fast-check';
import { emptyModel, isTerminal, modelStep, type AguiEvent, type Model } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { verifyWithReference } from '../../../protocol/test/reference-client.js';
import { richLog } from '../../../protocol/test/rich-streams.js';
import { OUTCOME_UNKNOWN } from './bridge.js';
import {
  endUnseen,
  storyAdmitted,
  storyEvents,
  storyRebuilt,
  type RunStory,
  type Telling,
} from './run-story.js';

const fold = (events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());

interface Piece {
  readonly size: number;
  readonly lost: boolean;
}
const pieces = fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), lost: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
});

const newStory = (runId: string, model: Model): RunStory => ({
  runId,
  input: { threadId: 't', messages: [], state: {} },
  phase: 'asked',
  model,
});

/** The run is asked for right before it begins; of the rest some pieces are lost, and a snapshot comes after them. */
const tell = (log: readonly AguiEvent[], begin: number, all: readonly Piece[]): readonly AguiEvent[] => {
  const runId = String(log[begin]?.['runId']);
  let telling: Telling = storyAdmitted(newStory(runId, fold(log.slice(0, begin))), runId);
  const said: AguiEvent[] = [];
  const say = (next: Telling): void => {
    telling = next.passed ? endUnseen(next.story, next.passed, undefined) : next;
    said.push(...telling.events);
  };
  let missed = false;
  for (let at = begin, turn = 0; at < log.length; turn += 1) {
    const { size, lost } = all[turn % all.length] ?? { size: 1, lost: false };
    const events = log.slice(at, at + size);
    at += size;
    const model = fold(log.slice(0, at));
    // What is lost last of all is told by the head, and asked for again.
    if (lost && at < log.length) missed = true;
    else if (missed) say(storyRebuilt(telling.story, model));
    else say(storyEvents(telling.story, events, model));
    missed &&= lost && at < log.length;
  }
  return said;
};

const beginnings = (log: readonly AguiEvent[]): readonly number[] =>
  log.flatMap(({ type }, at) => (type === 'RUN_STARTED' ? [at] : []));

const endOf = (log: readonly AguiEvent[], begin: number): number =>
  log.findIndex((event, at) => at > begin && isTerminal(event));

/** The reference client takes its time with long streams, more so on a busy machine. */
const PROPERTY_MS = 180_000;

describe('the story of a run', () => {
  verifies(
    'CLI-27',
    'is its events from its beginning to its end, and no others',
    () => {
      fc.assert(
        fc.property(richLog, pieces, fc.nat(2), (log, all, pick) => {
          const begins = beginnings(log);
          const begin = begins[pick % begins.length] ?? 0;
          const end = endOf(log, begin);
          const whole = log.slice(begin, end < 0 ? log.length : end + 1);
          const said = tell(
            log,
            begin,
            all.map((piece) => ({ ...piece, lost: false })),
          );
          // The reader had neither the thread's messages nor its state: it is told them after the beginning.
          const told = said.slice(said.length - whole.length + 1);
          expect([said[0], ...told]).toEqual(whole);
          expect(
            said.length - whole.length === 0 ||
              ['MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT'].includes(said[1]?.type ?? ''),
          ).toBe(true);
        }),
        { numRuns: 30 },
      );
    },
    PROPERTY_MS,
  );

  verifies(
    'CLI-28',
    'stays legal and comes to its end, whatever of it was lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(richLog, pieces, fc.nat(2), async (log, all, pick) => {
          const begins = beginnings(log);
          const begin = begins[pick % begins.length] ?? 0;
          const said = tell(log, begin, all);
          const { error } = await verifyWithReference(said);
          expect(error).toBeUndefined();
          const runs = said.filter(({ type }) => type === 'RUN_STARTED').map(({ runId }) => runId);
          expect(runs).toEqual([log[begin]?.['runId']]);
          if (endOf(log, begin) >= 0) expect(isTerminal(said.at(-1) ?? { type: '' })).toBe(true);
        }),
        { numRuns: 30 },
      );
    },
    PROPERTY_MS,
  );

  verifies('CLI-28', 'ends as the run is known to have ended when that was not seen', () => {
    const ended = (status: 'success' | 'cancelled' | 'failed' | 'interrupt', code?: string) => {
      const summary = { runId: 'r', status, startedAt: 0, ...(code ? { code } : {}) };
      return endUnseen(newStory('r', emptyModel()), emptyModel(), summary).events.at(-1);
    };
    expect(ended('success')).toEqual({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' });
    expect(ended('cancelled')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(ended('cancelled', 'hub/cancelled')).toMatchObject({ type: 'RUN_ERROR', code: 'hub/cancelled' });
    expect(ended('failed', 'hub/too-large')).toMatchObject({ type: 'RUN_ERROR', code: 'hub/too-large' });
    expect(ended('interrupt')).toEqual(OUTCOME_UNKNOWN);
  });
});
