/** A thread as its readers see it: what all its events so far come to. */
import type { AguiEvent, Message } from '../agui.js';

/** The run that began last. */
export interface ModelRun {
  /** Its RUN_STARTED, without the messages of `input`: they are among the model's messages. */
  readonly started?: AguiEvent;
  readonly finished?: AguiEvent;
  /** Its RUN_ERROR, which may come after RUN_FINISHED: the run has then failed. */
  readonly error?: AguiEvent;
}

/** The run whose interrupts wait for an answer; it may be an earlier one than the last. */
export interface PendingRun {
  readonly started: AguiEvent;
  readonly finished: AguiEvent;
}

/** One invocation of a subagent in the last run. */
export interface ModelSubagent {
  readonly started: AguiEvent;
  /** Its SUBAGENT_FINISHED or SUBAGENT_ERROR. */
  readonly ended?: AguiEvent;
}

export interface ModelStep {
  readonly stepName: string;
  readonly subagentRunId?: string;
}

/** A CUSTOM event that whoever joins is told too. */
export interface KeptCustom {
  readonly event: AguiEvent;
  /** The message it came after; absent: it came before any. */
  readonly after?: string;
}

export type OpenKind = 'text' | 'tool' | 'span' | 'reasoning' | 'step';

/** Something begun and not ended. */
export interface OpenItem {
  readonly kind: OpenKind;
  /** The message's, span's or call's id; of a step its owner and name. */
  readonly id: string;
  /** The event that opens it again for whoever joins: without `metadata`, `rawEvent` and `timestamp`. */
  readonly opener: AguiEvent;
}

/** Read it freely, change nothing in it: a step makes a new model and shares what stayed the same. */
export interface Model {
  /** In order; activities in place, messages still being written with what they have so far. */
  readonly messages: readonly Message[];
  /** A message or call id is there more than once, which only careless agents bring about. */
  readonly idsRepeat: boolean;
  readonly state: unknown;
  /** The last CUSTOM events, oldest first. */
  readonly custom: readonly KeptCustom[];
  /** JSON bytes of `custom`, places included. */
  readonly customBytes: number;
  readonly run?: ModelRun;
  readonly pending?: PendingRun;
  /** In the order they began. */
  readonly subagents: readonly ModelSubagent[];
  /** Steps finished in this run and those it resumes, in the order they finished; open ones are in `open`. */
  readonly steps: readonly ModelStep[];
  /** What is open in the last run, in the order it was opened; nothing once the run is over. */
  readonly open: readonly OpenItem[];
  /** Why the last event did not apply as it stands, when it did not. */
  readonly warning?: string;
}

const EMPTY: Model = {
  messages: [],
  idsRepeat: false,
  state: {},
  custom: [],
  customBytes: 0,
  subagents: [],
  steps: [],
  open: [],
};

export const emptyModel = (): Model => EMPTY;

/** The same model with a word on what did not apply. */
export const warned = (model: Model, warning: string): Model => ({ ...model, warning });
