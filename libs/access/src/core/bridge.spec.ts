import { verifies } from '../../../../test/spec/verifies.js';
import { type Actor, actorFromClaims, BRIDGE, MAX_TOKEN_LIFE_MS, ROLES } from './actor.js';
import { type BridgedBy, type LinkedPerson, spokenFor } from './bridge.js';
import { can, denial, roleFor, why } from './can.js';
import { CAPABILITIES } from './capability-table.js';
import type { Action, Facts, TaskFacts } from './facts.js';
import { Revocations } from './revocations.js';

const NOW = 2 * MAX_TOKEN_LIFE_MS;
const BY: readonly BridgedBy[] = ['slack', 'teams', 'webhook', 'mail'];

const person = (more: Partial<LinkedPerson> = {}): LinkedPerson => ({
  subject: 'ada',
  tenant: 'default',
  roles: ['reviewer'],
  groups: ['advisors'],
  ...more,
});
const spoken = (via: BridgedBy, of: LinkedPerson): Actor => {
  const actor = spokenFor({ via, now: NOW }, of);
  if (!actor.ok) throw new Error(actor.refusal.code);
  return actor.value;
};
const task = (more: Partial<TaskFacts> = {}): TaskFacts => ({
  tenant: 'default',
  audience: 'reviewer',
  groups: ['advisors'],
  approvable: true,
  owner: 'cust',
  requesters: ['cust'],
  forbid: ['requester'],
  chat: true,
  ...more,
});

/** Facts that most conditions say yes to. */
const WIDE: Facts = {
  ...task({ groups: [], forbid: [] }),
  owner: 'ada',
  deciders: ['ada'],
  agentId: 'ada',
  starters: ROLES,
  tasks: [task()],
  now: 0,
};
const ACTIONS = [...new Set(ROLES.flatMap((role) => Object.keys(CAPABILITIES[role])))] as Action[];

/** Whoever may be spoken for, whatever is asked. */
const EVERYTHING = BY.flatMap((via) =>
  [[], ...ROLES.filter((role) => role !== 'agent').map((role) => [role])].flatMap((roles) =>
    (['customer', 'reviewer', 'operator'] as const).flatMap((surface) =>
      (['reviewer', 'customer'] as const).flatMap((audience) =>
        ACTIONS.map((action) => ({
          actor: spoken(via, person({ roles })),
          action,
          facts: { ...WIDE, surface, audience } as never,
        })),
      ),
    ),
  ),
);

describe('what is done through a bridge', () => {
  verifies('ACC-71', 'threat 8: is nothing where nobody is linked, and an agent is nobody', () => {
    for (const via of BY)
      for (const nobody of [
        undefined,
        person({ roles: ['agent'] }),
        person({ roles: ['reviewer', 'agent'] }),
      ])
        expect(spokenFor({ via, now: NOW }, nobody)).toMatchObject({
          ok: false,
          refusal: { code: 'FORBIDDEN' },
        });
  });

  verifies('ACC-71', 'threat 8: is never what a token asks for in a bridge’s own name', () => {
    const claims = { sub: 'ada', tenant: 'default', roles: [BRIDGE], exp: NOW / 1000 + 60, iat: NOW / 1000 };
    const actor = actorFromClaims(claims, { now: NOW });
    expect(actor).toMatchObject({ ok: true, value: { roles: [] } });
  });

  verifies('ACC-71', 'threat 8: never exceeds the rights of its person, whatever they are and ask', () => {
    const allowed = EVERYTHING.filter(({ actor, action, facts }) => {
      const { through: _none, ...self } = actor;
      const inChat = can(actor, action, facts);
      expect([action, inChat && !can(self, action, facts)]).toEqual([action, false]);
      expect([action, roleFor(actor, action, facts) !== undefined]).toEqual([action, inChat]);
      return inChat;
    });
    expect(allowed.length).toBeGreaterThan(100);
    for (const { action } of allowed)
      expect([action, CAPABILITIES[BRIDGE][action] !== undefined]).toEqual([action, true]);
  });

  verifies('ACC-71', 'is the person’s own: what was taken back from them is taken back there', () => {
    const revoked = new Revocations();
    revoked.note({ tenant: 'default', by: 'sub', name: 'ada', at: NOW - 1000 });
    expect(revoked.judge(spoken('slack', person())).ok).toBe(false);
    expect(revoked.judge(spoken('slack', person({ linkedAt: NOW - 2000 }))).ok).toBe(false);
    expect(revoked.judge(spoken('slack', person({ linkedAt: NOW }))).ok).toBe(true);
    expect(spoken('mail', person()).issuedAt).toBe(NOW - MAX_TOKEN_LIFE_MS);
  });

  verifies('ACC-70', 'decides where its rule says so, and says why where it does not', () => {
    for (const via of BY)
      for (const action of [
        'task.approve',
        'task.reject',
        'task.respond',
        'task.edit',
        'task.cancel',
      ] as const) {
        const actor = spoken(via, person());
        expect([via, action, can(actor, action, task())]).toEqual([via, action, true]);
        for (const quiet of [task({ chat: false }), without(task())]) {
          expect([via, action, can(actor, action, quiet)]).toEqual([via, action, false]);
          expect(denial(actor, action, quiet)?.mayNot).toBeUndefined();
          expect(why(actor, action, quiet)).toContain('its rule does not have it decided in chat');
        }
      }
    const own = spoken('slack', person({ subject: 'cust' }));
    expect(denial(own, 'task.approve', task())?.mayNot).toBe('requester');
  });

  verifies(
    'ACC-70',
    'is reading, claiming, releasing and commenting under every rule, and nothing beside',
    () => {
      const actor = spoken('teams', person({ roles: ['supervisor', 'operator', 'admin', 'auditor'] }));
      const through = ACTIONS.filter((action) => can(actor, action, { ...WIDE, chat: false } as never));
      expect(through.toSorted()).toEqual([
        ...['task.claim', 'task.comment', 'task.heartbeat', 'task.list', 'task.read', 'task.release'],
        'thread.read',
      ]);
    },
  );
});

const without = ({ chat: _chat, ...rest }: TaskFacts): TaskFacts => rest;
