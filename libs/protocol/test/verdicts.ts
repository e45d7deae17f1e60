/** Bodies of proofs about what happens within one run. */
import type { AguiEvent } from '../src/core/agui.js';
import { runFinished, runStarted } from './events.js';
import { eventsOf, judgeAll } from './judge-all.js';

type Stream = readonly AguiEvent[];
const [RS, RF] = [runStarted(), runFinished()];

/** The run is taken as it is, to its end. */
export const accepted = (stream: Stream) => (): void => {
  const outcome = judgeAll([RS, ...stream, RF]);
  expect(outcome.rule).toBeUndefined();
  expect(eventsOf(outcome)).toEqual([RS, ...stream, RF]);
};

/** The last event breaks the rule. */
export const refused = (stream: Stream, broken: string) => (): void => {
  const outcome = judgeAll([RS, ...stream]);
  expect([outcome.rule, outcome.at]).toEqual([broken, stream.length]);
};

/** The run goes on as these events. */
export const expanded = (stream: Stream, whole: Stream) => (): void => {
  const outcome = judgeAll([RS, ...stream]);
  expect(outcome.rule).toBeUndefined();
  expect(eventsOf(outcome).slice(1)).toEqual(whole);
};
