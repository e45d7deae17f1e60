/** Proves the order of positions in real processes: several sources, two hubs, one of them killed. */
import { setTimeout as pause } from 'node:timers/promises';
import { MO, until, type Product } from '@triptych/testkit';
import { story } from '../../libs/runs/test/push-story.js';
import { verifies } from '../spec/verifies.js';
import { ENGINE, pusherFor, pushStage } from './push-agent.js';
import { PushWorker } from './push-worker.js';

const STORY_MS = 180_000;
const WINDOW_MS = 8_000;

let stage: Awaited<ReturnType<typeof pushStage>>;
let product: Product;
let agent: ReturnType<typeof pusherFor>;
beforeAll(async () => {
  stage = await pushStage({
    timeouts: 'connectMs: 3000, firstEventMs: 60000, idleMs: 60000',
    env: { REORDER_WINDOW_MS: String(WINDOW_MS) },
  });
  ({ product } = stage);
  agent = pusherFor(await product.token(ENGINE));
}, STORY_MS);
afterAll(async () => {
  await stage?.stop();
}, STORY_MS);

interface Placed {
  readonly position: number;
  readonly event: object;
}
interface Listed {
  readonly kind: string;
  readonly count?: number;
}

const placedIn = (threadId: string, pieces: number): Placed[] =>
  story(threadId, 'r1', pieces).map((event, nth) => ({ position: nth + 1, event }));

const items = async <T>(path: string): Promise<readonly T[]> =>
  (await product.json<{ items: T[] }>(`/v1/threads/${path}`, { token: await product.token(MO) })).items;
const deltasIn = async (threadId: string): Promise<string[]> =>
  (await items<{ event: { delta?: string } }>(`${threadId}/log?limit=1000`)).flatMap(
    ({ event }) => event.delta ?? [],
  );

/** The same mixture every time. */
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item, nth) => ({ item, by: (nth * 7_919 + 13) % 211 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ item }) => item);

describe('several sources of one thread', () => {
  verifies(
    'ING-16',
    'are brought in order through two hubs, shuffled, doubled, with losses, while one hub is killed',
    async () => {
      const threadId = 'positions-two-hubs';
      const other = await product.anotherHub();
      const all = placedIn(threadId, 200);
      const lost = [40, 41, 97];
      const first = all.filter(({ position }) => position <= 150 && !lost.includes(position));
      const send = async (sent: readonly Placed[], hub: string): Promise<void> => {
        for (let at = hub; ; at = other.url, await pause(50)) {
          const answer = await agent.place(at, threadId, sent).catch(() => undefined);
          if (answer?.status === 200) return;
        }
      };
      // Each source has every third event and sends them mixed, five at a time, to one hub and then again to the other.
      const source = async (nth: number): Promise<void> => {
        const own = shuffled(first.filter(({ position }) => position % 3 === nth));
        for (let from = 0; from < own.length; from += 5) {
          const sent = own.slice(from, from + 5);
          await Promise.all([send(sent, product.url), send(sent.toReversed(), other.url)]);
          if (nth === 0 && from === 25) await product.kill('hub');
        }
      };
      await Promise.all([source(0), source(1), source(2)]);
      await product.ready();
      await until(async () => (await deltasIn(threadId)).length === first.length - 2);
      const late = all.filter(({ position }) => position === 40 || position === 97);
      await Promise.all([send(late, product.url), send(late, other.url)]);
      await send(all.slice(150), other.url);
      const deltas = all.flatMap(({ event, position }) =>
        'delta' in event ? [{ position, delta: String(event.delta) }] : [],
      );
      const inTime = deltas.filter(({ position }) => !lost.includes(position));
      const expected = [
        ...inTime.filter(({ position }) => position <= 150),
        ...deltas.filter(({ position }) => position === 40 || position === 97),
        ...inTime.filter(({ position }) => position > 150),
      ].map(({ delta }) => delta);
      expect(await deltasIn(threadId)).toEqual(expected);
      const findings = await items<Listed>(`${threadId}/findings`);
      const missing = findings.filter(({ kind }) => kind === 'missing-position');
      expect(missing.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(lost.length);
      expect(findings.filter(({ kind }) => kind === 'late-position')).toHaveLength(2);
      await other.stop();
    },
    STORY_MS,
  );

  verifies(
    'ING-19',
    'lose nothing that was taken when the only hub that knew of it is killed',
    async () => {
      const threadId = 'positions-alone';
      const all = placedIn(threadId, 3);
      expect(await agent.place(product.url, threadId, all.slice(0, 1))).toMatchObject({ accepted: 1 });
      const waits = await agent.place(product.url, threadId, all.slice(2));
      expect(waits).toMatchObject({ status: 200, accepted: 0, buffered: all.length - 2 });
      await product.kill('hub');
      await product.ready();
      const kinds = async () => (await items<Listed>(`${threadId}/findings`)).map(({ kind }) => kind);
      await until(async () => (await kinds()).includes('missing-position'));
    },
    STORY_MS,
  );

  verifies(
    'HUB-54',
    'come without a producer, by HTTP and by socket; what is mixed up is told where',
    async () => {
      const threadId = 'positions-door';
      const all = placedIn(threadId, 3);
      const raw = (body: unknown, headers: object = {}) =>
        agent.raw(product.url, threadId, {
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const producer = { 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': '0' };
      const wrong = [
        await raw(all, producer),
        await raw([all[0], all[1]?.event]),
        await raw([all[0], { ...all[1], position: 0 }]),
        await raw([{ ...all[0], position: 1.5 }]),
        await raw([{ ...all[0], position: '1' }]),
      ].map(({ status, error }) => [status, error?.code, error?.details?.pointer]);
      expect(wrong).toEqual(
        ['/producer-id', '/1', '/1/position', '/0/position', '/0/position'].map((pointer) => [
          ...[400, 'INVALID_INPUT', pointer],
        ]),
      );
      expect(
        (await product.fetch(`/v1/threads/${threadId}`, { token: await product.token(MO) })).status,
      ).toBe(404);
      const worker = await PushWorker.open(product.url, await product.token(ENGINE));
      const waits = await worker.ask('append', { threadId, events: all.slice(1).toReversed() });
      expect(waits.data).toMatchObject({ accepted: 0, buffered: all.length - 1 });
      const lines = await agent.raw(product.url, threadId, {
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(all[0]),
      });
      expect(lines).toMatchObject({ status: 200, accepted: 1, duplicates: 0, buffered: 0 });
      expect(await deltasIn(threadId)).toEqual(['0 ', '1 ', '2 ']);
      await worker.close();
    },
    STORY_MS,
  );
});
