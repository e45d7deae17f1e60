/** A run that stops between its events, while readers join: each must end with what one who was there has. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '@ag-ui/client';
import type { AguiEvent } from '@triptych/protocol';
import { frames, type Piece } from './loopback-agent.js';
import type { Reading, Stock } from './reading.js';
import type { Stand } from './stand.js';
import type { RunNames } from './words.js';

export interface JoinedRun extends RunNames {
  readonly events: readonly AguiEvent[];
  /** Who runs it, and who else joins. */
  readonly token: string;
  readonly others?: readonly string[];
  readonly messages?: readonly Message[];
  readonly stock?: Stock;
  /** Of the attach stream, for an older client. */
  readonly query?: string;
}

export interface Joiner {
  readonly name: string;
  readonly token: string;
  readonly reading: Reading;
}

export interface JoinedStory {
  readonly live: Reading;
  readonly joined: readonly Joiner[];
}

const LOOK_AGAIN_MS = 10;
/** An event may change nothing that is shown. */
const UNSEEN_AFTER_MS = 150;

export const within = async (ms: number, isSo: () => boolean): Promise<void> => {
  const deadline = Date.now() + ms;
  while (!isSo() && Date.now() < deadline) await pause(LOOK_AGAIN_MS);
};

/** The run live, and at every cut a reader who connects and one who attaches. */
export const playJoined = async (stand: Stand, run: JoinedRun): Promise<JoinedStory> => {
  const { threadId, runId, events, token, others = [], messages = [], stock, query = '' } = run;
  const client = stock ? { stock } : {};
  const joined: Joiner[] = [];
  const join = async (cut: string): Promise<void> => {
    const both = [token, ...others].flatMap((token, who) => [
      { name: `connect ${who} at ${cut}`, token, reading: stand.connect({ token, threadId, ...client }) },
      {
        name: `attach ${who} at ${cut}`,
        token,
        reading: stand.attach({ token, threadId, ...client }, query),
      },
    ]);
    joined.push(...both);
    await Promise.all(both.map(({ reading }) => reading.opened));
  };
  const body = events.flatMap((event, index): Piece[] => {
    let before = '';
    return [
      async () => {
        before = live.text;
        if (index > 0) await join(String(index));
      },
      ...frames([event]).body,
      () => within(UNSEEN_AFTER_MS, () => live.text !== before),
    ];
  });
  stand.agent.will(threadId, { body });
  const live = stand.run({ token, threadId, runId, messages, ...client });
  await live.ended;
  await join('the end');
  return { live, joined };
};

const ALIKE_WITHIN_MS = 10_000;

/** All these readers end with what this one has, and none of their clients refused anything. */
export const expectAlike = async (one: Reading, others: readonly Joiner[]): Promise<void> => {
  await within(ALIKE_WITHIN_MS, () =>
    others.every(({ reading }) => isDeepStrictEqual(reading.model, one.model)),
  );
  const models = others.map(({ name, reading }) => ({ name, ...reading.model }));
  const ends = await Promise.all(
    others.map(async ({ name, reading }) => ({ name, error: await reading.leave() })),
  );
  expect(models).toEqual(others.map(({ name }) => ({ name, ...one.model })));
  expect(ends).toEqual(others.map(({ name }) => ({ name, error: undefined })));
};
