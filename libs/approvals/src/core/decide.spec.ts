import { verifies } from '../../../../test/spec/verifies.js';
import {
  APPROVAL_SCHEMA,
  carl,
  cora,
  matterOf,
  NOON,
  olga,
  only,
  opened,
  person,
  rita,
  rolf,
  ruleOnTransfer,
  stranger,
  sven,
  transferOf,
} from '../../test/bank.js';
import type { Actor } from '@triptych/access';
import type { Batch } from './batch.js';
import { isNoChange, withChange } from './change.js';
import { claim } from './claim.js';
import type { DecideCommand } from './command.js';
import { decide } from './decide.js';
import { mayRead } from './matter.js';

type Step = readonly [actor: Actor, command: DecideCommand];

const seen = (batch: Batch): Pick<DecideCommand, 'rev' | 'proposalHash'> => {
  const { rev, proposalHash } = only(batch);
  return { rev, proposalHash };
};

const judge = (batch: Batch, [actor, command]: Step, now = NOON + 1) =>
  decide(matterOf(batch, actor, { now }), command, ruleOnTransfer);

/** Carries out steps as given against what each person sees at that moment. */
const after = (batch: Batch, ...steps: readonly Step[]): Batch =>
  steps.reduce((current, [actor, command]) => {
    const judged = judge(current, [actor, { ...seen(current), ...command }]);
    if (!judged.ok) throw new Error(`${actor.subject} ${command.verb}: ${judged.refusal.code}`);
    return withChange(current, judged.value);
  }, batch);

const codeOf = (batch: Batch, actor: Actor, command: DecideCommand): string => {
  const judged = judge(batch, [actor, { ...seen(batch), ...command }]);
  if (!judged.ok) return judged.refusal.code;
  return isNoChange(judged.value) ? 'no change' : 'changed';
};

const small = () => opened(transferOf(500));
const large = () => opened(transferOf(2_000));
const question = (reason = 'bank:ask', responseSchema?: Record<string, unknown>) =>
  opened({ interrupts: [{ id: 'i1', reason, ...(responseSchema ? { responseSchema } : {}) }] });

describe('deciding', () => {
  it('approves with one vote where one is enough', () => {
    const done = after(small(), [rita, { verb: 'approve' }]);
    expect(only(done)).toMatchObject({
      status: 'settled',
      rev: 1,
      decision: { kind: 'approved', by: ['rita'], at: NOON + 1, payload: { approved: true } },
    });
    expect(done.status).toEqual({ state: 'ready', attempt: 0, notBefore: NOON + 1 });
  });

  verifies('APR-7', 'approve waits for its quorum, and the same person twice is one vote', () => {
    const one = after(large(), [rita, { verb: 'approve' }]);
    expect(only(one)).toMatchObject({ status: 'open', rev: 1, votes: [{ by: 'rita', verb: 'approve' }] });
    expect(codeOf(one, rita, { verb: 'approve' })).toBe('no change');
    const two = after(one, [rolf, { verb: 'approve' }]);
    expect(only(two).decision).toMatchObject({ kind: 'approved', by: ['rita', 'rolf'] });
  });

  verifies(
    'APR-7',
    'one reject decides, also against votes cast, and so does the voter who changed their mind',
    () => {
      const voted = after(large(), [rita, { verb: 'approve' }]);
      for (const actor of [rolf, rita]) {
        const done = after(voted, [actor, { verb: 'reject', reason: 'No such payee.' }]);
        expect(only(done).decision).toMatchObject({
          kind: 'rejected',
          by: [actor.subject],
          payload: { approved: false, reason: 'No such payee.' },
        });
      }
    },
  );

  verifies('APR-7', 'where groups must differ, a second vote from the same group is barred', () => {
    const mandate = () => opened(transferOf(1, { calls: { c1: { name: 'openMandate', argsText: '{}' } } }));
    const one = after(mandate(), [rita, { verb: 'approve' }]);
    expect(judge(one, [rolf, { verb: 'approve', ...seen(one) }])).toMatchObject({
      refusal: { code: 'FORBIDDEN', details: { why: 'group' } },
    });
    expect(only(after(one, [cora, { verb: 'approve' }])).decision?.by).toEqual(['rita', 'cora']);
    const both = person('bea', ['reviewer'], ['advisors', 'compliance']);
    expect(only(after(one, [both, { verb: 'approve' }])).decision?.by).toEqual(['rita', 'bea']);
    const swapped = after(mandate(), [both, { verb: 'approve' }]);
    expect(only(after(swapped, [rita, { verb: 'approve' }])).status).toBe('settled');
  });

  verifies('APR-7', 'answers agree when their payloads are equal as canonical JSON', () => {
    const asked = question('bank:pair');
    const one = after(asked, [rita, { verb: 'respond', payload: { a: 1, b: [2] } }]);
    const other = after(one, [rolf, { verb: 'respond', payload: { a: 2, b: [2] } }]);
    expect(only(other).status).toBe('open');
    const agreed = after(other, [cora, { verb: 'respond', payload: { b: [2], a: 1.0 } }]);
    expect(only(agreed).decision).toMatchObject({ kind: 'responded', by: ['rita', 'cora'] });
  });

  verifies('APR-3', 'another tenant, another group and another customer have no such task', () => {
    const batch = small();
    for (const actor of [stranger, cora, carl, person('adam', ['admin']), person('teller', ['agent'])])
      expect(mayRead({ batch, task: only(batch), actor })).toBe(false);
    for (const actor of [rita, sven, olga]) expect(mayRead({ batch, task: only(batch), actor })).toBe(true);
    const theirs = question('input_required');
    expect(mayRead({ batch: theirs, task: only(theirs), actor: carl })).toBe(true);
    expect(mayRead({ batch: theirs, task: only(theirs), actor: rita })).toBe(false);
  });

  verifies('APR-5', 'the same answer by the same person is a success after the decision too', () => {
    const cases: readonly [Batch, Actor, DecideCommand][] = [
      [small(), rita, { verb: 'approve' }],
      [small(), rita, { verb: 'reject', reason: 'No.' }],
      [small(), rita, { verb: 'approve', editedArgs: { amount: 7 } }],
      [small(), olga, { verb: 'cancel', reason: 'Stuck.' }],
      [question(), rita, { verb: 'respond', payload: { answer: 42 } }],
    ];
    for (const [batch, actor, command] of cases) {
      const first = { ...seen(batch), ...command };
      const done = after(batch, [actor, first]);
      const again = judge(done, [actor, first], NOON + 10_000_000_000);
      expect(again).toMatchObject({ ok: true, value: { tasks: [] } });
    }
  });

  verifies('APR-4', 'who comes second with another answer learns who decided what and when', () => {
    const done = after(small(), [rita, { verb: 'approve' }]);
    const told = { code: 'ALREADY_DECIDED', details: { kind: 'approved', by: ['rita'], at: NOON + 1 } };
    const refusals: readonly Step[] = [
      [rolf, { verb: 'approve' }],
      [rita, { verb: 'reject' }],
      [rita, { verb: 'approve', editedArgs: { amount: 7 } }],
      [olga, { verb: 'cancel' }],
    ];
    for (const [actor, command] of refusals)
      expect(judge(done, [actor, { ...seen(done), ...command }])).toMatchObject({ refusal: told });
  });

  verifies('APR-25', 'refusals come in the contract’s order', () => {
    const wrong: DecideCommand = { verb: 'approve', rev: 9, proposalHash: 'x', payload: { no: 1 } };
    const batch = small();
    const order = (now: number, current: Batch, actor: Actor) => {
      const judged = judge(current, [actor, wrong], now);
      return judged.ok ? 'ok' : judged.refusal.code;
    };
    const claimed = withChange(batch, unwrap(claim(matterOf(batch, sven))));
    const late = only(batch).expiresAt;
    expect(order(late, claimed, olga)).toBe('EXPIRED');
    expect(order(NOON + 2, after(batch, [rolf, { verb: 'reject' }]), olga)).toBe('ALREADY_DECIDED');
    expect(order(NOON + 2, claimed, olga)).toBe('FORBIDDEN');
    expect(order(NOON + 2, claimed, rita)).toBe('CLAIM_LOST');
    expect(order(NOON + 2, batch, rita)).toBe('STALE_REVISION');
    expect(codeOf(batch, rita, { verb: 'approve', payload: { no: 1 } })).toBe('RESUME_PAYLOAD_INVALID');
  });

  verifies(
    'APR-25',
    'four eyes: whoever asked, and the thread’s owner, do not decide; operators cancel only',
    () => {
      const asker = person('rita', ['reviewer'], ['advisors']);
      const batch = opened(transferOf(500, { requesters: ['rita'] }));
      expect(judge(batch, [asker, { verb: 'approve', ...seen(batch) }])).toMatchObject({
        refusal: { code: 'FORBIDDEN', details: { why: 'requester' } },
      });
      expect(codeOf(batch, asker, { verb: 'reject', reason: 'No.' })).toBe('FORBIDDEN');
      const owner = person('carl', ['reviewer'], ['advisors']);
      expect(codeOf(batch, owner, { verb: 'approve' })).toBe('FORBIDDEN');
      for (const verb of ['approve', 'reject', 'respond'] as const)
        expect(codeOf(batch, olga, { verb })).toBe('FORBIDDEN');
      expect(codeOf(batch, olga, { verb: 'cancel' })).toBe('changed');
    },
  );

  verifies('APR-6', 'a stale revision or hash is refused, and so is an unnamed one over an edit', () => {
    const batch = small();
    const now = seen(batch);
    expect(codeOf(batch, rita, { verb: 'approve', rev: 7 })).toBe('STALE_REVISION');
    expect(codeOf(batch, rita, { verb: 'approve', proposalHash: 'other' })).toBe('STALE_REVISION');
    expect(judge(batch, [rita, { verb: 'approve' }]).ok).toBe(true);
    const edited = after(large(), [rita, { verb: 'approve', editedArgs: { amount: 1_500 } }]);
    expect(seen(edited).rev).toBe(2);
    expect(seen(edited).proposalHash).not.toBe(now.proposalHash);
    expect(judge(edited, [rolf, { verb: 'approve' }])).toMatchObject({ refusal: { code: 'STALE_REVISION' } });
  });

  verifies('APR-6', 'the hash names question, proposal and schema: change one and it is another', () => {
    const hash = (over: Partial<Parameters<typeof opened>[0]>) =>
      only(opened({ ...transferOf(500), ...over })).proposalHash;
    const base = { id: 'i1', reason: 'tool_call', toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA };
    const hashes = [
      hash({}),
      hash({ interrupts: [{ ...base, message: 'Wire it?' }] }),
      hash({ interrupts: [{ ...base, responseSchema: { type: 'object' } }] }),
      hash({ calls: { c1: { name: 'transfer', argsText: '{"amount":501}' } } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hash({})).toBe(hashes[0]);
  });

  verifies('APR-8', 'an edit voids earlier votes, replaces the arguments whole, and waits for others', () => {
    const voted = after(large(), [rita, { verb: 'approve' }]);
    const edited = after(voted, [rolf, { verb: 'approve', editedArgs: { amount: 1_500 } }]);
    expect(only(edited)).toMatchObject({
      status: 'open',
      rev: 2,
      votes: [],
      edit: { by: 'rolf', args: { amount: 1_500 } },
    });
    expect(judge(edited, [rolf, { verb: 'approve', ...seen(edited) }])).toMatchObject({
      refusal: { details: { why: 'editor' } },
    });
    const done = after(edited, [rita, { verb: 'approve' }], [sven, { verb: 'approve' }]);
    expect(only(done).decision).toMatchObject({
      by: ['rita', 'sven'],
      payload: { approved: true, editedArgs: { amount: 1_500 } },
      editedArgs: { amount: 1_500 },
    });
  });

  verifies(
    'APR-8',
    'without `forbid: editor` the editor’s own vote counts; the same arguments are no edit',
    () => {
      const done = after(small(), [rita, { verb: 'approve', editedArgs: { amount: 7 } }]);
      expect(only(done)).toMatchObject({
        rev: 2,
        decision: { payload: { approved: true, editedArgs: { amount: 7 } } },
      });
      const same = after(small(), [
        rita,
        { verb: 'approve', editedArgs: { to: 'ann', taxId: '12-34', amount: 500 } },
      ]);
      expect(only(same)).toMatchObject({ rev: 1, decision: { payload: { approved: true } } });
      expect(only(same).edit).toBeUndefined();
    },
  );

  verifies('APR-9', 'an edit into a stricter rule needs that rule’s quorum too', () => {
    const edited = after(small(), [rita, { verb: 'approve', editedArgs: { amount: 3_000 } }]);
    expect(only(edited)).toMatchObject({
      status: 'open',
      votes: [],
      edit: { ruling: { rule: 'large-transfer' } },
    });
    const one = after(edited, [rolf, { verb: 'approve' }]);
    expect(only(one).status).toBe('open');
    expect(only(after(one, [sven, { verb: 'approve' }])).status).toBe('settled');
  });

  verifies(
    'APR-9',
    'limits hold for what would run: a reviewer’s vote beyond them is forbidden, a supervisor’s is not',
    () => {
      const huge = opened(transferOf(9_000));
      expect(judge(huge, [rita, { verb: 'approve', ...seen(huge) }])).toMatchObject({
        refusal: { code: 'FORBIDDEN', details: { why: 'limit' } },
      });
      expect(codeOf(huge, sven, { verb: 'approve' })).toBe('changed');
      expect(codeOf(small(), rita, { verb: 'approve', editedArgs: { amount: 9_000 } })).toBe('FORBIDDEN');
      expect(codeOf(small(), rita, { verb: 'approve', editedArgs: { amount: 'much' } })).toBe('FORBIDDEN');
    },
  );

  verifies('APR-11', 'answers that do not fit are refused with where and why', () => {
    const asked = question('bank:ask', {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
    });
    const refused = judge(asked, [rita, { verb: 'respond', payload: { n: 'x' }, ...seen(asked) }]);
    expect(refused).toMatchObject({ refusal: { code: 'RESUME_PAYLOAD_INVALID' } });
    expect(JSON.stringify(refused)).toContain('"pointer":"/n"');
    const bad: readonly DecideCommand[] = [
      { verb: 'respond' },
      { verb: 'respond', payload: null },
      { verb: 'approve' },
      { verb: 'reject' },
      { verb: 'cancel', payload: {} },
      { verb: 'respond', payload: { n: 1, s: '\ud800' } },
      { verb: 'respond', payload: JSON.parse('{"n":1,"__proto__":{"admin":true}}') },
    ];
    for (const command of bad) expect(codeOf(asked, rita, command)).toBe('RESUME_PAYLOAD_INVALID');
    expect(codeOf(asked, rita, { verb: 'respond', payload: { n: 1 } })).toBe('changed');
  });

  verifies('APR-11', 'IN-15: edits only where the schema names editedArgs, whole, and only objects', () => {
    const noEdits = { type: 'object', properties: { approved: { type: 'boolean' } } };
    const deaf = opened(
      transferOf(500, {
        interrupts: [{ id: 'i1', reason: 'tool_call', toolCallId: 'c1', responseSchema: noEdits }],
      }),
    );
    expect(codeOf(deaf, rita, { verb: 'approve', editedArgs: { amount: 7 } })).toBe('RESUME_PAYLOAD_INVALID');
    expect(codeOf(small(), rita, { verb: 'approve', editedArgs: [7] })).toBe('RESUME_PAYLOAD_INVALID');
    expect(codeOf(small(), rita, { verb: 'reject', editedArgs: { amount: 7 } })).toBe(
      'RESUME_PAYLOAD_INVALID',
    );
  });

  verifies('APR-11', 'where the schema cannot say no, only cancel is left', () => {
    const yesOnly = {
      type: 'object',
      properties: { approved: { const: true, type: 'boolean' } },
      required: ['approved'],
    };
    const batch = opened({ interrupts: [{ id: 'i1', reason: 'confirmation', responseSchema: yesOnly }] });
    expect(only(batch).takes).toMatchObject({ approve: true, reject: false });
    expect(codeOf(batch, rita, { verb: 'reject', reason: 'No.' })).toBe('RESUME_PAYLOAD_INVALID');
    expect(only(after(batch, [rita, { verb: 'cancel' }])).decision).toMatchObject({ kind: 'cancelled' });
  });

  verifies(
    'APR-11',
    'a reason is asked for where the rule wants one, and kept beside a schema without room',
    () => {
      expect(codeOf(large(), rita, { verb: 'reject' })).toBe('RESUME_PAYLOAD_INVALID');
      expect(codeOf(large(), rita, { verb: 'reject', reason: '  ' })).toBe('RESUME_PAYLOAD_INVALID');
      const strict = {
        type: 'object',
        properties: { approved: { type: 'boolean' } },
        additionalProperties: false,
      };
      const batch = opened({ interrupts: [{ id: 'i1', reason: 'confirmation', responseSchema: strict }] });
      const done = after(batch, [rita, { verb: 'reject', reason: 'Too risky.' }]);
      expect(only(done).decision).toMatchObject({ payload: { approved: false }, reason: 'Too risky.' });
    },
  );

  verifies('APR-13', 'nothing is decided at or after the deadline', () => {
    const batch = small();
    const { expiresAt } = only(batch);
    expect(judge(batch, [rita, { verb: 'approve' }], expiresAt - 1).ok).toBe(true);
    for (const verb of ['approve', 'reject', 'cancel'] as const)
      expect(judge(batch, [rita, { verb }], expiresAt)).toMatchObject({ refusal: { code: 'EXPIRED' } });
  });

  verifies('APR-14', 'the last of several tasks makes the batch ready, no other does', () => {
    const two = opened({
      interrupts: [
        { id: 'a', reason: 'confirmation' },
        { id: 'b', reason: 'confirmation' },
      ],
    });
    const [a, b] = two.tasks;
    if (!a || !b) throw new Error('two tasks');
    const first = decide(matterOf(two, rita, { task: a }), { verb: 'approve' }, ruleOnTransfer);
    expect(unwrap(first).status).toBeUndefined();
    const second = decide(
      matterOf(withChange(two, unwrap(first)), rita, { task: b }),
      { verb: 'reject' },
      ruleOnTransfer,
    );
    expect(unwrap(second).status).toMatchObject({ state: 'ready' });
  });
});

function unwrap<T>(result: { ok: true; value: T } | { ok: false; refusal: { code: string } }): T {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
}
