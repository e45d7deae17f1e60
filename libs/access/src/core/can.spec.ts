import { verifies } from '../../../../test/spec/verifies.js';
import { ROLES } from './actor.js';
import type { Actor, Role } from './actor.js';
import { can, denial, permit, why } from './can.js';
import { CAPABILITIES } from './capability-table.js';
import { REVIEW_MEMORY_MS } from './conditions.js';
import type { Action, Facts, TaskFacts, ThreadFacts } from './facts.js';
import { globMatches } from './glob.js';
import { surfaceFor } from './surface-for.js';

const actor = (roles: Role[], more: Partial<Actor> = {}): Actor => ({
  subject: 'ada',
  tenant: 'default',
  roles,
  groups: [],
  issuedAt: 0,
  expiresAt: 1,
  ...more,
});
const thread = (more: Partial<ThreadFacts> = {}): ThreadFacts => ({
  tenant: 'default',
  owner: 'ada',
  agentId: 'bank',
  starters: ['customer', 'operator'],
  tasks: [],
  now: 0,
  ...more,
});
const task = (more: Partial<TaskFacts> = {}): TaskFacts => ({
  tenant: 'default',
  audience: 'reviewer',
  groups: ['advisors'],
  approvable: true,
  owner: 'cust',
  requesters: ['cust'],
  forbid: ['requester'],
  ...more,
});
const advisor = actor(['reviewer'], { groups: ['advisors'] });

/** Facts that every condition would say yes to, of another tenant. */
const ELSEWHERE: Facts = {
  ...task({ owner: 'ada', groups: [], forbid: [] }),
  ...thread({ tasks: [task({ groups: [] })] }),
  agentId: 'ada',
  surface: 'customer',
  tenant: 'other',
};
const ACTIONS = [...new Set(ROLES.flatMap((role) => Object.keys(CAPABILITIES[role])))] as Action[];

describe('what an actor may do', () => {
  verifies('ACC-3', 'is nothing with what belongs to another tenant, whatever the role', () => {
    for (const role of ROLES)
      for (const action of ACTIONS) {
        expect(can(actor([role]), action, ELSEWHERE as never)).toBe(false);
        expect(denial(actor([role]), action, ELSEWHERE as never)?.mayNot).toBeUndefined();
      }
  });

  verifies('ACC-4', 'is nothing without a role, and nothing the table does not give the role', () => {
    for (const action of ACTIONS)
      expect(can(actor([]), action, { ...ELSEWHERE, tenant: 'default' } as never)).toBe(false);
    for (const role of ROLES)
      for (const action of ACTIONS)
        if (CAPABILITIES[role][action] === undefined)
          expect(can(actor([role]), action, { ...ELSEWHERE, tenant: 'default' } as never)).toBe(false);
  });

  it.each<[Role, Action[]]>([
    [
      'customer',
      ['log.read', 'task.list', 'task.claim', 'batch.mend', 'events.push', 'audit.read', 'run.extend'],
    ],
    [
      'reviewer',
      ['run.start', 'run.cancel', 'log.read', 'task.takeover', 'task.assign', 'batch.mend', 'thread.create'],
    ],
    [
      'operator',
      ['task.approve', 'task.reject', 'task.respond', 'task.edit', 'task.claim', 'audit.read', 'events.push'],
    ],
    ['agent', ['task.read', 'task.claim', 'task.approve', 'thread.read', 'run.start', 'log.read']],
    ['auditor', ['thread.read', 'task.read', 'surface.open', 'log.read']],
    ['admin', ['thread.read', 'task.read', 'surface.open', 'run.start']],
  ])('a %s never has %j', (role, actions) => {
    for (const action of actions) expect(CAPABILITIES[role][action]).toBeUndefined();
  });

  it('with a thread follows ownership, tenancy and the customer’s own surface (SE-05)', () => {
    const customer = actor(['customer']);
    for (const action of ['thread.read', 'run.start', 'run.resume', 'run.cancel'] as const) {
      expect(can(customer, action, thread())).toBe(true);
      expect(can(customer, action, thread({ owner: 'bob' }))).toBe(false);
      expect(can(actor(['operator']), action, thread({ owner: 'bob' }))).toBe(true);
    }
    expect(can(customer, 'thread.read', thread({ surface: 'reviewer' }))).toBe(false);
    expect(can(customer, 'thread.read', thread({ surface: 'customer' }))).toBe(true);
    expect(can(customer, 'run.start', thread({ starters: ['operator'] }))).toBe(false);
    expect(can(actor(['customer', 'reviewer']), 'thread.read', thread({ surface: 'reviewer' }))).toBe(false);
  });

  verifies(
    'HUB-110',
    'on a surface’s socket starts runs by the role that has the surface, or not at all',
    () => {
      const starts = (roles: Role[], surface: ThreadFacts['surface']) =>
        can(actor(roles), 'run.start', thread(surface ? { surface } : {}));
      for (const surface of [undefined, 'customer', 'operator'] as const)
        expect([surface, starts(['customer', 'reviewer', 'operator'], surface)]).toEqual([surface, true]);
      expect(starts(['customer', 'reviewer', 'operator'], 'reviewer')).toBe(false);
      expect(starts(['customer', 'reviewer'], 'operator')).toBe(false);
      expect(starts(['operator'], 'customer')).toBe(false);
    },
  );

  verifies('ACC-6', 'a reviewer sees a thread while and 30 days after it has a task for them', () => {
    const reads = (tasks: ThreadFacts['tasks'], now = 0) =>
      can(advisor, 'thread.read', thread({ owner: 'cust', tasks, now }));
    expect(reads([])).toBe(false);
    expect(reads([task()])).toBe(true);
    expect(reads([task({ groups: [] })])).toBe(true);
    expect(reads([task({ groups: ['refunds'] })])).toBe(false);
    expect(reads([task({ audience: 'customer' })])).toBe(false);
    expect(reads([task({ approvable: false })])).toBe(false);
    expect(reads([task({ closedAt: 5 })], 5 + REVIEW_MEMORY_MS)).toBe(true);
    expect(reads([task({ closedAt: 5 })], 6 + REVIEW_MEMORY_MS)).toBe(false);
    expect(can(advisor, 'thread.read', thread({ owner: 'cust', tasks: [task()], surface: 'operator' }))).toBe(
      false,
    );
  });

  verifies('ACC-6', 'a task is decided in its own groups only (SE-14)', () => {
    for (const action of [
      'task.read',
      'task.claim',
      'task.approve',
      'task.reject',
      'task.respond',
      'task.reveal',
    ] as const) {
      expect(can(advisor, action, task())).toBe(true);
      expect(can(advisor, action, task({ groups: ['deploy'] }))).toBe(false);
      expect(can(actor(['customer'], { groups: ['advisors'] }), action, task({ owner: 'ada' }))).toBe(false);
    }
    expect(denial(advisor, 'task.approve', task({ groups: ['deploy'] }))?.mayNot).toBe('group');
  });

  verifies('ACC-7', 'whoever asked, owns or edited does not decide', () => {
    for (const action of ['task.approve', 'task.reject', 'task.respond'] as const) {
      expect(denial(advisor, action, task({ requesters: ['cust', 'ada'] }))?.mayNot).toBe('requester');
      expect(denial(advisor, action, task({ owner: 'ada' }))?.mayNot).toBe('requester');
      expect(denial(advisor, action, task({ editor: 'ada', forbid: ['requester', 'editor'] }))?.mayNot).toBe(
        'editor',
      );
      expect(can(advisor, action, task({ editor: 'ada' }))).toBe(true);
      expect(can(advisor, action, task({ owner: 'ada', forbid: [] }))).toBe(true);
    }
    expect(denial(advisor, 'task.claim', task({ owner: 'ada' }))?.mayNot).toBe('requester');
    const twin = actor(['customer', 'reviewer'], { groups: ['advisors'] });
    expect(denial(twin, 'task.approve', task({ owner: 'ada' }))?.mayNot).toBe('requester');
    expect(can(advisor, 'task.edit', task({ editor: 'ada', forbid: ['editor'] }))).toBe(true);
    expect(can(advisor, 'task.read', task({ owner: 'ada' }))).toBe(true);
  });

  verifies(
    'ACC-13',
    'a vote beyond a role’s limit is forbidden, and a higher role’s limit may still hold',
    () => {
      const beyond = task({ withinLimits: { reviewer: false, supervisor: true } });
      expect(denial(advisor, 'task.approve', beyond)?.mayNot).toBe('limit');
      expect(can(actor(['supervisor'], { groups: ['advisors'] }), 'task.approve', beyond)).toBe(true);
      expect(can(actor(['reviewer', 'supervisor'], { groups: ['advisors'] }), 'task.approve', beyond)).toBe(
        true,
      );
    },
  );

  it('with a question to a customer is for its owner alone', () => {
    const own = task({ audience: 'customer', groups: [], owner: 'ada', forbid: [] });
    for (const action of ['task.read', 'task.respond', 'task.approve', 'task.cancel'] as const) {
      expect(can(actor(['customer']), action, own)).toBe(true);
      expect(can(actor(['customer'], { subject: 'eve' }), action, own)).toBe(false);
      expect(can(advisor, action, own)).toBe(false);
    }
  });

  it('as an agent is to write to its own threads', () => {
    const agent = actor(['agent'], { subject: 'bank' });
    expect(can(agent, 'events.push', thread())).toBe(true);
    expect(can(agent, 'events.push', thread({ agentId: 'shop' }))).toBe(false);
    expect(
      can(agent, 'thread.create', { tenant: 'default', agentId: 'bank', owner: 'cust', starters: [] }),
    ).toBe(true);
  });

  verifies('ACC-72', 'is explained in a sentence, and a refusal carries it', () => {
    expect(why(advisor, 'task.approve', task())).toBe('You may do this: you are a candidate for the task.');
    expect(why(advisor, 'task.approve', task({ owner: 'ada' }))).toBe(
      'You may not do this: you asked for it yourself.',
    );
    expect(why(advisor, 'log.read', thread())).toBe('You may not do this: none of your roles allows it.');
    expect(why(advisor, 'task.read', task({ tenant: 'x' }))).toBe(
      'You may not do this: it belongs to another tenant.',
    );
    for (const action of ACTIONS)
      for (const role of ROLES) {
        const asked = { ...ELSEWHERE, tenant: 'default' } as never;
        const permitted = permit(actor([role]), action, asked);
        expect(permitted.ok).toBe(can(actor([role]), action, asked));
        if (!permitted.ok)
          expect(permitted.refusal).toMatchObject({
            ...{ code: 'FORBIDDEN', message: why(actor([role]), action, asked) },
          });
      }
  });
});

describe('the surface of a call', () => {
  verifies(
    'ACC-5',
    'is the customer’s for the owner acting as customer, else the highest; asking chooses within rights',
    () => {
      const of = (roles: Role[], asked?: string, owner = 'bob') =>
        surfaceFor(actor(roles), { owner, ...(asked === undefined ? {} : { asked }) });
      expect(of(['customer'])).toBe('customer');
      expect(of(['reviewer', 'customer'])).toBe('reviewer');
      expect(of(['operator', 'reviewer', 'customer'])).toBe('operator');
      expect(of(['operator', 'customer'], undefined, 'ada')).toBe('customer');
      expect(of(['operator'], undefined, 'ada')).toBe('operator');
      expect(of(['supervisor'])).toBe('reviewer');
      for (const surface of ['customer', 'reviewer', 'operator'])
        expect(of(['operator'], surface)).toBe(surface);
      expect(of(['reviewer'], 'operator')).toBeUndefined();
      expect(of(['reviewer'], 'customer')).toBeUndefined();
      expect(of(['customer'], 'toString')).toBeUndefined();
      for (const role of ['auditor', 'admin', 'agent'] as const) expect(of([role])).toBeUndefined();
    },
  );

  it('may be opened by its own role only', () => {
    const opens = (role: Role) =>
      (['customer', 'reviewer', 'operator'] as const).filter((surface) =>
        can(actor([role]), 'surface.open', { tenant: 'default', surface }),
      );
    expect(ROLES.map((role) => [role, ...opens(role)])).toEqual([
      ['customer', 'customer'],
      ['reviewer', 'reviewer'],
      ['supervisor', 'reviewer'],
      ['operator', 'operator'],
      ['auditor'],
      ['admin'],
      ['agent'],
    ]);
  });
});

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abbd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*b*', 'abc', true],
    ['risk:*', 'risk:high', true],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['**', 'x', true],
    ['a*', 'ba', false],
  ])('%s against %s is %s', (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected);
  });

  it('is quick with many stars', () => {
    expect(globMatches(`${'a*'.repeat(30)}b`, 'a'.repeat(20_000))).toBe(false);
  });
});
