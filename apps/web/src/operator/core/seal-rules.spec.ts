/** Proves the page's own judgement of seals and receipts against what the hub really seals and signs. */
import { exportLine } from '@triptych/audit';
import { verifies } from '../../../../../test/spec/verifies.js';
import { chainOf, noteOf, Notary } from '../../../../../libs/audit/test/notary.js';
import { signatureTools } from '../trail/web-signatures.js';
import type { AuditRecord } from './audit-record.js';
import { askFor, changesOf } from './audit-record.js';
import { judgeReceipt, type Receipt } from './receipt-check.js';
import { judgeShown, judgeStretch, stretchAround, type Checkpoint, type Stretch } from './seal-check.js';

const notary = new Notary();
const chain = chainOf([1, 2, 3, 4, 5].map((nth) => noteOf(nth)));
const lines = chain.map((link) => exportLine(link, JSON.parse(link.text)));

const tools = async () => (await signatureTools(notary.jwks as never))!;
const checkpoints = async (...after: number[]): Promise<readonly Checkpoint[]> =>
  (await notary.lines(chain, after)).map((line) => JSON.parse(line) as Checkpoint).toReversed();
const stretch = async (seq: number): Promise<Stretch> =>
  stretchAround(await checkpoints(2, 5), seq) as Stretch;
const shown = (seq: number): AuditRecord => {
  const { text, hash } = chain[seq - 1]!;
  return { ...(JSON.parse(text) as AuditRecord), hash, after: { opened: 'by the hub' } };
};

describe('the seal of a record', () => {
  verifies('WEB-86', 'holds where signed checkpoints and all links between them lead to it', async () => {
    const second = await judgeStretch(await stretch(4), lines.slice(2), await tools());
    expect(second).toEqual(new Map([3, 4, 5].map((seq) => [seq, chain[seq - 1]!.text])));
    const first = await judgeStretch(await stretch(1), lines, await tools());
    expect(first).toEqual(new Map([1, 2].map((seq) => [seq, chain[seq - 1]!.text])));
    expect(judgeShown(shown(4), chain[3]!.text)).toBeUndefined();
  });

  verifies('WEB-86', 'is not vouched for behind the last checkpoint', async () => {
    expect(stretchAround(await checkpoints(2), 3)).toBeUndefined();
    expect(stretchAround([], 1)).toBeUndefined();
  });

  const altered = (seq: number): string => lines[seq - 1]!.replace('"rita"', '"rosa"');
  const BROKEN: Readonly<Record<string, readonly [string, (s: Stretch) => [Stretch, readonly string[]]]>> = {
    'a changed record': ['changed', (s) => [s, [lines[2]!, altered(4), lines[4]!]]],
    'a missing one': ['missing', (s) => [s, [lines[2]!, lines[4]!]]],
    'two in each other’s place': ['missing', (s) => [s, [lines[3]!, lines[2]!, lines[4]!]]],
    'nothing at all': ['missing', (s) => [s, []]],
    'another head than was signed': [
      'signature',
      (s) => [{ ...s, cover: { ...s.cover, head: chain[0]!.hash } }, lines.slice(2)],
    ],
    'a checkpoint that was left out': ['order', ({ cover }) => [{ cover, before: undefined }, lines]],
  };
  for (const [what, [why, make]] of Object.entries(BROKEN))
    verifies('WEB-86', `is broken by ${what}`, async () => {
      const [changed, found] = make(await stretch(4));
      expect(await judgeStretch(changed, found, await tools())).toMatchObject({ state: 'broken', why });
    });

  verifies(
    'WEB-86',
    'is broken by a chain that was written anew, and by a key nobody published',
    async () => {
      const anew = chainOf([1, 2, 3].map((nth) => noteOf(nth, { action: 'task.reject' })));
      const [cover] = await checkpoints(3);
      const forged = anew.map((link) => exportLine(link, JSON.parse(link.text)));
      expect(await judgeStretch({ cover: cover!, before: undefined }, forged, await tools())).toMatchObject({
        state: 'broken',
        why: 'rewritten',
      });
      const strangers = (await signatureTools(new Notary().jwks as never))!;
      expect(await judgeStretch(await stretch(4), lines.slice(2), strangers)).toMatchObject({
        state: 'broken',
        why: 'signature',
      });
    },
  );

  verifies('WEB-86', 'is broken where another record is shown than was sealed', () => {
    expect(judgeShown({ ...shown(4), action: 'task.reject' }, chain[3]!.text)).toMatchObject({
      why: 'shown',
    });
    expect(judgeShown(shown(4), undefined)).toMatchObject({ why: 'shown' });
  });
});

const fields = {
  decisionId: 'd-1',
  actor: 'rita',
  decidedAt: 1_800_000_000_000,
  proposalHash: 'a'.repeat(64),
  payloadHash: 'b'.repeat(64),
  ...{ threadId: 't', runId: 'r', interruptId: 'i', status: 'resolved' },
};
const canonical = JSON.stringify(
  Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))),
);

const receipt = async (over: Partial<Receipt> = {}): Promise<Receipt> => ({
  ...fields,
  signed: canonical,
  jws: await notary.sign(canonical),
  ...over,
});

verifies(
  'WEB-87',
  'a receipt is good only signed by a published key, and shown as it was signed',
  async () => {
    const of = { ...shown(1), payloadHash: fields.payloadHash };
    const judged = async (over: Partial<Receipt>, record: AuditRecord = of) =>
      judgeReceipt(await receipt(over), record, await tools());
    expect(await judged({})).toBe('good');
    expect(await judged({ signed: canonical.replace('rita', 'rosa') })).toBe('bad-signature');
    expect(await judged({ jws: await new Notary().sign(canonical) })).toBe('bad-signature');
    expect(await judged({ jws: 'e30..AA' })).toBe('bad-signature');
    expect(await judged({ actor: 'rosa' })).toBe('bad-fields');
    expect(await judged({}, { ...of, payloadHash: 'c'.repeat(64) })).toBe('other-decision');
    expect(await judgeReceipt(await receipt(), of, undefined)).toBe('browser');
  },
);

verifies(
  'WEB-85',
  'what is filtered by is asked of the hub: names as they are, the last minute whole',
  () => {
    expect(askFor({}).toString()).toBe('');
    expect(
      Object.fromEntries(askFor({ who: ' tove ', did: 'task.approve', inThread: '', onTask: 'x' })),
    ).toEqual({
      actor: 'tove',
      action: 'task.approve',
      task: 'x',
    });
    const at = new Date('2026-03-01T10:00').getTime();
    expect(Object.fromEntries(askFor({ since: '2026-03-01T10:00', until: '2026-03-01T10:00' }))).toEqual({
      from: String(at),
      to: String(at + 59_999),
    });
    expect(askFor({ since: 'soon' }).toString()).toBe('');
  },
);

verifies('WEB-86', 'what was and what is stand side by side, by field', () => {
  const record = { ...shown(1), before: { state: 'open', due: 1 }, after: { state: 'done', note: { a: 1 } } };
  expect(changesOf(record)).toEqual([
    { name: 'state', was: 'open', is: 'done' },
    { name: 'due', was: '1', is: undefined },
    { name: 'note', was: undefined, is: '{"a":1}' },
  ]);
});
