/** Every stream of the conformance corpus, three ways through the hub: live, attached afterwards, joined at every cut. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HttpAgent, type Message } from '@ag-ui/client';
import type { AguiEvent } from '@triptych/protocol';
import * as agui59 from 'agui59';
import { expectAlike, playJoined, type JoinedStory } from './joining.js';
import type { Stock } from './reading.js';
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

/** A published client, and what the attach stream must be asked for its sake. */
interface Client {
  readonly stock: Stock;
  readonly query: string;
}
const CLIENTS: ReadonlyMap<string, Client> = new Map([
  ['1.0.0', { stock: HttpAgent, query: '' }],
  ['0.0.59', { stock: agui59.HttpAgent as unknown as Stock, query: '?profile=0.0.59' }],
]);

const play = async (file: string, client: Client): Promise<Played> => {
  const threadId = `corpus-${randomUUID()}`;
  const { fixture, runId } = played(file, threadId);
  const token = await stand.token(stand.someone('operator'));
  const messages = fixture.input?.messages ?? [];
  return {
    fixture,
    ...(await playJoined(stand, { threadId, runId, events: fixture.stream, token, messages, ...client })),
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

const KEEPS_STATE =
  'takes no null or zero for a state: who was there keeps the one before, who joins has none';
const TEXT_ALONE = 'knows no parts in a result: told their text';

/** What a fixture expects and this hub, or that client, does otherwise. */
const OTHERWISE: Readonly<{ [fixture: string]: { readonly client?: string; readonly why: string } }> = {
  'truncated-run-reported-as-completed': {
    why: 'a stream without an end is no success here: RUN_ERROR hub/upstream-truncated',
  },
  'truncated-stream-fails-the-run': { why: 'as one that was cut: RUN_ERROR hub/upstream-truncated' },
  'event-after-run-finished-fatal': {
    why: 'what comes after the end is refused and reaches nobody, and the run stays as it ended',
  },
  'run-finished-cancelled-outcome-accepted': {
    client: '0.0.59',
    why: 'knows no cancelled run: told RUN_ERROR hub/cancelled',
  },
  'state-null-snapshot-applies': { client: '0.0.59', why: KEEPS_STATE },
  'state-falsy-snapshot-applies': { client: '0.0.59', why: KEEPS_STATE },
  'tool-result-file-source-passes-through': { client: '0.0.59', why: TEXT_ALONE },
  'tool-result-parts-mint-tool-message': { client: '0.0.59', why: TEXT_ALONE },
  'unknown-property-stripped': { client: '0.0.59', why: 'hands unknown members on instead of dropping them' },
};
const isOtherwise = ({ name }: Fixture, version: string): boolean => {
  const known = OTHERWISE[name];
  return known !== undefined && (known.client ?? version) === version;
};

const checkFailed = ({ live }: Played): void => {
  expect(live.taken.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/protocol-violation' });
};

/** What came of it instead. */
const INSTEAD: Readonly<{ [fixture: string]: object }> = {
  'truncated-run-reported-as-completed': { type: 'RUN_ERROR', code: 'hub/upstream-truncated' },
  'truncated-stream-fails-the-run': { type: 'RUN_ERROR', code: 'hub/upstream-truncated' },
  'run-finished-cancelled-outcome-accepted': { type: 'RUN_ERROR', code: 'hub/cancelled' },
};
const checkOtherwise = ({ fixture, live }: Played): void => {
  expect(live.taken.at(-1)).toMatchObject(INSTEAD[fixture.name] ?? { type: 'RUN_FINISHED' });
};

/** A reader of 0.0.59 who joins has no state where one who was there kept what nothing replaced. */
const keepsState = ({ fixture }: Played, version: string): boolean =>
  !(version === '0.0.59' && OTHERWISE[fixture.name]?.why === KEEPS_STATE);

if (files.length === 0) {
  console.log(`No conformance streams in ${streams} (set TRIPTYCH_SHARED): they are skipped.`);
  it.skip('plays the conformance streams', () => undefined);
} else {
  const differing = Object.entries(OTHERWISE).filter(([name]) => files.includes(`${name}.json`));
  console.log(
    differing
      .map(([name, { client = 'both clients', why }]) => `Otherwise, ${name} (${client}): ${why}.`)
      .join('\n'),
  );
  beforeAll(async () => {
    stand = await Stand.start();
  }, SUITE_MS);
  afterAll(async () => {
    await stand.stop();
  }, SUITE_MS);
  describe.each([...CLIENTS])('the client of %s', (version, client) => {
    it.each(files)('takes %s live, joined and attached', async (file) => {
      const seen = await play(file, client);
      expect(await seen.live.ended).toBeUndefined();
      const { fixture } = seen;
      if (isOtherwise(fixture, version)) checkOtherwise(seen);
      else if (fixture.expect.outcome === 'failed') checkFailed(seen);
      else checkCompleted(seen);
      if (keepsState(seen, version)) await expectAlike(seen.live, whole(seen));
    });
  });
}
