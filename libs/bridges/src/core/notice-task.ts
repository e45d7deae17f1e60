/** The questions as bridges are told of them; whoever keeps them answers this port. */
import type { TaskView } from '@triptych/protocol';

export interface NoticedTask {
  readonly tenant: string;
  /** Its rule lets it be decided in a chat. */
  readonly chat: boolean;
  /** As reviewers are shown it, with its history; nobody in particular looks, so `may` is empty. */
  readonly view: TaskView;
}

export interface NoticedBatch {
  /** Those that reviewers may read; the others are nobody's to show. */
  readonly tasks: readonly NoticedTask[];
  /** The run that carries its answers, or carried them last. */
  readonly resumeRunId?: string | undefined;
  /** Nothing of it will change any more. */
  readonly over: boolean;
  /** When it was read, by the store's clock; Unix milliseconds. */
  readonly now: number;
}

export interface TaskSource {
  /** undefined: there is none, or it cannot be read. */
  batch(batchId: string): Promise<NoticedBatch | undefined>;
}

export const batchIdOf = (taskId: string): string => taskId.slice(0, taskId.lastIndexOf('.'));
