/** Proves what a hub does while it serves: a new policy, tokens that end, who asks too often, long lists, leaving. */
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AMELIA, BEN, MO, Product, TOVE, until, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 90_000;
/** A burst of four. */
const RUNS_PER_MINUTE = '12';

const folder = mkdtempSync(join(tmpdir(), 'triptych-in-service-'));
const policyFile = join(folder, 'policy.yaml');

let product: Product;
beforeAll(async () => {
  copyFileSync('config/policy.yaml', policyFile);
  product = await Product.start({ POLICY_FILE: policyFile, RATE_RUNS: RUNS_PER_MINUTE });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}, JOURNEY_MS);

const customer = (sub: string, more: Partial<Person> = {}): Person => ({ sub, roles: ['customer'], ...more });

const runBody = (threadId: string, content: string, runId = `${threadId}-r`) => ({
  threadId,
  runId,
  messages: [{ id: `${runId}-m`, role: 'user', content }],
  tools: [],
  context: [],
});

interface Page {
  readonly items: readonly { readonly threadId: string; readonly updatedAt: number }[];
  readonly nextCursor?: string;
}

interface PolicyRead {
  readonly version: string;
  readonly refused?: { readonly problems: readonly { readonly line: number }[] };
}

const codeOf = async (response: Response): Promise<string> => {
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code ?? 'ok';
};

/** All pages, one after the other. */
const pagesOf = async (person: Person, limit: number): Promise<readonly Page[]> => {
  const token = await product.token(person);
  const pages: Page[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    pages.push(await product.json<Page>(`/v1/threads?limit=${limit}${from}`, { token }));
  }
  return pages;
};

const timesSaid = (event: string): number => product.said().split(`"event":"${event}"`).length - 1;

describe('a hub in service', () => {
  verifies(
    'HUB-19',
    'shows by a new policy as soon as the file is there, and keeps it when the next is bad',
    async () => {
      const threadId = 'policy-reload';
      const screen = await product.screen('customer', customer('paula'));
      const { messages } = runBody(threadId, 'open an account with 400,000');
      await screen.ask('run', { agentId: 'onboarding', threadId, runId: `${threadId}-r`, messages });
      await screen.subscribe(threadId);
      const desk = await product.screen('reviewer', TOVE);
      await desk.ask('inbox.subscribe', {});
      const before = await screen.until(threadId, ({ run }) => run?.finished !== undefined);
      expect(before.state).toMatchObject({ application: { amount: 400_000 } });

      const text = readFileSync(policyFile, 'utf8');
      const narrower = text.replace('      - /application/amount\n', '');
      writeFileSync(`${policyFile}.next`, narrower);
      renameSync(`${policyFile}.next`, policyFile);
      const { data } = await screen.next('snapshot', ({ reason }) => reason === 'policy');
      const { application } = screen.model(threadId).state as { application: object };
      expect(Object.keys(application).toSorted()).toEqual(['accountId', 'mandate', 'progress', 'status']);
      // Tasks are shown by it too: whoever reads them must ask again.
      await desk.next('inbox.reset');
      await desk.close();
      // The hub shows by it, the worker rules by it.
      await until(() => timesSaid('policy.changed') === 2);

      writeFileSync(policyFile, `${narrower}\nsurfaced: {}\n`);
      await until(() => timesSaid('policy.refused') === 2);
      expect(product.said()).toContain(`${policyFile}:${narrower.split('\n').length + 1}:1 surfaced`);
      const { pos } = data as { pos: string };
      expect(await screen.ask('subscribe', { threadId, from: pos })).toEqual({ pos });
      expect(timesSaid('policy.changed')).toBe(2);

      // Whoever starts now would not start: mended before anyone has to.
      copyFileSync('config/policy.yaml', policyFile);
      await until(() => timesSaid('policy.changed') === 4);
      await screen.until(threadId, ({ state }) => JSON.stringify(state).includes('"amount":400000'));
      await screen.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-109',
    'tells operators and admins its policy, and where a file that it does not take is wrong',
    async () => {
      const read = async (person: Person) =>
        product.json<PolicyRead>('/v1/policy', { token: await product.token(person) });
      const { version, ...rest } = await read(MO);
      expect([version.length > 0, rest]).toEqual([true, {}]);
      writeFileSync(policyFile, `${readFileSync(policyFile, 'utf8')}\nsurfaced: {}\n`);
      await until(async () => (await read(MO)).refused !== undefined);
      const told = await read({ sub: 'adam', roles: ['admin'] });
      expect(told).toMatchObject({ version, refused: { problems: [{ path: 'surfaced', column: 1 }] } });
      expect(JSON.stringify(told)).not.toContain(folder);
      copyFileSync('config/policy.yaml', policyFile);
      await until(async () => (await read(MO)).refused === undefined);
      const other = await product.fetch('/v1/policy', { token: await product.token(TOVE) });
      const { error } = (await other.json()) as { error: { code: string; message: string } };
      expect(error).toMatchObject({
        code: 'FORBIDDEN',
        message: 'You may not do this: none of your roles allows it.',
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-20',
    'begins no more runs than a subject may ask for, through either door',
    async () => {
      const hasty = customer('hasty');
      const token = await product.token(hasty);
      const screen = await product.screen('customer', hasty);
      const post = (nth: number) =>
        product.fetch('/v1/agents/fails/run', { token, body: runBody(`hasty-${nth}`, 'hello') });
      const ask = (nth: number) => {
        const { messages } = runBody(`hasty-${nth}`, 'hello');
        return screen.ask('run', { agentId: 'fails', threadId: `hasty-${nth}`, runId: 'r', messages });
      };
      for (const nth of [1, 2]) expect((await post(nth)).status).toBe(200);
      for (const nth of [3, 4]) await ask(nth);
      const refused = await post(5);
      const { error } = (await refused.json()) as { error: { retryAfterMs: number } };
      expect([refused.status, error]).toEqual([
        429,
        expect.objectContaining({ code: 'RATE_LIMITED', details: { limit: 'RATE_RUNS' } }),
      ]);
      expect(error.retryAfterMs).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect(ask(6)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      expect(await product.fetch('/v1/threads/hasty-5', { token }).then(codeOf)).toBe('NOT_FOUND');
      const other = await product.token(BEN);
      const begun = await product.fetch('/v1/agents/fails/run', {
        token: other,
        body: runBody('not-hasty', 'hello'),
      });
      expect(begun.status).toBe(200);
      await screen.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-22',
    'ends every stream with its token, and no run',
    async () => {
      const token = await product.token(customer('brief', { ttlSeconds: 12 }));
      const threadId = 'ends-with-token';
      const body = runBody(threadId, 'open an account with 2 million');
      const run = await product.fetch('/v1/agents/onboarding/run?hold=600', { token, body });
      const connect = await product.fetch('/v1/agents/onboarding/connect', { token, body });
      const attach = await product.fetch(`/v1/threads/${threadId}/events`, { token });
      const streams = [run, connect, attach];
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
      const texts = await Promise.all(streams.map((stream) => stream.text()));
      for (const text of texts) expect(text).toContain('RUN_FINISHED');
      expect((await product.fetch('/v1/threads', { token })).status).toBe(401);
      const operator = await product.token(MO);
      expect(await product.json(`/v1/threads/${threadId}`, { token: operator })).toMatchObject({
        status: 'waiting',
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-21',
    'lists threads page by page to the end, for each kind of reader',
    async () => {
      const names = ['list-1', 'list-2', 'list-3'];
      for (const [nth, sub] of names.entries()) {
        const token = await product.token(customer(sub));
        const body = runBody(sub, 'open an account with 2 million');
        await (await product.fetch('/v1/agents/onboarding/run', { token, body })).text();
        const mine = await product.token(AMELIA);
        const created = { threadId: `shelf-${nth}`, agentId: 'onboarding' };
        expect((await product.fetch('/v1/threads', { token: mine, body: created })).status).toBe(201);
      }
      for (const [person, some] of [
        [AMELIA, ['shelf-0', 'shelf-1', 'shelf-2']],
        [TOVE, names],
        [MO, [...names, 'shelf-0']],
      ] as const) {
        const pages = await pagesOf(person, 2);
        const items = pages.flatMap((page) => page.items);
        const ids = items.map(({ threadId }) => threadId);
        expect(ids).toEqual(expect.arrayContaining([...some]));
        expect(new Set(ids).size).toBe(ids.length);
        const times = items.map(({ updatedAt }) => updatedAt);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(pages.length).toBeGreaterThan(1);
      }
      const auditor = await product.token({ sub: 'ada', roles: ['auditor'] });
      expect(await product.fetch('/v1/threads', { token: auditor }).then(codeOf)).toBe('FORBIDDEN');
      const reviewer = await product.token(TOVE);
      const odd = await product.fetch('/v1/threads?cursor=%7Bodd%7D', { token: reviewer });
      expect([odd.status, await codeOf(odd)]).toEqual([400, 'INVALID_INPUT']);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-26',
    'judges a resume of which nothing is left as the run it then is',
    async () => {
      const token = await product.token(TOVE);
      const { items } = await product.json<{ items: TaskView[] }>('/v1/approvals?threadId=list-1', { token });
      const { taskId, rev, proposalHash, interruptId } = items[0]!;
      const path = `/v1/approvals/${encodeURIComponent(taskId)}`;
      const decision = { rev, proposalHash, verb: 'approve' };
      expect(await product.fetch(`${path}/decide`, { token, body: decision }).then(codeOf)).toBe('ok');
      await until(async () => (await product.json<TaskView>(path, { token })).state === 'closed');
      const resume = [{ interruptId, status: 'cancelled' }];
      const again = { ...runBody('list-1', 'and now?', 'list-1-again'), resume };
      const ask = (as: string) => product.fetch('/v1/agents/onboarding/run', { token: as, body: again });
      expect(await ask(token).then(codeOf)).toBe('FORBIDDEN');
      const owner = await ask(await product.token(customer('list-1')));
      expect(await owner.text()).toContain('list-1-again');
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-10',
    'answers ids that cannot be and bodies that are no objects with their code',
    async () => {
      const token = await product.token(AMELIA);
      const created = { threadId: 'odd-ids', agentId: 'onboarding' };
      await product.fetch('/v1/threads', { token, body: created });
      for (const run of ['never-was', '%00', 'a%0Ab', 'x'.repeat(257), '__proto__'])
        expect(await product.fetch(`/v1/threads/odd-ids/runs/${run}`, { token }).then(codeOf)).toBe(
          'NOT_FOUND',
        );
      for (const thread of ['%00', 'x'.repeat(257)])
        expect(await product.fetch(`/v1/threads/${thread}`, { token }).then(codeOf)).toBe('INVALID_INPUT');
      const reviewer = await product.token(TOVE);
      for (const body of [[], [1], 'text', 7, true, null])
        expect(await product.fetch('/v1/approvals/a.b.c/claim', { token: reviewer, body }).then(codeOf)).toBe(
          'INVALID_INPUT',
        );
      expect(
        await product.fetch('/v1/approvals/a.b.c/claim', { token: reviewer, body: {} }).then(codeOf),
      ).toBe('NOT_FOUND');
    },
  );

  verifies(
    'HUB-23',
    'sends its sockets elsewhere before it leaves, and leaves by itself',
    async () => {
      const screen = await product.screen('customer', AMELIA);
      await screen.subscribe('shelf-0');
      const old = product.pidOf('hub');
      const closed = once(screen.socket, 'close') as Promise<[number]>;
      process.kill(old, 'SIGTERM');
      const { data } = await screen.next('closing');
      expect(data).toMatchObject({ code: 1012, next: 'retry' });
      expect((await closed)[0]).toBe(1012);
      await product.returned('hub', old);
      for (const event of ['shutdown.step-failed', 'shutdown.step-abandoned', 'background.failed'])
        expect(product.said()).not.toContain(event);
      const again = await product.screen('customer', AMELIA);
      await again.subscribe('shelf-0');
      await again.close();
    },
    JOURNEY_MS,
  );
});
