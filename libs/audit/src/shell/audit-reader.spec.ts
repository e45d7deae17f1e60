/** Proves that whatever is found in the place of a record ends no reading of the others, and is told by whoever verifies. */
import { verifies } from '../../../../test/spec/verifies.js';
import { chainOf, each, noteOf } from '../../test/notary.js';
import { SealingStage, TENANT } from '../../test/sealing-stage.js';
import { RedisSealedTrail } from '../adapters/redis-sealed-trail.js';
import { exportedIn } from '../core/export-line.js';
import { AuditReader } from './audit-reader.js';
import { verifyTrail } from './verify-trail.js';

/** What somebody may leave in the place of a record, and what verifying says of it. */
const GARBLED: Readonly<Record<string, (text: string, hash: string) => readonly string[]>> = {
  'no JSON': (_text, hash) => ['r', '{"seq":2,"actor":', 'h', hash, 't', '5'],
  'no record': (_text, hash) => ['r', '{"seq":2,"at":1,"action":7}', 'h', hash, 't', '5'],
  nothing: () => ['x', 'y'],
  'no hash': (text) => ['r', text, 'h', '"}', 't', '5'],
  'two lines': (text, hash) => ['r', text.replace(',', ',\n'), 'h', hash, 't', '5'],
  'no box': (text, hash) => ['r', text.replace('"key":', '"k":'), 'h', hash, 't', 'soon'],
};

const stage = new SealingStage();
beforeAll(() => stage.begin());
beforeEach(() => stage.empty());
afterEach(() => stage.clear());
afterAll(() => stage.end());

const reader = (): AuditReader => new AuditReader(new RedisSealedTrail(stage.redis));
const exported = async (format: 'jsonl' | 'csv'): Promise<readonly string[]> => {
  let all = '';
  for await (const piece of reader().export(TENANT, format, {})) all += piece;
  return all.trimEnd().split(/\r?\n/u);
};

/** Somebody has been at the store. */
const putBack = async (change: (text: string, hash: string) => readonly string[]): Promise<void> => {
  const { chain } = stage.keys;
  const kept = await stage.redis.xrange(chain, '-', '+');
  await stage.redis.del(chain);
  for (const [id, [, text = '', , hash = '', , at = '']] of kept) {
    const fields = id === '2-0' ? change(text, hash) : ['r', text, 'h', hash, 't', at];
    await stage.redis.xadd(chain, id, ...fields);
  }
};

const verdictAtHome = async () =>
  verifyTrail({
    records: each([(await exported('jsonl')).map(exportedIn)]),
    checkpoints: each(await stage.linesIn()),
    jwks: stage.notary.jwks,
  });

describe('where a record should be and is none', () => {
  for (const [what, garble] of Object.entries(GARBLED))
    verifies('AUD-32', `${what}: pages and exports mark a hole and go on; verifying names it`, async () => {
      for (const nth of [0, 1, 2]) await stage.write(nth, 'a');
      await stage.sealerOn().round();
      await putBack(garble);
      const { items } = await reader().page(TENANT, { limit: 10 });
      expect(items.map((item) => [item.seq, 'hole' in item])).toEqual([
        [3, false],
        [2, true],
        [1, false],
      ]);
      const lines = (await exported('jsonl')).map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.map((line) => 'record' in line)).toEqual([true, false, true]);
      expect(lines[1]).toMatchObject({ hole: 2 });
      const rows = await exported('csv');
      expect(rows).toHaveLength(4);
      expect(rows[2]).toMatch(/^2,.*"hole"/u);
      const here = await stage.verdict();
      expect(here).toMatchObject({ ok: false, fault: { seq: 2 } });
      expect(await verdictAtHome()).toEqual(here);
    });

  verifies('AUD-32', 'is shown to whoever asks for what it may have been, and to nobody else', async () => {
    for (const nth of [0, 1, 2]) await stage.write(nth, 'a');
    await stage.sealerOn().round();
    await putBack((text, hash) => ['r', text.slice(0, -1), 'h', hash, 't', '5']);
    const seqsFor = async (query: object): Promise<readonly number[]> =>
      (await reader().page(TENANT, { limit: 10, ...query })).items.map(({ seq }) => seq);
    expect(await seqsFor({ actor: 'rita' })).toEqual([3, 2, 1]);
    expect(await seqsFor({ actor: 'rolf' })).toEqual([]);
    expect(await seqsFor({ to: 4 })).toEqual([]);
    expect(await seqsFor({ from: 5, to: 5 })).toEqual([2]);
  });
});

describe('a box', () => {
  verifies('AUD-32', 'that is not what was locked is told apart from one whose key was dropped', async () => {
    await stage.write(0, 'a');
    await stage.write(1, 'a');
    await stage.sealerOn().round();
    await putBack((text, hash) => ['r', text.replace(/"box":"..../u, '"box":"AAAA'), 'h', hash, 't', '5']);
    const { items } = await reader().page(TENANT, { limit: 10 });
    expect(items[0]).toMatchObject({ seq: 2, damaged: true });
    expect(items[0]).not.toHaveProperty('erased');
    expect(items[1]).not.toHaveProperty('damaged');
    expect((await exported('jsonl'))[1]).toContain('"damaged":true');
    await new RedisSealedTrail(stage.redis).dropKey(TENANT, 'owner of a');
    const erased = (await reader().page(TENANT, { limit: 10 })).items;
    expect(erased[1]).toMatchObject({ erased: true });
    expect(erased[1]).not.toHaveProperty('damaged');
  });
});

describe('an exported hole', () => {
  verifies('AUD-32', 'that was changed at home is no line of an export', () => {
    expect(exportedIn('{"hole":2,"text":7,"hash":""}')).toBeUndefined();
    expect(exportedIn('{"hole":2')).toBeUndefined();
    const [first] = chainOf([noteOf(0)]);
    expect(exportedIn(JSON.stringify({ hole: 1, hash: first?.hash, text: first?.text }))).toEqual({
      text: first?.text,
      hash: first?.hash,
    });
  });
});
