/** Proves that whatever is done to a trail is seen, and that the first bad record is named. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { chainOf, each, inPieces, Notary, noteOf } from '../../test/notary.js';
import { verifyTrail } from '../shell/verify-trail.js';
import { GENESIS, linkHash, type Link } from './chain.js';
import { exportedIn, exportLine } from './export-line.js';
import { openRecord, sealedIn } from './opened-record.js';

const RUNS = { numRuns: 60 };
const notary = new Notary();

const notes = (count: number) => Array.from({ length: count }, (_, nth) => noteOf(nth));
const judge = (records: readonly Link[], lines: readonly string[], jwks = notary.jwks) =>
  verifyTrail({ records: inPieces(records), checkpoints: each(lines), jwks });

/** Written anew from one record on, as whoever knows how hashes are made would do it. */
const rehashed = (records: readonly Link[]): readonly Link[] => {
  let hash = GENESIS;
  return records.map(({ seq, text }) => ({ seq, text, hash: (hash = linkHash(hash, text)) }));
};

const edited = (record: Link): Link => ({
  ...record,
  text: record.text.replace('task.approve', 'task.reject_'),
});

/** A chain, a place in it, and checkpoints of which the last covers all. */
const trails = fc
  .record({ count: fc.integer({ min: 3, max: 40 }), every: fc.integer({ min: 1, max: 9 }), at: fc.nat() })
  .map(({ count, every, at }) => {
    const after = Array.from({ length: Math.floor((count - 1) / every) }, (_, nth) => (nth + 1) * every);
    return { count, at: 1 + (at % (count - 1)), after: [...after, count] };
  });

type Trail = { readonly count: number; readonly at: number; readonly after: readonly number[] };
type Tampering = (chain: readonly Link[], at: number) => readonly Link[];

/** What is done to the record at a place, and how it is told. Places count from 1; one always follows. */
const TAMPERINGS: Readonly<Record<string, readonly [Tampering, string]>> = {
  'an edit': [(chain, at) => chain.with(at - 1, edited(chain[at - 1]!)), 'changed'],
  'a deletion': [(chain, at) => chain.toSpliced(at - 1, 1), 'missing'],
  'a swap': [(chain, at) => chain.toSpliced(at - 1, 2, chain[at]!, chain[at - 1]!), 'out-of-place'],
  'a move to the end': [(chain, at) => [...chain.toSpliced(at - 1, 1), chain[at - 1]!], 'out-of-place'],
  'a forged record in between': [
    (chain, at) => chain.toSpliced(at - 1, 0, { ...edited(chain[at - 1]!), hash: '0'.repeat(64) }),
    'changed',
  ],
  'a record twice': [(chain, at) => chain.toSpliced(at - 1, 0, chain[Math.max(0, at - 2)]!), 'out-of-place'],
  'a tail cut off': [(chain, at) => chain.slice(0, at - 1), 'cut-off'],
  'text that is no record': [
    (chain, at) => chain.with(at - 1, { ...chain[at - 1]!, text: '{}' }),
    'unreadable',
  ],
};

const forAll = (check: (trail: Trail) => Promise<void>) => fc.assert(fc.asyncProperty(trails, check), RUNS);

describe('a trail', () => {
  verifies('AUD-16', 'is hashed over what came before it and its canonical text', () => {
    const [first, second] = chainOf(notes(2));
    expect(first!.hash).toBe(linkHash(GENESIS, first!.text));
    expect(second!.hash).toBe(linkHash(first!.hash, second!.text));
    const members = Object.keys(JSON.parse(first!.text) as object);
    expect(members).toEqual(members.toSorted());
    // Written down once by hand (sha256sum over 32 zero bytes and the text): others must come to the same.
    expect(linkHash(GENESIS, '{"seq":1}')).toBe(
      'ff44e121014845ba9f060b9dd529b57e3706d9dcbf47ce18d6a7e50bea6c7e46',
    );
  });

  verifies('AUD-21', 'that nobody touched is good, and it is said how far a checkpoint vouches for it', () =>
    forAll(async ({ count, after }) => {
      const chain = chainOf(notes(count));
      const but = [...new Set([...after.slice(0, -1), count - 1])];
      const verdict = await judge(chain, await notary.lines(chain, but));
      expect(verdict).toEqual({ ok: true, records: count, head: chain.at(-1)!.hash, covered: count - 1 });
    }),
  );

  for (const [what, [tamper, why]] of Object.entries(TAMPERINGS))
    verifies('AUD-21', `shows ${what}, and where`, () =>
      forAll(async ({ count, at, after }) => {
        const chain = chainOf(notes(count));
        const verdict = await judge(tamper(chain, at), await notary.lines(chain, after));
        // The first record cannot come a second time before itself: what stands there twice is in the second place.
        const seq = what === 'a record twice' && at === 1 ? 2 : at;
        expect(verdict).toMatchObject({ ok: false, fault: { why, seq } });
      }),
    );

  verifies('AUD-21', 'that was written anew with hashes that agree shows at the next checkpoint', () =>
    forAll(async ({ count, at, after }) => {
      const chain = chainOf(notes(count));
      const anew = rehashed(chain.with(at - 1, edited(chain[at - 1]!)));
      const seq = after.find((covered) => covered >= at);
      expect(await judge(anew, await notary.lines(chain, after))).toMatchObject({
        ok: false,
        fault: { why: 'rewritten', seq },
      });
    }),
  );

  verifies(
    'AUD-21',
    'is not vouched for by another key, an edited checkpoint, or one that was left out',
    async () => {
      const chain = chainOf(notes(9));
      const lines = await notary.lines(chain, [3, 6, 9]);
      const other = new Notary();
      const wrong = { ok: false, fault: { why: 'wrong-signature', seq: 3, checkpoint: 1 } };
      expect(await judge(chain, lines, other.jwks)).toMatchObject(wrong);
      expect(await judge(chain, await other.lines(chain, [3, 6, 9]))).toMatchObject(wrong);
      const moved = lines.with(1, lines[1]!.replace('"seq":6', '"seq":5'));
      expect(await judge(chain, moved)).toMatchObject({ fault: { why: 'wrong-signature', checkpoint: 2 } });
      for (const left of [0, 1])
        expect(await judge(chain, lines.toSpliced(left, 1))).toMatchObject({
          fault: { why: 'checkpoint-missing', checkpoint: left + 1 },
        });
      expect(await judge(chain, [])).toMatchObject({ fault: { why: 'no-checkpoint' } });
    },
  );

  verifies('AUD-20', 'is vouched for by a book in which a line was cut off, or stands twice', async () => {
    const chain = chainOf(notes(6));
    const [one = '', two = ''] = await notary.lines(chain, [3, 6]);
    expect(await judge(chain, [one, two.slice(0, 40), two, two])).toMatchObject({ ok: true, covered: 6 });
  });

  verifies('AUD-23', 'stands in a line of an export byte for byte, whatever its boxes hold', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (payload, text) => {
        const hostile = { payload, text, '","opened":{': '"length":1,"record":{"seq":1}' };
        const [record] = chainOf([noteOf(0, { after: hostile })]);
        const line = exportLine(record!, openRecord(sealedIn(record!.text)!, new Map()));
        expect(exportedIn(line)).toEqual({ text: record!.text, hash: record!.hash });
        expect(JSON.parse(line)).toMatchObject({
          hash: record!.hash,
          record: JSON.parse(record!.text) as object,
        });
        expect(exportedIn(line.replace('"length":', '"length":1'))).toBeUndefined();
      }),
    ),
  );
});
