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
      /** JSON Pointer into the event. */
      readonly pointer?: string;
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

export const judgeBatch = (begun: JudgeState, items: readonly AgentItem[]): BatchJudged => {
  let state = begun;
  const legal: JudgedEvent[] = [];
  for (const item of items) {
    if (item.kind === 'cut') return { state, legal, fault: { kind: 'cut', code: item.code } };
    const judged = judge(state, item.text);
    if (!judged.ok) {
      const { ok: _no, legal: before, ...why } = judged;
      return {
        state,
        legal: [...legal, ...before],
        fault: { kind: 'illegal', text: item.text, begins: beginsRun(item.text), ...why },
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
