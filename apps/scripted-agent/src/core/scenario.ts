/** The words a scenario is written in: what a scripted agent says and does, and in which order. */

/** Any JSON in which strings may hold `{{placeholders}}`. */
export type Template = unknown;

export interface Say {
  readonly say: string;
  /** Milliseconds a word, where the usual pace is not meant. */
  readonly paceMs?: number | undefined;
  /** Sent as `TEXT_MESSAGE_CHUNK`. */
  readonly chunks?: boolean | undefined;
  /** Never ended; legal only before `fail` or `cut`. */
  readonly open?: boolean | undefined;
}
export interface Think {
  readonly think: string;
  readonly chunks?: boolean | undefined;
  /** What a model provider wants back unread. */
  readonly sealed?: string | undefined;
}
export interface Call {
  /** The tool. */
  readonly call: string;
  /** Names this call within the run; the tool's name unless given. */
  readonly key?: string | undefined;
  readonly args: Template;
  readonly result?: Template;
  readonly chunks?: boolean | undefined;
  readonly open?: boolean | undefined;
}
/** Answers the call that an interrupt waited for, unless an earlier attempt already did. */
export interface Settle {
  readonly settle: string;
  readonly result: Template;
}
/** Ends the run with an interrupt: on a call made before, named by its key, or with a reason on nothing but itself. */
export interface Ask {
  readonly ask: string;
  readonly reason?: 'input_required' | undefined;
  readonly message: string;
  readonly schema: Template;
}
export interface Phase {
  readonly step: string;
  readonly do: readonly Step[];
}
export interface ReplaceState {
  readonly state: Template;
  /** Pointers whose values the thread's state keeps, because somebody else writes them. */
  readonly keep?: readonly string[] | undefined;
}
export interface SetState {
  readonly set: Readonly<Record<string, Template>>;
}
/** Repeats all messages, so that everyone sees changed arguments. */
export interface Restate {
  readonly restate: 'messages';
}
export interface Card {
  readonly card: CardContent;
  /** As a custom event unless said otherwise. */
  readonly as?: 'activity' | undefined;
}
export interface CardContent {
  readonly id: string;
  readonly component: string;
  readonly version: number;
  readonly props: Template;
  readonly text: string;
}
export interface Activity {
  readonly activity: string;
  readonly type: string;
  readonly content: Template;
}
export interface PatchActivity {
  readonly patch: string;
  readonly type: string;
  readonly ops: readonly Template[];
}
export interface Custom {
  readonly custom: string;
  readonly value: Template;
}
export interface Raw {
  readonly raw: Template;
  readonly source?: string | undefined;
}
export interface Subagent {
  readonly subagent: string;
  readonly description?: string | undefined;
  readonly do: readonly Step[];
  readonly result?: Template;
  readonly fails?: { readonly message: string; readonly code?: string | undefined } | undefined;
}
export interface Together {
  readonly together: readonly (readonly Step[])[];
}
export interface Pause {
  readonly pauseMs: number;
}
export interface Condition {
  readonly value: string;
  readonly exists?: boolean | undefined;
  readonly eq?: unknown;
  readonly gte?: number | undefined;
  readonly lt?: number | undefined;
}
export interface Choose {
  /** The first whose condition holds; one without a condition always does. */
  readonly choose: readonly { readonly when?: Condition | undefined; readonly do: readonly Step[] }[];
}
export interface Finish {
  readonly finish: { readonly result?: Template };
}
export interface Fail {
  readonly fail: string;
  readonly code?: string | undefined;
}
/** Drops the connection without a word. */
export interface CutOff {
  readonly cut: 'connection';
}

export type Step =
  | Say
  | Think
  | Call
  | Settle
  | Ask
  | Phase
  | ReplaceState
  | SetState
  | Restate
  | Card
  | Activity
  | PatchActivity
  | Custom
  | Raw
  | Subagent
  | Together
  | Pause
  | Choose
  | Finish
  | Fail
  | CutOff;

export type ValueSource =
  | { readonly find: 'amount' | 'currency'; readonly default?: unknown }
  | { readonly find: 'pattern'; readonly pattern: string; readonly default?: unknown }
  | { readonly is: Template };

/** How a question about a call goes on. */
export interface Answers {
  readonly approved: readonly Step[];
  readonly rejected: readonly Step[];
  readonly cancelled: readonly Step[];
}

/** How a question about nothing that was called goes on; what is answered takes the place of values of the same name. */
export interface Replies {
  readonly answered: readonly Step[];
  readonly cancelled: readonly Step[];
}

export interface Scenario {
  readonly id: string;
  readonly about: string;
  /** Figured out in this order before the first step; later ones may use earlier ones. */
  readonly values: Readonly<Record<string, ValueSource>>;
  /** Tokens that the run reports at its end. */
  readonly usage?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly start: readonly Step[];
  /** By the tool that was asked about. */
  readonly answers: Readonly<Record<string, Answers>>;
  /** By the key of the `ask` that has a reason of its own. */
  readonly questions: Readonly<Record<string, Replies>>;
}
