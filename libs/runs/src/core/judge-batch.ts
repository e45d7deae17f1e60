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
  /** Each with the warnings of what it stands for. */
  readonly legal: readonly JudgedEvent[];
  /** Warnings of what nothing stands for in the log. */
  readonly loose: readonly string[];
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

type Legal = Extract<ReturnType<typeof judge>, { ok: true }>;

/** The last event of what was warned of carries the warnings. */
const warned = ({ events, warnings }: Legal): readonly JudgedEvent[] =>
  events.map((judged, nth) => (nth === events.length - 1 ? { ...judged, warnings } : judged));

export const judgeBatch = (begun: JudgeState, items: readonly AgentItem[]): BatchJudged => {
  let state = begun;
  const legal: JudgedEvent[] = [];
  const loose: string[] = [];
  for (const item of items) {
    if (item.kind === 'cut') return { state, legal, loose, fault: { kind: 'cut', code: item.code } };
    const judged = judge(state, item.text);
    if (!judged.ok) {
      const { ok: _no, legal: before, ...why } = judged;
      return {
        ...{ state, legal: [...legal, ...before], loose },
        fault: { kind: 'illegal', text: item.text, begins: beginsRun(item.text), ...why },
      };
    }
    state = judged.state;
    legal.push(...(judged.warnings.length === 0 ? judged.events : warned(judged)));
    if (judged.events.length === 0) loose.push(...judged.warnings);
  }
  return { state, legal, loose };
};

export const codeOf = (fault: Fault): RunErrorCode => {
  if (fault.kind === 'cut') return fault.code;
  return fault.rule === 'too-large' ? 'hub/too-large' : 'hub/protocol-violation';
};
