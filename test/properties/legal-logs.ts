/** Draws the logs of threads: streams in which everything AG-UI knows happens, as far as they are legal. */
import { beginJudge, judge, type AguiEvent } from '@triptych/protocol';
import fc from 'fast-check';
import { richLog } from '../../libs/protocol/test/rich-streams.js';
import { StreamAuthor } from '../streams/legal-stream.js';

/** What the judge lets through of it; the first violation would end the stream. */
const legalPart = (events: readonly AguiEvent[]): AguiEvent[] => {
  let state = beginJudge({ threadId: 't', runId: 'r1' });
  const legal: AguiEvent[] = [];
  for (const event of events) {
    const judged = judge(state, JSON.stringify(event));
    if (!judged.ok) break;
    state = judged.state;
    legal.push(...judged.events.map((one) => one.event));
  }
  return legal;
};

/** Full of what a policy may hide: other roles, tools, activities, messages told anew, several interrupts. */
const authored = fc
  .tuple(
    fc.array(fc.nat(100_000), { minLength: 20, maxLength: 120 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 5, max: 40 }),
  )
  .map(([draws, runs, length]) => legalPart(new StreamAuthor(draws).write(runs, length)));

export const logs: fc.Arbitrary<AguiEvent[]> = fc.oneof(richLog, authored);
