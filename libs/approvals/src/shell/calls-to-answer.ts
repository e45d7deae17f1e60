/** Says which calls of a client's own tools its next run answers, and closes their batch in the step that admits it. */
import type { ToolMessage } from '@triptych/protocol';
import { callsWaiting, type Batch } from '../core/batch.js';
import { isClientsAlone, isUnanswered, lapseCalls } from '../core/frontend-calls.js';
import type { Guard, Rider } from '../core/rider.js';
import { HUB } from '../core/task.js';
import { lapsedAnswer } from '../core/tool-messages.js';
import type { Desk } from './desk.js';

export interface CallsToAnswer {
  readonly batchId: string;
  /** Their batch holds the thread. */
  readonly holds: boolean;
  /** Nobody else answers a call of theirs; else the answers are kept until people have decided. */
  readonly alone: boolean;
  /** In the order the agent made them. */
  readonly calls: readonly string[];
  /** The people whose answers count. */
  readonly answerers: readonly string[];
  /** What the hub answers in the place of a client whose time is over; absent: it still has time. */
  readonly lapsed?: (toolCallId: string) => ToolMessage;
  /** For the step that admits the run which answers them. */
  answeredBy(runId: string): { readonly guards: readonly Guard[]; readonly riders: readonly Rider[] };
}

/** Where no batch holds the thread, calls of its last one may have lapsed. */
const newestOf = async ({ store }: Desk, threadId: string): Promise<string | undefined> =>
  (await store.batchesOf(threadId, 1))[0]?.batchId;

/** The person who brought the tools, and whose thread it is. */
const answerersOf = ({ facts: { requesters, owner } }: Batch): readonly string[] => [
  ...requesters.slice(0, 1),
  owner,
];

const callsIn = (batch: Batch): readonly string[] =>
  isUnanswered(batch)
    ? (batch.facts.frontend?.calls ?? []).map(({ toolCallId }) => toolCallId)
    : callsWaiting(batch);

/** undefined: nothing waits for a run's messages. */
export const callsToAnswer = async (desk: Desk, threadId: string): Promise<CallsToAnswer | undefined> => {
  const held = await desk.store.heldBy(threadId);
  const batchId = held ?? (await newestOf(desk, threadId));
  const loaded = batchId === undefined ? undefined : await desk.store.load(batchId);
  if (!loaded) return undefined;
  const { batch, now } = loaded;
  const isOver = isUnanswered(batch);
  if (callsWaiting(batch).length === 0 && !isOver) return undefined;
  await desk.store.expectRecord(batch, now);
  const lapses = isOver || lapseCalls(batch, now) !== undefined;
  return {
    batchId: batch.facts.batchId,
    holds: held !== undefined,
    alone: isOver || isClientsAlone(batch),
    calls: callsIn(batch),
    answerers: answerersOf(batch),
    ...(lapses ? { lapsed: (call: string) => lapsedAnswer(batch, call) } : {}),
    answeredBy: (runId) => answered(desk, batch, { runId, at: now }),
  };
};

const answered = (
  { store }: Desk,
  batch: Batch,
  { runId, at }: { readonly runId: string; readonly at: number },
) => {
  const status = { state: 'done', at, runId } as const;
  const change = { tasks: [], status, news: [{ action: 'answered', by: HUB }] };
  const { guards, riders } = store.changeRiders(batch, change, HUB);
  return { guards, riders: [...riders, store.releasedRider(batch)] };
};
