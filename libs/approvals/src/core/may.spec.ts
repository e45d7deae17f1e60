import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  carl,
  cora,
  inChat,
  matterOf,
  NOON,
  olga,
  only,
  opened,
  person,
  policy,
  rita,
  rolf,
  ruleOnTransfer,
  sven,
  transferOf,
  unwrap,
} from '../../test/bank.js';
import type { Actor } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import { rulesOn, show } from '../shell/show.js';
import type { Batch } from './batch.js';
import { assign } from './assign.js';
import { withChange, type Change } from './change.js';
import { claim, heartbeat, release, takeover } from './claim.js';
import { comment } from './comment.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { applyDue } from './due.js';
import { extend } from './extend.js';
import { undo } from './hold.js';
import { mayRead, type Matter } from './matter.js';
import { offerTo } from './may.js';
import { noteReveal } from './reveal.js';
import { stateOf } from './task-view.js';

let salt = 0;
/** Never the same answer twice: an own repeat is a success whatever stands in the way. */
const salted = (): number => (salt += 0.01);
const decided = (matter: Matter, command: DecideCommand) =>
  decide(matter, { ...command, rev: matter.task.rev }, (args) =>
    rulesOn(policy, matter.batch)(matter.task, args),
  );
const DEEDS = {
  claim,
  release,
  heartbeat,
  takeover: (matter: Matter) => takeover(matter, { rev: matter.task.rev, reason: 'Urgent.' }),
  comment: (matter: Matter) => comment(matter, 'Seen.'),
  approve: (matter: Matter) => decided(matter, { verb: 'approve' }),
  edit: (matter: Matter) => decided(matter, { verb: 'approve', editedArgs: { amount: 500 + salted() } }),
  reject: (matter: Matter) => decided(matter, { verb: 'reject', reason: 'No.' }),
  respond: (matter: Matter) => decided(matter, { verb: 'respond', payload: salted() }),
  cancel: (matter: Matter) => decided(matter, { verb: 'cancel' }),
  assign: (matter: Matter) => assign(matter, { rev: matter.task.rev, to: 'nora' }),
  extend: (matter: Matter) =>
    extend(matter, { rev: matter.task.rev, dueAt: matter.task.expiresAt - Math.floor(100 * salted()) }),
  undo: (matter: Matter) => undo(matter, matter.task.rev),
  reveal: (matter: Matter) => noteReveal(matter, { pointer: '/taxId', reason: 'The bank asks.' }),
} as const;
type Deed = keyof typeof DEEDS;

const PEOPLE: readonly Actor[] = [
  rita,
  rolf,
  cora,
  sven,
  olga,
  carl,
  person('carl', ['reviewer'], ['advisors']),
  person('all', ['reviewer', 'operator'], ['advisors']),
  inChat(rita),
  inChat(sven),
  inChat(olga),
  inChat(carl),
];
const chatty = (): Batch =>
  opened(
    transferOf(500, {
      interrupts: [{ id: 'i1', reason: 'bank:chat', toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA }],
    }),
  );
const BATCHES: readonly (() => Batch)[] = [
  () => opened(transferOf(500)),
  () => opened(transferOf(2_000)),
  () => opened(transferOf(9_000)),
  () => opened(transferOf(1, { calls: { c1: { name: 'openMandate', argsText: '{}' } } })),
  () => opened({ interrupts: [{ id: 'i1', reason: 'input_required' }] }),
  () => opened({ interrupts: [{ id: 'i1', reason: 'bank:pair' }] }),
  () => opened({ interrupts: [{ id: 'i1', reason: 'nobody:knows' }] }),
  () => opened(transferOf(500, { interrupts: [{ id: 'i1', reason: 'bank:slip', toolCallId: 'c1' }] })),
  chatty,
];

interface Move {
  readonly who: number;
  readonly deed: Deed;
  readonly later: number;
}

/** A life of a task: every move that is allowed happens, the others are tried. */
const live = (batch: Batch, moves: readonly Move[]) => {
  let [current, now] = [batch, NOON + 1];
  for (const { who, deed, later } of moves) {
    now += later;
    const actor = PEOPLE[who % PEOPLE.length] ?? rita;
    const matter = matterOf(current, actor, { now });
    if (!mayRead(matter)) continue;
    const judged: Result<Change> = DEEDS[deed](matter);
    current = withChange(current, judged.ok ? judged.value : applyDue(current, now));
  }
  return { batch: current, now };
};

const moves = fc.array(
  fc.record({
    who: fc.nat(PEOPLE.length - 1),
    deed: fc.constantFrom(...(Object.keys(DEEDS) as Deed[])),
    later: fc.constantFrom(0, 1, 60_000, 400_000),
  }),
  { maxLength: 8 },
);

describe('what a person may do', () => {
  verifies(
    'APR-19',
    'in every life of a task `may` lists nothing that is refused, and `mayNot` nothing that is not',
    () => {
      fc.assert(
        fc.property(fc.nat(BATCHES.length - 1), moves, (kind, history) => {
          const { batch, now } = live((BATCHES[kind] ?? BATCHES[0])!(), history);
          for (const actor of PEOPLE) {
            const matter = matterOf(batch, actor, { now });
            if (!mayRead(matter)) continue;
            const { may, mayNot } = offerTo(matter, true);
            for (const deed of may)
              expect([deed, DEEDS[deed as Deed](matter)]).toMatchObject([deed, { ok: true }]);
            for (const deed of Object.keys(mayNot) as Deed[])
              expect([deed, DEEDS[deed](matter).ok]).toEqual([deed, false]);
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  verifies('APR-19', 'says why a candidate is barred', () => {
    const limit = offerTo(matterOf(opened(transferOf(9_000)), rita));
    expect(limit).toMatchObject({ mayNot: { approve: 'limit', reject: 'limit' } });
    expect(limit.may).toContain('claim');
    const own = opened(transferOf(500, { requesters: ['rita'] }));
    expect(offerTo(matterOf(own, rita)).mayNot).toMatchObject({
      approve: 'requester',
      edit: 'requester',
      claim: 'requester',
    });
    const claimed = withChange(own, (claim(matterOf(own, rolf)) as { value: Change }).value);
    expect(offerTo(matterOf(claimed, sven)).mayNot).toMatchObject({ approve: 'claimed', claim: 'claimed' });
    expect(offerTo(matterOf(claimed, sven)).may).toContain('takeover');
    expect(offerTo(matterOf(own, olga))).toEqual({
      may: ['assign', 'comment', 'extend', 'cancel'],
      mayNot: {},
    });
  });

  verifies('ACC-70', 'in a chat is no answer to a task whose rule does not have it decided there', () => {
    const quiet = opened(transferOf(500));
    for (const actor of [inChat(rita), inChat(olga)])
      for (const verb of ['approve', 'edit', 'reject', 'cancel'] as const)
        expect([actor.subject, verb, DEEDS[verb](matterOf(quiet, actor))]).toMatchObject([
          ...[actor.subject, verb],
          { ok: false, refusal: { code: 'FORBIDDEN' } },
        ]);
    expect(offerTo(matterOf(quiet, inChat(rita)))).toEqual({ may: ['claim', 'comment'], mayNot: {} });
    expect(offerTo(matterOf(quiet, rita)).may).toEqual(expect.arrayContaining(['approve', 'reject']));
    const claimed = withChange(quiet, unwrap(claim(matterOf(quiet, inChat(rita)))));
    expect(offerTo(matterOf(claimed, inChat(rita))).may).toEqual(['release', 'comment']);
  });

  verifies(
    'ACC-70',
    'in a chat is what its rule lets be decided there, and what the person may do at all',
    () => {
      expect(offerTo(matterOf(chatty(), inChat(rita))).may).toEqual(
        expect.arrayContaining(['claim', 'comment', 'approve', 'reject', 'edit', 'cancel']),
      );
      const held = withChange(chatty(), unwrap(DEEDS.approve(matterOf(chatty(), inChat(rita)))));
      expect(offerTo(matterOf(held, inChat(rita))).may).toContain('undo');
      expect(offerTo(matterOf(chatty(), inChat(olga))).may).toEqual(['comment', 'cancel']);
      expect(mayRead(matterOf(chatty(), inChat(cora)))).toBe(false);
      expect(offerTo(matterOf(chatty(), inChat(sven))).may).not.toContain('assign');
    },
  );

  verifies(
    'APR-24',
    'a reviewer sees the whole proposal less redactions, in edits and decisions too; an operator all',
    () => {
      const batch = opened(transferOf(500));
      const secret = '77-88';
      const judged = decide(
        matterOf(batch, rita),
        { verb: 'approve', editedArgs: { amount: 7, taxId: secret } },
        ruleOnTransfer,
      );
      const done = withChange(batch, (judged as { value: Change }).value);
      const seen = JSON.stringify(show(policy, matterOf(done, rolf), true));
      for (const hidden of ['12-34', secret]) expect(seen).not.toContain(hidden);
      expect(show(policy, matterOf(done, rolf))).toMatchObject({
        proposal: { args: { amount: 500, to: 'ann', taxId: '[redacted]' } },
        edit: { args: { amount: 7, taxId: '[redacted]' } },
        decision: { editedArgs: { taxId: '[redacted]' }, payload: { editedArgs: { taxId: '[redacted]' } } },
      });
      expect(JSON.stringify(show(policy, matterOf(done, olga)))).toContain(secret);
    },
  );

  verifies(
    'APR-24',
    'text that is not JSON has no pointers: it is not shown where anything is redacted',
    () => {
      const calls = { c1: { name: 'note', argsText: '{"taxId":"12-34"' } };
      const batch = opened({ interrupts: [{ id: 'i1', reason: 'confirmation', toolCallId: 'c1' }], calls });
      expect(show(policy, matterOf(batch, rita)).proposal).toEqual({
        toolName: 'note',
        argsText: '[redacted]',
      });
      expect(show(policy, matterOf(batch, olga)).proposal.argsText).toContain('12-34');
    },
  );

  verifies('APR-24', 'nor does the rule’s reason tell a reviewer what is redacted', () => {
    const calls = { c1: { name: 'note', argsText: '{"taxId":"12-34"}' } };
    const batch = opened({ interrupts: [{ id: 'i1', reason: 'bank:tax', toolCallId: 'c1' }], calls });
    const matchedBy = (actor: Actor) => show(policy, matterOf(batch, actor)).policy.matched;
    expect(matchedBy(rita)).toEqual([{ pointer: '/taxId', op: 'eq', want: '[redacted]', got: '[redacted]' }]);
    expect(matchedBy(olga)).toEqual([{ pointer: '/taxId', op: 'eq', want: '12-*', got: '12-34' }]);
  });

  it('calls a decided task by how far its batch has come', () => {
    const done = withChange(
      opened(transferOf(500)),
      (DEEDS.approve(matterOf(opened(transferOf(500)), rita)) as { value: Change }).value,
    );
    const stateIn = (status: Batch['status']) =>
      stateOf({ batch: { ...done, status }, task: only(done), now: NOON });
    expect(stateIn({ state: 'ready', attempt: 0, notBefore: 0 })).toBe('decided');
    expect(stateIn({ state: 'dispatching', attempt: 1, runId: 'r' })).toBe('dispatched');
    expect(stateIn({ state: 'unknown', attempt: 1 })).toBe('decided');
    expect(stateIn({ state: 'done', at: 0 })).toBe('closed');
    expect(stateOf({ batch: done, task: only(opened(transferOf(500))), now: Number.MAX_SAFE_INTEGER })).toBe(
      'expired',
    );
  });
});
