/** The published AG-UI client as an oracle: does it take the stream, and what does it make of it? */
import {
  AbstractAgent,
  enforceEvents,
  transformChunks,
  verifyEvents,
  type BaseEvent,
  type Message,
} from '@ag-ui/client';
import { Observable, of } from 'rxjs';
import type { AguiEvent, Interrupt } from '../src/core/agui.js';
import { RUN, THREAD } from './events.js';

const copies = (events: readonly AguiEvent[]): BaseEvent[] =>
  JSON.parse(JSON.stringify(events)) as BaseEvent[];

const quietly = async <T>(
  body: () => Promise<T>,
): Promise<{ readonly value: T; readonly warnings: string[] }> => {
  const { warn, error } = console;
  const warnings: string[] = [];
  console.warn = (...said: unknown[]): void => void warnings.push(said.map(String).join(' '));
  console.error = (): void => undefined;
  try {
    return { value: await body(), warnings };
  } finally {
    Object.assign(console, { warn, error });
  }
};

/** The events after expansion and how many of the given ones were taken; `error` when the client refuses one. */
export interface Verified {
  readonly events: readonly AguiEvent[];
  readonly taken: number;
  readonly error?: string;
}

export const verifyWithReference = async (events: readonly AguiEvent[]): Promise<Verified> => {
  let taken = 0;
  const passed: AguiEvent[] = [];
  const source = new Observable<BaseEvent>((subscriber) => {
    for (const event of copies(events)) {
      subscriber.next(event);
      if (subscriber.closed) return;
      taken += 1;
    }
    subscriber.complete();
  });
  const { value: error } = await quietly(
    () =>
      new Promise<string | undefined>((settle) => {
        source.pipe(enforceEvents(), transformChunks(), verifyEvents()).subscribe({
          next: (event) => passed.push(event),
          error: (thrown: unknown) => settle(thrown instanceof Error ? thrown.message : String(thrown)),
          complete: () => settle(undefined),
        });
      }),
  );
  return { events: passed, taken, ...(error === undefined ? {} : { error }) };
};

class Replay extends AbstractAgent {
  constructor(private readonly replayed: readonly AguiEvent[]) {
    super({ threadId: THREAD });
  }
  override run(): Observable<BaseEvent> {
    return of(...copies(this.replayed));
  }
}

/** What the client says of a stream that it refuses, with all that it does for agents of earlier versions. */
export const refusedByReference = async (events: readonly AguiEvent[]): Promise<string | undefined> => {
  const agent = new Replay(events);
  const { value } = await quietly(() =>
    agent.runAgent({ runId: RUN }).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    ),
  );
  return value;
};

export interface Applied {
  readonly messages: readonly Message[];
  readonly state: unknown;
  readonly pending: readonly Interrupt[];
  readonly warnings: readonly string[];
}

export const applyWithReference = async (events: readonly AguiEvent[]): Promise<Applied> => {
  const agent = new Replay(events);
  const { warnings } = await quietly(() => agent.runAgent({ runId: RUN }));
  return {
    messages: agent.messages,
    state: agent.state as unknown,
    pending: agent.pendingInterrupts,
    warnings,
  };
};
