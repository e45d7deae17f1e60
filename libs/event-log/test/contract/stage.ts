/** Where a store of the log is tried: two processes' logs on it, and a thread of its own for each test. */
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { newThread, textEvent } from '../../../../test/redis/log-reader.js';
import type { AppendOutcome, EventLog } from '../../src/core/event-log.js';

export interface LogStore {
  /** A log with connections of its own, as another process would have; it keeps so many events behind a snapshot. */
  open(logKeep?: number): Promise<EventLog>;
  /** To look at what the store holds. */
  readonly redis: Redis;
  close(): Promise<void>;
}

/** Readable from the first test on. */
export interface Stage {
  readonly store: LogStore;
  readonly one: EventLog;
  readonly two: EventLog;
  readonly thread: ThreadId;
  readonly append: (log: EventLog, ...deltas: string[]) => Promise<AppendOutcome>;
}

export const stored = (outcome: AppendOutcome): Extract<AppendOutcome, { status: 'stored' }> => {
  if (outcome.status !== 'stored') throw new Error(`expected stored, got ${JSON.stringify(outcome)}`);
  return outcome;
};

const append = (thread: ThreadId, log: EventLog, deltas: readonly string[]): Promise<AppendOutcome> =>
  log.append({ thread, events: deltas.map(textEvent) });

export const onStage = (start: () => Promise<LogStore>): Stage => {
  const stage = {} as { -readonly [K in keyof Stage]: Stage[K] };
  beforeAll(async () => {
    stage.store = await start();
    [stage.one, stage.two] = [await stage.store.open(), await stage.store.open()];
  });
  beforeEach(() => {
    const thread = newThread();
    stage.thread = thread;
    stage.append = (log, ...deltas) => append(thread, log, deltas);
  });
  afterAll(() => stage.store.close());
  return stage;
};
