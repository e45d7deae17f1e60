import { verifies } from '../../../../test/spec/verifies.js';
import {
  carl,
  matterOf,
  NOON,
  olga,
  only,
  opened,
  person,
  rita,
  rolf,
  ruleOnTransfer,
  sven,
  transferOf,
} from '../../test/bank.js';
import type { Actor } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import type { Batch } from './batch.js';
import { isNoChange, withChange, type Change } from './change.js';
import { claim, CLAIM_MS, heartbeat, MAX_CLAIM_MS, release, takeover } from './claim.js';
import { comment } from './comment.js';
import { decide, type RuleOn } from './decide.js';
import type { Matter } from './matter.js';

type Judge = (matter: Matter) => Result<Change>;
const small = (): Batch => opened(transferOf(500));
const large = (): Batch => opened(transferOf(2_000));
const ruleOn: RuleOn = ruleOnTransfer;

const at = (batch: Batch, actor: Actor, now = NOON + 1): Matter => matterOf(batch, actor, { now });
const after = (batch: Batch, actor: Actor, judge: Judge, now?: number): Batch => {
  const judged = judge(at(batch, actor, now));
  if (!judged.ok) throw new Error(judged.refusal.code);
  return withChange(batch, judged.value);
};
const codeOf = (judged: Result<Change>): string =>
  judged.ok ? (isNoChange(judged.value) ? 'no change' : 'changed') : judged.refusal.code;

const approve: Judge = (matter) => decide(matter, { verb: 'approve', rev: matter.task.rev }, ruleOn);
const take =
  (rev: number): Judge =>
  (matter) =>
    takeover(matter, { rev, reason: 'Off sick.' });

describe('claims', () => {
  verifies('APR-18', 'a claim fences others until it lapses; claiming again is no change', () => {
    const claimed = after(small(), rita, claim);
    expect(only(claimed)).toMatchObject({ rev: 2, claim: { by: 'rita', until: NOON + 1 + CLAIM_MS } });
    expect(codeOf(claim(at(claimed, rita)))).toBe('no change');
    expect(claim(at(claimed, rolf))).toMatchObject({
      refusal: { code: 'CLAIM_LOST', details: { by: 'rita', until: NOON + 1 + CLAIM_MS } },
    });
    expect(codeOf(approve(at(claimed, rolf)))).toBe('CLAIM_LOST');
    expect(codeOf(approve(at(claimed, rolf, NOON + 1 + CLAIM_MS)))).toBe('changed');
    expect(only(after(claimed, rolf, claim, NOON + 1 + CLAIM_MS)).claim?.by).toBe('rolf');
  });

  verifies('APR-18', 'a task may be decided without a claim, and an operator cancels in spite of one', () => {
    expect(codeOf(approve(at(small(), rita)))).toBe('changed');
    const claimed = after(small(), rita, claim);
    expect(codeOf(decide(at(claimed, olga), { verb: 'cancel', rev: 2 }, ruleOn))).toBe('changed');
  });

  verifies(
    'APR-18',
    'a heartbeat renews up to a limit and leaves rev alone; a lapsed claim is not renewed',
    () => {
      let batch = after(small(), rita, claim);
      const start = NOON + 1;
      for (let now = start + CLAIM_MS - 1; now < start + MAX_CLAIM_MS; now += CLAIM_MS - 1)
        batch = after(batch, rita, heartbeat, now);
      expect(only(batch)).toMatchObject({
        rev: 2,
        claim: { until: start + MAX_CLAIM_MS, maxUntil: start + MAX_CLAIM_MS },
      });
      expect(codeOf(heartbeat(at(batch, rita, start + MAX_CLAIM_MS)))).toBe('CLAIM_LOST');
      expect(codeOf(heartbeat(at(batch, rolf, start + MAX_CLAIM_MS - 1)))).toBe('CLAIM_LOST');
    },
  );

  verifies('APR-18', 'a released claim is free at once; releasing nothing is no change', () => {
    const released = after(after(small(), rita, claim), rita, release);
    expect(only(released)).toMatchObject({ rev: 3 });
    expect(only(released).claim).toBeUndefined();
    expect(codeOf(release(at(released, rita)))).toBe('no change');
    expect(codeOf(release(at(after(released, rolf, claim), rita)))).toBe('CLAIM_LOST');
  });

  verifies(
    'APR-18',
    'a supervisor takes over with a reason; the old holder has lost it, others may not',
    () => {
      const claimed = after(small(), rita, claim);
      expect(codeOf(take(1)(at(claimed, sven)))).toBe('STALE_REVISION');
      const taken = after(claimed, sven, take(2));
      expect(only(taken)).toMatchObject({ rev: 3, claim: { by: 'sven' } });
      expect(only(taken).history.at(-1)).toMatchObject({ action: 'takeover', by: 'sven', text: 'Off sick.' });
      expect(codeOf(approve(at(taken, rita)))).toBe('CLAIM_LOST');
      expect(codeOf(take(2)(at(taken, sven)))).toBe('no change');
      for (const actor of [rolf, olga]) expect(codeOf(take(2)(at(claimed, actor)))).toBe('FORBIDDEN');
    },
  );

  verifies('APR-18', 'a vote ends its voter’s claim and leaves rev alone', () => {
    const voted = after(after(large(), rita, claim), rita, approve);
    expect(only(voted)).toMatchObject({ status: 'open', rev: 2 });
    expect(only(voted).claim).toBeUndefined();
    expect(codeOf(approve(at(voted, rolf)))).toBe('changed');
  });

  it('is not for whoever asked for it, nor after the deadline', () => {
    const batch = opened(transferOf(500, { requesters: ['rita'] }));
    expect(codeOf(claim(at(batch, rita)))).toBe('FORBIDDEN');
    expect(codeOf(claim(at(small(), rita, only(small()).expiresAt)))).toBe('EXPIRED');
  });
});

describe('comments', () => {
  verifies('APR-18', 'a comment leaves rev alone and is no customer’s', () => {
    const said = after(small(), rita, (matter) => comment(matter, 'Called the client.'));
    expect(only(said)).toMatchObject({
      rev: 1,
      history: [{ action: 'open' }, { action: 'comment', text: 'Called the client.' }],
    });
    const theirs = opened({ interrupts: [{ id: 'i1', reason: 'input_required' }] });
    expect(codeOf(comment(at(theirs, carl), 'Hello?'))).toBe('FORBIDDEN');
  });

  it('has a bound, and the history keeps the newest', () => {
    let batch = small();
    const say: Judge = (matter) => comment(matter, 'x');
    for (let i = 0; i < 100; i += 1) batch = after(batch, person('rita', ['reviewer'], ['advisors']), say);
    expect(codeOf(say(at(batch, rita)))).toBe('PAYLOAD_TOO_LARGE');
  });
});
