/** Puts a whole stream before the judge and tells how it came out. */
import type { AguiEvent } from '../src/core/agui.js';
import { beginJudge, judge, judgeEnd, type Expected, type JudgedEvent } from '../src/core/judge/judge.js';
import { RUN, THREAD } from './events.js';

export interface Outcome {
  readonly events: readonly JudgedEvent[];
  readonly types: readonly string[];
  readonly warnings: readonly string[];
  /** The rule that was broken, and by which event. */
  readonly rule?: string;
  readonly pointer?: string;
  readonly at?: number;
  readonly complete: boolean;
  readonly started: boolean;
}

const asText = (event: AguiEvent | string): string =>
  typeof event === 'string' ? event : JSON.stringify(event);

/** Strings are taken as the text they are. */
export const judgeAll = (
  stream: readonly (AguiEvent | string)[],
  expected: Partial<Expected> = {},
): Outcome => {
  let current = beginJudge({ threadId: THREAD, runId: RUN, ...expected });
  const events: JudgedEvent[] = [];
  const warnings: string[] = [];
  const told = (): Pick<Outcome, 'events' | 'types' | 'warnings'> => ({
    events,
    types: events.map(({ event }) => event.type),
    warnings,
  });
  for (const [at, event] of stream.entries()) {
    const judged = judge(current, asText(event));
    if (!judged.ok) {
      events.push(...judged.legal);
      const { rule, pointer } = judged;
      return {
        ...told(),
        rule,
        at,
        complete: false,
        started: true,
        ...(pointer === undefined ? {} : { pointer }),
      };
    }
    current = judged.state;
    events.push(...judged.events);
    warnings.push(...judged.warnings);
  }
  return { ...told(), ...judgeEnd(current) };
};

export const eventsOf = (outcome: Outcome): readonly AguiEvent[] => outcome.events.map(({ event }) => event);
