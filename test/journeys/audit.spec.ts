/** Proves what auditors are shown of the sealed trail, and that they need not believe it: they can verify it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTrail } from '@triptych/platform';
import type { TaskView, TrailNote } from '@triptych/protocol';
import { AMELIA, MO, Product, TOVE, until, type Person } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 180_000;
const THREAD = 'audited';
const AUDA: Person = { sub: 'auda', roles: ['auditor'] };
const ELSEWHERE: Person = { ...AUDA, tenant: 'globex' };

interface Item {
  readonly seq: number;
  readonly at: number;
  readonly action: string;
  readonly actor: { readonly id: string };
  readonly subject: { readonly thread?: string; readonly task?: string };
  readonly hash: string;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly erased?: true;
}
interface Page {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

let product: Product;
let folder: string;
let redis: Redis;
let taskId: string;

const ask = async (path: string, person = AUDA): Promise<Response> =>
  product.fetch(`/v1/audit${path}`, { token: await product.token(person) });
const read = async <T>(path: string, person = AUDA): Promise<T> =>
  (await ask(path, person)).json() as Promise<T>;
const text = async (path: string): Promise<string> => (await ask(path)).text();
const pageOf = (query: string, person = AUDA): Promise<Page> => read<Page>(`?${query}`, person);
const sealedCount = async (): Promise<number> => (await pageOf('limit=1')).items[0]?.seq ?? 0;

/** Of what no thread is about; awaited until it is sealed. */
const noted = async (action: string, after: object): Promise<void> => {
  const note: TrailNote = {
    tenant: 'default',
    actor: { id: 'mo', via: 'api' },
    action,
    subject: {},
    after: { ...after },
  };
  await writeTrail(redis, note);
  await until(async () => (await pageOf(`action=${action}`)).items.length > 0);
};

/** Beside the test, not in its way: what it has open must not seem to have fallen asleep. */
const hubctl = (...args: string[]): Promise<{ status: number; said: string }> => {
  const env = { ...process.env, REDIS_URL: '', DATA_DIR: product.dataDir };
  return new Promise((resolve) => {
    const all = ['scripts/hubctl.mjs', ...args];
    execFile(process.execPath, all, { env }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, said: `${stdout}${stderr}` }),
    );
  });
};

beforeAll(async () => {
  product = await Product.start();
  folder = mkdtempSync(join(tmpdir(), 'triptych-audit-'));
  redis = new Redis(product.redisUrl());
  const screen = await product.screen('customer', AMELIA);
  const messages = [{ id: 'm', role: 'user', content: 'open an account with 2 million' }];
  await screen.ask('run', { agentId: 'onboarding', threadId: THREAD, runId: 'r', messages });
  await screen.close();
  const token = await product.token(TOVE);
  const tasks = async () =>
    (await product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${THREAD}`, { token })).items;
  await until(async () => (await tasks()).length > 0);
  const [task] = await tasks();
  taskId = task?.taskId ?? '';
  const decided = await product.fetch(`/v1/approvals/${taskId}/decide`, {
    token,
    headers: { 'if-match': `"${task?.rev}"` },
    body: { verb: 'approve', proposalHash: task?.proposalHash },
  });
  expect(decided.status).toBe(200);
  await until(async () => (await pageOf('actor=tove')).items.some(({ subject }) => subject.task === taskId));
}, JOURNEY_MS);
afterAll(async () => {
  redis.disconnect();
  await product.stop();
  rmSync(folder, { recursive: true });
}, JOURNEY_MS);

const inFile = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** What an auditor takes home. */
const takenHome = async () => ({
  export: inFile('export.jsonl', await text('/export')),
  checkpoints: inFile('checkpoints.jsonl', await text('/checkpoints?format=jsonl')),
  jwks: inFile('jwks.json', await (await product.fetch('/.well-known/jwks.json')).text()),
});
const verifyHome = (files: Awaited<ReturnType<typeof takenHome>>) =>
  hubctl('audit', 'verify', ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]));

describe('an auditor', () => {
  verifies(
    'AUD-22',
    'is shown who did what, newest first, by what they ask for',
    async () => {
      const { items } = await pageOf('');
      expect(items.map(({ seq }) => seq)).toEqual(items.map((_, nth) => items[0]!.seq - nth));
      const [mine] = (await pageOf(`task=${taskId}&actor=tove`)).items;
      expect(mine).toMatchObject({
        actor: { id: 'tove', role: 'reviewer' },
        subject: { thread: THREAD, task: taskId },
      });
      expect(mine?.hash).toMatch(/^[\da-f]{64}$/u);
      const { at, action } = mine!;
      for (const query of [`action=${action}`, `thread=${THREAD}`, `from=${at}&to=${at}`])
        expect((await pageOf(query)).items).toContainEqual(mine);
      for (const query of ['actor=nobody', 'thread=none', `from=${Date.now() + 3_600_000}`, 'to=1'])
        expect((await pageOf(query)).items).toEqual([]);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-22',
    'goes on where a page ended, to the first record',
    async () => {
      const whole = (await pageOf('limit=200')).items;
      const found: Item[] = [];
      let cursor: string | undefined;
      do {
        const page = await pageOf(`limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
        found.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found.at(-1)?.seq).toBe(1);
      expect(found.slice(-whole.length)).toEqual(whole);
      for (const query of ['cursor=12', 'limit=0', 'limit=201', 'from=x', 'nothing=1'])
        expect((await ask(`?${query}`)).status).toBe(400);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-22',
    'of another tenant is shown nothing of this one, and nobody else anything',
    async () => {
      expect(await pageOf('', ELSEWHERE)).toEqual({ items: [] });
      expect(await (await ask('/export', ELSEWHERE)).text()).toBe('');
      expect(await read('/checkpoints', ELSEWHERE)).toEqual({ items: [] });
      for (const person of [AMELIA, TOVE, MO, { sub: 'adam', roles: ['admin'] }])
        for (const path of ['', '/export', '/checkpoints'])
          expect((await ask(path, person)).status).toBe(403);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-23',
    'takes an export that is the same each time, also as a table without formulas',
    async () => {
      await noted('note.hostile', { name: '=cmd|calc', nested: { text: 'a,"b"\r\nc' } });
      const count = await sealedCount();
      const [one, two] = [await text(`/export?to=${Date.now()}`), await text(`/export?to=${Date.now()}`)];
      expect(two.startsWith(one)).toBe(true);
      const lines = one
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { record: Item; opened: object });
      expect(lines.slice(0, count).map(({ record }) => record.seq)).toEqual(
        Array.from({ length: count }, (_, n) => n + 1),
      );
      const response = await ask('/export?format=csv&action=note.hostile');
      expect(response.headers.get('content-type')).toContain('text/csv');
      const [head, row] = (await response.text()).split('\r\n');
      expect(head).toContain('seq,at,tenant,actor');
      expect(row).toContain('"{""name"":""=cmd|calc"",""nested"":{""text"":""a,\\""b\\""\\r\\nc""}}"');
      expect((await ask('/export?format=xml')).status).toBe(400);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-49',
    'takes as much of it as they need, by the numbers of the records',
    async () => {
      const lines = (await text('/export')).trimEnd().split('\n');
      expect(await text('/export?after=1&upTo=3')).toBe(`${lines.slice(1, 3).join('\n')}\n`);
      expect(await text('/export?after=3&upTo=3')).toBe('');
      expect((await text('/export?after=2')).startsWith(`${lines[2]}\n`)).toBe(true);
      for (const query of ['after=-1', 'upTo=x']) expect((await ask(`/export?${query}`)).status).toBe(400);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-24',
    'is told the checkpoints, newest first, and as the lines they are verified with',
    async () => {
      const { items } = await read<{ items: { n: number; seq: number; jws: string }[] }>('/checkpoints');
      expect(items.at(-1)).toMatchObject({ n: 1, tenant: 'default' });
      const lines = (await text('/checkpoints?format=jsonl')).trimEnd().split('\n');
      expect(lines.toReversed().map((line) => JSON.parse(line) as object)).toEqual(items);
      const kept = join(product.dataDir, 'audit', 'default.checkpoints.jsonl');
      expect(readFileSync(kept, 'utf8').trimEnd().split('\n')).toEqual(lines);
      const first = await read<{ items: object[]; nextCursor?: string }>('/checkpoints?limit=1');
      expect([first.items, first.nextCursor === undefined]).toEqual([items.slice(0, 1), items.length === 1]);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-25',
    'verifies at home what they took, without a hub; an edited line is named',
    async () => {
      const home = await takenHome();
      const good = await verifyHome(home);
      expect(good.said).toContain('good: records 1 to');
      expect(good.status).toBe(0);
      const lines = readFileSync(home.export, 'utf8').split('\n');
      const tampered = (name: string, some: readonly string[]) =>
        verifyHome({ ...home, export: inFile(name, some.join('\n')) });
      expect(await tampered('edited', lines.with(1, lines[1]!.replace('"via":"', '"via":"x')))).toMatchObject(
        {
          status: 1,
          said: expect.stringContaining('NOT GOOD: record 2'),
        },
      );
      expect((await tampered('deleted', lines.toSpliced(1, 1))).said).toContain('record 2 is missing');
      expect((await tampered('moved', lines.toSpliced(0, 2, lines[1]!, lines[0]!))).said).toContain(
        'record 1 is not where',
      );
      expect((await tampered('cut', lines.slice(0, 0))).said).toContain('record 1 was sealed and is gone');
      const other = inFile('other.json', JSON.stringify({ keys: [] }));
      expect(await verifyHome({ ...home, jwks: other })).toMatchObject({
        status: 1,
        said: expect.stringContaining('signature'),
      });
      for (const args of [
        [],
        ['audit'],
        ['audit', 'verify', '--export', home.export],
        ['audit', 'verify', '--nonsense'],
      ])
        expect((await hubctl(...args)).status).toBe(2);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-27',
    'reads of a person who was erased what happened and no more; the trail stays good',
    async () => {
      const before = (await pageOf(`task=${taskId}`)).items;
      expect(JSON.stringify(before)).toContain('"after"');
      const erased = await hubctl('audit', 'erase', 'default', AMELIA.sub, '--by', 'olga');
      expect(erased).toMatchObject({ status: 0, said: expect.stringContaining('Erased') });
      const after = (await pageOf(`task=${taskId}`)).items;
      expect(after.map(({ seq, hash }) => [seq, hash])).toEqual(before.map(({ seq, hash }) => [seq, hash]));
      for (const item of after) {
        expect(item.erased).toBe(true);
        expect(item).not.toHaveProperty('after');
      }
      await until(async () => (await pageOf('action=trail.erase')).items.length === 1);
      expect((await pageOf('action=trail.erase')).items[0]).toMatchObject({ actor: { id: 'olga' } });
      expect((await hubctl('audit', 'erase', 'default', AMELIA.sub)).said).toContain('Nothing is sealed');
      const line = (await text(`/export?task=${taskId}`)).split('\n')[0]!;
      expect((JSON.parse(line) as { opened: object }).opened).toMatchObject({ erased: true });
      expect((await hubctl('audit', 'verify')).status).toBe(0);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-25',
    'has the store itself verified, where a record that is gone is named',
    async () => {
      expect(await hubctl('audit', 'verify', '--tenant', 'default')).toMatchObject({
        status: 0,
        said: expect.stringContaining('default: good'),
      });
      await redis.xdel('tt:trail:{default}:chain', '3-0');
      const all = await hubctl('audit', 'verify');
      expect(all).toMatchObject({
        status: 1,
        said: expect.stringContaining('default: NOT GOOD: record 3 is missing'),
      });
    },
    JOURNEY_MS,
  );
});
