import { Revocations, rulingFor, type Actor, type Policy } from '@triptych/access';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  carl,
  cora,
  matterOf,
  NOON,
  only,
  opened,
  person,
  policy,
  policyFrom,
  rita,
  rolf,
  ruleOnTransfer,
  sven,
  transferOf,
} from '../../test/bank.js';
import type { Batch } from './batch.js';
import { withChange } from './change.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { applyDue } from './due.js';
import { voidAnswers, type Recheck } from './recheck.js';
import type { Task } from './task.js';

const LATER = NOON + 1_000;
const APPROVE: DecideCommand = { verb: 'approve', rev: 1 };

const answered = (batch: Batch, ...answers: readonly (readonly [Actor, DecideCommand])[]): Batch =>
  answers.reduce((before, [actor, command]) => {
    const judged = decide(matterOf(before, actor), command, ruleOnTransfer);
    if (!judged.ok) throw new Error(judged.refusal.code);
    return withChange(before, judged.value);
  }, batch);

const transfer = (amount: number, ...people: readonly Actor[]): Batch =>
  answered(opened(transferOf(amount)), ...people.map((actor) => [actor, APPROVE] as const));

const recheckBy = (now: Policy, revoked = new Revocations()): Recheck => ({
  now: LATER,
  standing: (actor) => revoked.judge(actor),
  ruleOn: (task, args) =>
    rulingFor(now, {
      agentId: 'teller',
      tenant: 'bank',
      source: task.source,
      reason: task.reason,
      at: task.createdAt,
      ...(task.proposal.toolName === undefined ? {} : { toolName: task.proposal.toolName }),
      args,
    }),
});

const rechecked = (batch: Batch, recheck: Recheck): Batch => {
  const change = voidAnswers(batch, recheck);
  return change ? withChange(batch, change) : batch;
};

const without = (...names: readonly (readonly ['jti' | 'sub' | 'role', string, number?])[]): Revocations => {
  const revoked = new Revocations();
  for (const [by, name, at = LATER] of names) revoked.note({ tenant: 'bank', by, name, at });
  return revoked;
};

/** One rule for every transfer. */
const ruled = (handling: string): Policy =>
  policyFrom(`approvals: { rules: [{ id: now, match: { reason: tool_call }, ${handling} }] }`);

const said = (task: Task): readonly (string | undefined)[] => {
  const last = task.history.at(-1);
  return [last?.action, last?.by, last?.text];
};

const votersOf = ({ votes }: Task): readonly string[] => votes.map(({ by }) => by);

describe('answers whose givers lost their say', () => {
  verifies('APR-62', 'are void: the question is open again, with the votes that are left', () => {
    const batch = transfer(2_000, rita, rolf);
    expect(batch.status.state).toBe('ready');
    expect(voidAnswers(batch, recheckBy(policy))).toBeUndefined();
    const after = rechecked(batch, recheckBy(policy, without(['sub', 'rita'])));
    const task = only(after);
    expect(after.status).toEqual({ state: 'open' });
    expect(task).toMatchObject({ status: 'open', rev: 2, ruling: only(batch).ruling });
    expect(votersOf(task)).toEqual(['rolf']);
    expect(said(task)).toEqual(['void', 'hub', 'The role or token of rita was revoked.']);
    expect(task.decision).toBeUndefined();
    expect(answered(after, [sven, { verb: 'approve', rev: 2 }]).status.state).toBe('ready');
  });

  verifies('APR-62', 'by token, by subject or by role, if the vote was by a token that this reaches', () => {
    const token = (actor: Actor, issuedAt: number): Actor => ({ ...actor, tokenId: 'j1', issuedAt });
    const stateAfter = (actor: Actor, revoked: Revocations): string =>
      rechecked(transfer(10, actor), recheckBy(policy, revoked)).status.state;
    const both = person('sue', ['reviewer', 'supervisor'], ['advisors']);
    expect([
      stateAfter(token(rita, 5), without(['jti', 'j1', 5])),
      stateAfter(token(rita, 6), without(['jti', 'j1', 5])),
      stateAfter(rita, without(['jti', 'j1', 5])),
      stateAfter(token(rita, 5), without(['role', 'reviewer', 5])),
      stateAfter(token(rita, 6), without(['role', 'reviewer', 5])),
      stateAfter(both, without(['role', 'reviewer', 5])),
      stateAfter(sven, without(['role', 'reviewer', 5])),
      stateAfter({ ...rita, expiresAt: NOON + 2 }, without()),
    ]).toEqual(['open', 'ready', 'ready', 'open', 'ready', 'ready', 'ready', 'ready']);
  });

  verifies('APR-62', 'a role whose limits are narrower does not carry what the lost one did', () => {
    const both = person('sue', ['reviewer', 'supervisor'], ['advisors']);
    const batch = transfer(9_000, both, sven);
    const after = rechecked(batch, recheckBy(policy, without(['role', 'supervisor'])));
    expect([after.status.state, votersOf(only(after))]).toEqual(['open', []]);
  });

  verifies('APR-62', 'rejections and customers’ own answers are answers too; a cancellation is none', () => {
    const confirmed = opened({ interrupts: [{ id: 'i1', reason: 'confirmation' }] });
    const asked = opened({ interrupts: [{ id: 'i1', reason: 'input_required' }] });
    const gone = recheckBy(policy, without(['sub', 'rita'], ['sub', 'carl']));
    const rejected = rechecked(answered(confirmed, [rita, { verb: 'reject', rev: 1 }]), gone);
    const told = rechecked(answered(asked, [carl, { verb: 'respond', rev: 1, payload: 'so' }]), gone);
    const cancelled = answered(confirmed, [rita, { verb: 'cancel', rev: 1 }]);
    expect([rejected.status.state, told.status.state]).toEqual(['open', 'open']);
    expect(votersOf(only(rejected))).toEqual([]);
    expect(voidAnswers(cancelled, gone)).toBeUndefined();
  });

  verifies(
    'APR-62',
    'of several questions those are put again whose answers are void, the others stand',
    () => {
      const interrupts = ['a', 'b'].map((id) => ({ id, reason: 'confirmation' }));
      const [first, second] = opened({ interrupts }).tasks;
      const say = (batch: Batch, task: Task | undefined, actor: Actor): Batch => {
        const judged = decide(matterOf(batch, actor, { task: task as Task }), APPROVE, ruleOnTransfer);
        if (!judged.ok) throw new Error(judged.refusal.code);
        return withChange(batch, judged.value);
      };
      const batch = say(say(opened({ interrupts }), first, rita), second, cora);
      const after = rechecked(batch, recheckBy(policy, without(['sub', 'rita'])));
      expect(after.status.state).toBe('open');
      expect(after.tasks.map(({ status }) => status)).toEqual(['open', 'settled']);
      expect(after.tasks[1]).toBe(batch.tasks[1]);
    },
  );

  verifies('APR-62', 'what its agent takes no longer is not put again: it is abandoned, and sent so', () => {
    const expiresAt = new Date(LATER).toISOString();
    const batch = answered(opened({ interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt }] }), [
      rita,
      APPROVE,
    ]);
    const after = rechecked(batch, recheckBy(policy, without(['sub', 'rita'])));
    expect(after.status.state).toBe('ready');
    expect(only(after).decision).toMatchObject({ kind: 'expired' });
  });

  verifies('APR-79', 'the votes of an older version, which do not say who their voters were, stand', () => {
    const batch = transfer(10, rita);
    const tasks = batch.tasks.map((task) => ({
      ...task,
      votes: task.votes.map(({ voter: _voter, ...vote }) => vote),
    }));
    expect(voidAnswers({ ...batch, tasks }, recheckBy(policy, without(['sub', 'rita'])))).toBeUndefined();
  });
});

describe('a policy that asks for more by the time of sending', () => {
  const GROUPS = 'groups: [advisors], forbid: [requester]';
  const cases: readonly (readonly [string, string, string])[] = [
    ['more people', `${GROUPS}, quorum: 2`, 'The policy in force asks for more answers.'],
    ['other groups', 'groups: [compliance]', 'By the policy in force this is not for rita to answer.'],
    [
      'lower limits',
      `${GROUPS}, limits: { reviewer: { /amount: { lte: 5 } } }`,
      'By the policy in force this is not for rita to answer.',
    ],
  ];
  for (const [what, handling, text] of cases)
    verifies('APR-63', `${what}: the answer is void, and the question is under the stricter rule`, () => {
      const after = rechecked(transfer(10, rita), recheckBy(ruled(handling)));
      expect(after.status.state).toBe('open');
      expect(said(only(after))).toEqual(['void', 'hub', text]);
      expect(only(after).ruling).toMatchObject({ rule: 'now', version: expect.any(String) });
    });

  verifies('APR-63', 'nobody by rule, or a rule that cannot be evaluated: it is for operators only', () => {
    const nobody = policyFrom('approvals: { rules: [] }');
    const unclear = policyFrom(
      'approvals: { rules: [{ id: x, match: { reason: tool_call, args: { /country: { eq: CH } } } }] }',
    );
    for (const now of [nobody, unclear]) {
      const after = rechecked(transfer(10, rita), recheckBy(now));
      expect(only(after)).toMatchObject({ status: 'open', ruling: { approvable: false }, votes: [] });
    }
  });

  verifies(
    'APR-63',
    'what is edited is judged by the rule it falls under now, its editor barred where ruled',
    () => {
      const edit = { verb: 'approve', rev: 1, editedArgs: { amount: 20 } } as const;
      const batch = answered(opened(transferOf(10)), [rita, edit]);
      expect(batch.status.state).toBe('ready');
      const barred = ruled('groups: [advisors], forbid: [requester, editor]');
      const after = rechecked(batch, recheckBy(barred));
      expect(only(after)).toMatchObject({ status: 'open', votes: [], edit: { args: { amount: 20 } } });
      expect(answered(after, [rolf, { verb: 'approve', rev: 3 }]).status.state).toBe('ready');
      const onLarge = policyFrom(`approvals: { rules: [
      { id: large, match: { reason: tool_call, args: { /amount: { gte: 15 } } }, groups: [advisors], quorum: 2 },
      { id: small, match: { reason: tool_call }, groups: [advisors] } ] }`);
      const twice = rechecked(batch, recheckBy(onLarge));
      expect(only(twice)).toMatchObject({ status: 'open', edit: { ruling: { rule: 'large', quorum: 2 } } });
      expect(answered(twice, [rolf, { verb: 'approve', rev: 3 }]).status.state).toBe('ready');
    },
  );

  verifies(
    'APR-63',
    'where it asks for less in one thing and more in another, both at their strictest hold',
    () => {
      const now = ruled('groups: [compliance, advisors], quorum: 1, distinctGroups: true, forbid: []');
      const batch = transfer(2_000, rita, rolf);
      const task = only(rechecked(batch, recheckBy(now)));
      expect(task).toMatchObject({
        status: 'open',
        ruling: {
          ...{ groups: ['advisors'], quorum: 2, distinctGroups: true, forbid: ['requester', 'editor'] },
          limits: { reviewer: { '/amount': { lte: 5_000 } } },
        },
      });
      expect(votersOf(task)).toEqual(['rita', 'rolf']);
    },
  );

  verifies('APR-63', 'limits on one value are both kept', () => {
    const now = ruled(
      'groups: [advisors], quorum: 3, limits: { reviewer: { /amount: { lte: 9000, gte: 1 } } }',
    );
    const task = only(rechecked(transfer(2_000, rita, rolf), recheckBy(now)));
    expect(task.ruling.limits).toEqual({ reviewer: { '/amount': { lte: 5_000, gte: 1 } } });
  });

  verifies('APR-63', 'a customer’s own answer counts no more where reviewers are to be asked', () => {
    const batch = answered(opened({ interrupts: [{ id: 'i1', reason: 'input_required' }] }), [
      carl,
      { verb: 'respond', rev: 1, payload: 'so' },
    ]);
    const now = policyFrom('approvals: { rules: [{ id: now, match: { reason: input_required } }] }');
    const after = rechecked(batch, recheckBy(now));
    expect(only(after)).toMatchObject({ status: 'open', ruling: { audience: 'reviewer', rule: 'now' } });
    expect(answered(after, [rita, { verb: 'respond', rev: 2, payload: 'so' }]).status.state).toBe('ready');
  });

  verifies('APR-63', 'those whom the wait brought in count if the rule of now brings them in too', () => {
    const leads = person('lea', ['reviewer'], ['leads']);
    const asked = opened({
      interrupts: [{ id: 'i1', reason: 'bank:wait', responseSchema: APPROVAL_SCHEMA }],
    });
    const now = NOON + 700_000;
    const widened = withChange(asked, applyDue(asked, now));
    const judged = decide(matterOf(widened, leads, { now }), APPROVE, ruleOnTransfer);
    if (!judged.ok) throw new Error(judged.refusal.code);
    const batch = withChange(widened, judged.value);
    const by = (handling: string): Recheck => ({
      ...recheckBy(
        policyFrom(`approvals: { rules: [{ id: now, match: { reason: "bank:wait" }, ${handling} }] }`),
      ),
      now: now + 1,
    });
    const quorum = 'groups: [advisors], distinctGroups: true';
    expect(voidAnswers(batch, by(`${quorum}, escalate: [{ afterMs: 600000, to: [leads] }]`))).toBeUndefined();
    const alone = rechecked(batch, by(quorum));
    expect(said(only(alone))[2]).toBe('By the policy in force this is not for lea to answer.');
  });
});

describe('a policy that asks for no more by the time of sending', () => {
  verifies('APR-63', 'changes nothing, however much less it asks', () => {
    const looser = [
      'groups: [], forbid: []',
      'groups: [advisors, board], forbid: [requester], quorum: 1',
      'audience: customer',
      'groups: [advisors], forbid: [requester], limits: { supervisor: { /amount: { lte: 1 } } }',
    ];
    for (const handling of looser)
      expect(voidAnswers(transfer(10, rita), recheckBy(ruled(handling)))).toBeUndefined();
    expect(voidAnswers(transfer(2_000, rita, rolf), recheckBy(ruled('forbid: []')))).toBeUndefined();
  });

  verifies('APR-63', 'a client’s call that people answered needs no rule any more', () => {
    const calls = { p1: { name: 'payOut', argsText: '{"amount":10}' } };
    const batch = answered(opened({ interrupts: [], pending: ['p1'], calls }), [rita, APPROVE]);
    expect(batch.status.state).toBe('ready');
    expect(voidAnswers(batch, recheckBy(policyFrom('approvals: { rules: [] }')))).toBeUndefined();
  });

  verifies('APR-63', 'what was opened again under a stricter rule is not opened once more by it', () => {
    const now = recheckBy(ruled('groups: [advisors], quorum: 2'));
    const after = rechecked(transfer(10, rita), now);
    const again = answered(after, [rolf, { verb: 'approve', rev: 2 }]);
    expect(again.status.state).toBe('ready');
    expect(voidAnswers(again, now)).toBeUndefined();
  });
});
