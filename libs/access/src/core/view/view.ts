/** What a surface's projection of one thread has to remember between two events. */
import type { AguiEvent, LogEntry, Seen } from '@triptych/protocol';
import type { Policy, ProjectedSurface, SurfacePolicy, ToolView } from '../policy.js';
import type { Cut } from '../shape.js';
import { emptyLongMap } from './long-map.js';
import type { LongMap } from './long-map.js';

/** What the rules need to know of the thread itself. */
export interface ViewedThread {
  readonly agentId: string;
  readonly tenant: string;
}

export interface Call {
  readonly name: string;
  /** The arguments' text, as far as it has come. */
  readonly text: string;
  /** How the surface sees it; absent: not at all. */
  readonly shownAs?: ToolView;
}

/** One opening of a tool call, whose arguments wait for its end. */
export interface OpenCall {
  readonly shown: boolean;
  readonly text: string;
}

export interface OpenStep {
  readonly owner: string | undefined;
  /** Absent: hidden. */
  readonly label?: string;
}

/** What the current run has opened; true is shown, false is hidden. */
export interface OpenItems {
  readonly texts: ReadonlyMap<string, boolean>;
  readonly calls: ReadonlyMap<string, OpenCall>;
  readonly steps: ReadonlyMap<string, OpenStep>;
  readonly reasoning: ReadonlyMap<string, boolean>;
}

export interface RunFacts {
  readonly runId: string;
  /** Something may have been done in it: a tool was called, work was delegated, or an approved call resumed. */
  readonly touched: boolean;
  /** The thread's last finished run ended in a question. */
  readonly asking: boolean;
  /** Tools of the client that started the run. */
  readonly frontendTools: ReadonlySet<string>;
}

export interface ProjectedView {
  readonly surface: ProjectedSurface;
  readonly policy: Policy;
  readonly allowed: SurfacePolicy;
  readonly thread: ViewedThread;
  readonly run: RunFacts;
  /** The thread's runs so far. */
  readonly runs: LongMap<true>;
  readonly open: OpenItems;
  /** Messages of the thread by id: shown or hidden, for good. */
  readonly messages: LongMap<boolean>;
  readonly reasoning: LongMap<boolean>;
  readonly activities: LongMap<boolean>;
  readonly calls: LongMap<Call>;
  /** What people said themselves, by message id, as a digest. */
  readonly said: LongMap<string>;
  readonly state: Cut;
}

export type View = ProjectedView | { readonly surface: 'operator' };

/** `json`: its stored text, where what is shown whole leaves as that. */
export type EntryToShow = Pick<LogEntry, 'seq' | 'at' | 'source' | 'event'> & Partial<Pick<LogEntry, 'json'>>;

export interface ViewStep<V = View> {
  readonly view: V;
  /** What the entry became on this surface: none, one, or several events. */
  readonly shown: readonly AguiEvent[];
  readonly seen: Seen;
}

/** Shows one family of events. */
export type Show = (view: ProjectedView, entry: EntryToShow) => ViewStep<ProjectedView>;

const NOTHING_OPEN: OpenItems = {
  texts: new Map(),
  calls: new Map(),
  steps: new Map(),
  reasoning: new Map(),
};

export const nothingOpen = (): OpenItems => NOTHING_OPEN;

export const newView = (policy: Policy, surface: ProjectedSurface, thread: ViewedThread): ProjectedView => ({
  surface,
  policy,
  allowed: policy.surfaces[surface],
  thread,
  run: { runId: '', touched: false, asking: false, frontendTools: new Set() },
  runs: emptyLongMap(),
  open: NOTHING_OPEN,
  messages: emptyLongMap(),
  reasoning: emptyLongMap(),
  activities: emptyLongMap(),
  calls: emptyLongMap(),
  said: emptyLongMap(),
  state: { full: {}, shown: {} },
});

export const hidden = (view: ProjectedView): ViewStep<ProjectedView> => ({ view, shown: [], seen: 'hidden' });

/** An event that left as it came is the same object, so that its stored text can be sent. */
export const shownAs = (view: ProjectedView, event: AguiEvent, out: AguiEvent): ViewStep<ProjectedView> => ({
  view,
  shown: [out],
  seen: out === event ? 'full' : 'redacted',
});

/** True when the event belongs to a subagent that this surface does not see. */
export const isForeign = ({ allowed }: ProjectedView, tagged: object): boolean =>
  !allowed.subagents && (tagged as { readonly subagentRunId?: unknown }).subagentRunId !== undefined;

export const withOpen = (view: ProjectedView, open: Partial<OpenItems>): ProjectedView => ({
  ...view,
  open: { ...view.open, ...open },
});

export const opened = <V>(items: ReadonlyMap<string, V>, id: string, item: V): ReadonlyMap<string, V> =>
  new Map(items).set(id, item);

export const closed = <V>(items: ReadonlyMap<string, V>, id: string): ReadonlyMap<string, V> => {
  const left = new Map(items);
  left.delete(id);
  return left;
};
