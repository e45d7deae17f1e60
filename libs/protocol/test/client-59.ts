/** The published AG-UI client of 0.0.59: does it take a stream, and what does it make of it? */
import { AbstractAgent, EventSchemas, transformChunks, verifyEvents, type BaseEvent } from 'agui59';
import { concatMap, from, lastValueFrom, map, Observable, of, throwError, toArray } from 'rxjs';
import type { AguiEvent } from '../src/core/agui.js';
import { RUN, THREAD } from './events.js';

/** As its HTTP transport does: every event is parsed whole, unknown types are refused. */
const parsed = (event: AguiEvent): Observable<BaseEvent> => {
  const read = EventSchemas.safeParse(JSON.parse(JSON.stringify(event)));
  return read.success ? of(read.data as BaseEvent) : throwError(() => new Error(read.error.message));
};

const received = (events: readonly AguiEvent[]): Observable<BaseEvent> =>
  from(events).pipe(concatMap(parsed));

/** Why it refuses the stream; undefined when it takes it. */
export const refusedBy59 = (events: readonly AguiEvent[]): Promise<string | undefined> =>
  lastValueFrom(
    received(events).pipe(
      transformChunks(),
      verifyEvents(),
      toArray(),
      map(() => undefined),
    ),
  ).catch((thrown: unknown) => String(thrown));

class Replay extends AbstractAgent {
  constructor(private readonly replayed: readonly AguiEvent[]) {
    super({ threadId: THREAD });
  }
  override run(): Observable<BaseEvent> {
    return received(this.replayed);
  }
}

export interface Applied59 {
  readonly messages: readonly unknown[];
  readonly state: unknown;
  readonly pending: readonly unknown[];
}

export const applyWith59 = async (events: readonly AguiEvent[]): Promise<Applied59> => {
  const agent = new Replay(events);
  // A patch that does not apply is told on the console.
  const { warn } = console;
  console.warn = (): void => undefined;
  try {
    await agent.runAgent({ runId: RUN });
  } finally {
    console.warn = warn;
  }
  return { messages: agent.messages, state: agent.state as unknown, pending: agent.pendingInterrupts };
};
