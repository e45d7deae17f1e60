/** Every stream of the conformance corpus, three ways through the hub: live, attached afterwards, joined at every cut. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Message } from '@ag-ui/client';
import type { AguiEvent } from '@triptych/protocol';
import { expectAlike, playJoined, type JoinedStory } from './joining.js';
import { Stand } from './stand.js';

interface Fixture {
  readonly name: string;
  readonly stream: readonly AguiEvent[];
  readonly input?: { readonly messages?: readonly Message[] };
  readonly client?: { readonly maxProtocolVersion: string };
  readonly expect: {
    readonly outcome: 'completed' | 'failed';
    readonly runError?: string;
    readonly messages?: readonly unknown[];
    readonly messageCount?: number;
    readonly state?: unknown;
    readonly eventTypes?: readonly string[];
    readonly eventTypesAbsent?: readonly string[];
    readonly eventPaths?: Readonly<{ [path: string]: unknown }>;
    readonly eventAbsentPaths?: readonly string[];
  };
}

const SUITE_MS = 120_000;

const streams = join(resolve(process.env.TRIPTYCH_SHARED ?? '../shared'), 'conformance/streams');
const files = existsSync(streams) ? readdirSync(streams).filter((file) => file.endsWith('.json')) : [];

/** The thread's name in the fixture, which is another each time it is played. */
const threadOf = ({ stream }: Fixture): string | undefined =>
  stream.map(({ threadId }) => threadId).find((id) => typeof id === 'string') as string | undefined;

const played = (file: string, threadId: string): { fixture: Fixture; runId: string } => {
  const text = readFileSync(join(streams, file), 'utf8');
  const named = threadOf(JSON.parse(text) as Fixture);
  const fixture = JSON.parse(
    named === undefined ? text : text.replaceAll(JSON.stringify(named), JSON.stringify(threadId)),
  ) as Fixture;
  const first = fixture.stream.find(({ type }) => type === 'RUN_STARTED');
  return { fixture, runId: typeof first?.runId === 'string' ? first.runId : randomUUID() };
};

/** Objects on the named keys, lists element by element. */
const pattern = (wanted: unknown): unknown => {
  if (Array.isArray(wanted)) return wanted.map(pattern);
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  const entries = Object.entries(wanted).map(([key, value]) => [key, pattern(value)]);
  return expect.objectContaining(Object.fromEntries(entries) as { [key: string]: unknown });
};

const at = (events: readonly AguiEvent[], path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as { [key: string]: unknown } | undefined)?.[key], events);

let stand: Stand;

interface Played extends JoinedStory {
  readonly fixture: Fixture;
}

const play = async (file: string): Promise<Played> => {
  const threadId = `corpus-${randomUUID()}`;
  const { fixture, runId } = played(file, threadId);
  const token = await stand.token(stand.someone('operator'));
  const messages = fixture.input?.messages ?? [];
  return {
    fixture,
    ...(await playJoined(stand, { threadId, runId, events: fixture.stream, token, messages })),
  };
};

/** By its contract `connect` ends with the run it joined: what the same stream brings after that is not for it. */
const whole = ({ fixture, joined }: Played): Played['joined'] => {
  const runs = fixture.stream.filter(({ type }) => type === 'RUN_STARTED').length;
  return runs < 2 ? joined : joined.filter(({ name }) => !/^connect .* \d+$/u.test(name));
};

const checkModel = ({ fixture, live }: Played): void => {
  const { expect: wanted } = fixture;
  const { messages, state } = live.model;
  if (wanted.messages) expect(messages).toEqual(pattern(wanted.messages));
  if (wanted.messageCount !== undefined) expect(messages).toHaveLength(wanted.messageCount);
  if ('state' in wanted) expect(state).toEqual(pattern(wanted.state));
};

const checkEvents = ({ fixture, live }: Played): void => {
  const { eventTypes, eventTypesAbsent = [], eventPaths = {}, eventAbsentPaths = [] } = fixture.expect;
  if (eventTypes) expect(live.types).toEqual(eventTypes);
  for (const type of eventTypesAbsent) expect(live.types).not.toContain(type);
  for (const [path, value] of Object.entries(eventPaths))
    expect({ path, value: at(live.taken, path) }).toEqual({ path, value: pattern(value) });
  for (const path of eventAbsentPaths) expect(at(live.taken, path)).toBeUndefined();
};

const checkCompleted = (played: Played): void => {
  const { fixture, live } = played;
  const { runError } = fixture.expect;
  const errors = live.taken.filter(({ type }) => type === 'RUN_ERROR').map(({ message }) => message);
  expect(errors).toEqual(runError === undefined ? [] : [runError]);
  checkModel(played);
  // A fixture that pins an old peer lists what that peer is sent.
  if (!fixture.client) checkEvents(played);
};

/** A weakness of the reference client that the fixture pins: here a stream without an end is no success. */
const TRUNCATED: ReadonlySet<string> = new Set([
  'truncated-run-reported-as-completed',
  'truncated-stream-fails-the-run',
]);

const checkFailed = ({ fixture, live }: Played): void => {
  const code = TRUNCATED.has(fixture.name) ? 'hub/upstream-truncated' : 'hub/protocol-violation';
  expect(live.taken.at(-1)).toMatchObject({ type: 'RUN_ERROR', code });
};

if (files.length === 0) {
  console.log(`No conformance streams in ${streams} (set TRIPTYCH_SHARED): they are skipped.`);
  it.skip('plays the conformance streams', () => undefined);
} else {
  beforeAll(async () => {
    stand = await Stand.start();
  }, SUITE_MS);
  afterAll(async () => {
    await stand.stop();
  }, SUITE_MS);
  it.each(files)('plays %s live, joined and attached', async (file) => {
    const seen = await play(file);
    expect(await seen.live.ended).toBeUndefined();
    const { fixture } = seen;
    if (fixture.expect.outcome === 'failed' || TRUNCATED.has(fixture.name)) checkFailed(seen);
    else checkCompleted(seen);
    await expectAlike(seen.live, whole(seen));
  });
}
