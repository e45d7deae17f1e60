/** Judges what an agent's stream brought, up to the first thing that ends it. */
import { judge, type JudgeState, type RunErrorCode } from '@triptych/protocol';
import type { AgentItem, JudgedEvent } from './ports.js';

/** Why nothing after it counts. */
export type Fault =
  | { readonly kind: 'cut'; readonly code: RunErrorCode }
  | {
      readonly kind: 'illegal';
      readonly text: string;
      readonly rule: string;
      readonly message: string;
      /** It would have begun another run. */
      readonly begins: boolean;
    };

export interface BatchJudged {
  readonly state: JudgeState;
  readonly legal: readonly JudgedEvent[];
  readonly fault?: Fault;
}

const beginsRun = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === 'RUN_STARTED';
  } catch {
    // Not JSON: the beginning of nothing.
    return false;
  }
};

export const judgeBatch = (before: JudgeState, items: readonly AgentItem[]): BatchJudged => {
  let state = before;
  const legal: JudgedEvent[] = [];
  for (const item of items) {
    if (item.kind === 'cut') return { state, legal, fault: { kind: 'cut', code: item.code } };
    const judged = judge(state, item.text);
    if (!judged.ok) {
      const { rule, message } = judged;
      return {
        state,
        legal: [...legal, ...judged.legal],
        fault: { kind: 'illegal', text: item.text, rule, message, begins: beginsRun(item.text) },
      };
    }
    state = judged.state;
    legal.push(...judged.events);
  }
  return { state, legal };
};

export const codeOf = (fault: Fault): RunErrorCode => {
  if (fault.kind === 'cut') return fault.code;
  return fault.rule === 'too-large' ? 'hub/too-large' : 'hub/protocol-violation';
};
