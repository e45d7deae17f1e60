/** Who may do what at the doors that are about no one thing: agents' lists, tickets, ingest, and the doors that ask for no token. */
import { frame, get, post, type Row } from '../row.js';
import type { Kind } from '../stage.js';
import { ALL, AS_CUSTOMER, AS_OPERATOR, AS_REVIEWER, NO, REST, THREAD } from './answers.js';

const ANYBODY = { ok: `${ALL} TOKENLESS` };

const OPEN: readonly Row[] = [
  get('/health/live', 'idle', ANYBODY),
  get('/health/ready', 'idle', ANYBODY),
  get('/v1/config', 'idle', ANYBODY),
  get('/.well-known/jwks.json', 'idle', ANYBODY),
  // Where METRICS_TOKEN is set they want that token, whoever asks.
  get('/metrics', 'idle', ANYBODY),
  get('/docs', 'idle', ANYBODY),
  // Whoever signs shows no token; where no bridge is set up there is nothing.
  ...['decisions', 'slack/interactions', 'slack/events', 'teams/messages'].map((door) =>
    post(`/v1/bridges/${door}`, 'idle', { NOT_FOUND: `${ALL} TOKENLESS` }, { body: () => ({}) }),
  ),
  post('/v1/dev/token', 'idle', ANYBODY, { body: () => ({ sub: 'x', roles: [] }) }),
];

const ticket = (surface: string, answers: Row['answers'], threads: boolean): Row =>
  post('/v1/tickets', 'pay', answers, {
    what: `a ticket for ${threads ? 'a thread on ' : ''}${surface}`,
    ...(threads ? { names: THREAD } : {}),
    body: ({ thread }) => ({ surface, ...(threads ? { threadId: thread } : {}) }),
  });

const TICKETS: readonly Row[] = [
  ticket(
    'customer',
    {
      ok: 'owner other twin foreignOwner',
      FORBIDDEN:
        'candidate outsider supervisor stranger operator OFFICE AGENTS ROLELESS foreignCandidate foreignSupervisor foreignOperator',
      ...NO,
    },
    false,
  ),
  ticket(
    'reviewer',
    {
      ok: 'twin candidate outsider supervisor stranger foreignCandidate foreignSupervisor',
      FORBIDDEN: 'owner other operator OFFICE AGENTS ROLELESS foreignOwner foreignOperator',
      ...NO,
    },
    false,
  ),
  ticket(
    'operator',
    {
      ok: 'operator foreignOperator',
      FORBIDDEN:
        'owner other twin candidate outsider supervisor stranger OFFICE AGENTS ROLELESS foreignOwner foreignCandidate foreignSupervisor',
      ...NO,
    },
    false,
  ),
  ticket('customer', AS_CUSTOMER, true),
  ticket('reviewer', AS_REVIEWER, true),
  ticket('operator', AS_OPERATOR, true),
];

/** One that nobody knows yet: an agent may begin with it, if the thread is its own. */
const PRODUCER = { 'producer-id': 'q', 'producer-epoch': '0', 'producer-seq': '0' };
const NO_PUSHER =
  'owner other twin candidate outsider supervisor stranger operator OFFICE told ROLELESS FOREIGN';
const push = (of: Kind, answers: Row['answers']): Row => ({
  what: `push to ${of}`,
  of,
  names: THREAD,
  http: {
    door: 'POST /v1/threads/:thread/events',
    asked: ({ thread }) => ({
      path: `/v1/threads/${thread}/events`,
      headers: PRODUCER,
      body: [{ type: 'CUSTOM', name: 'note', value: 1 }],
    }),
  },
  answers,
});

const INGEST: readonly Row[] = [
  push('pushed', {
    // Outside of a run this event is none: an agent of its own thread hears that.
    INVALID_INPUT: 'engine',
    NOT_FOUND: 'rival mask foreignEngine',
    FORBIDDEN: NO_PUSHER,
    ...NO,
  }),
  push('idle', { NOT_FOUND: 'engine rival mask foreignEngine', FORBIDDEN: NO_PUSHER, ...NO }),
];

const IN_VIEW = {
  ok: 'owner other twin candidate outsider supervisor stranger operator FOREIGN',
};
const named = ({ thread }: { readonly thread: string }) => ({ threadId: thread });

/** What only the sockets of the surfaces are asked. */
const FRAMES: readonly Row[] = [
  frame(
    'subscribe',
    'pay',
    {
      ok: 'owner twin candidate supervisor operator',
      NOT_FOUND: 'other outsider stranger FOREIGN',
    },
    { names: THREAD, data: named },
  ),
  frame(
    'subscribe',
    'idle',
    { ok: 'owner twin operator', NOT_FOUND: 'other FOREIGN' },
    { names: THREAD, data: named, on: ['customer', 'operator'] },
  ),
  frame(
    'subscribe',
    'idle',
    { NOT_FOUND: 'twin candidate outsider supervisor stranger FOREIGN' },
    { names: THREAD, data: named, on: ['reviewer'] },
  ),
  frame('unsubscribe', 'pay', IN_VIEW, { names: THREAD, data: named }),
  frame('ack', 'pay', IN_VIEW, { names: THREAD, data: (things) => ({ ...named(things), pos: 'p' }) }),
  frame('ping', 'pay', IN_VIEW),
  frame('inbox.unsubscribe', 'pay', IN_VIEW),
  frame(
    'auth',
    'pay',
    { FORBIDDEN: 'other candidate outsider supervisor stranger operator FOREIGN', ok: 'owner twin' },
    {
      what: 'auth with the token of an owner who reviews',
      data: (_things, { twin = '' }) => ({ token: twin }),
      on: ['reviewer', 'operator'],
    },
  ),
  frame(
    'auth',
    'pay',
    { UNAUTHENTICATED: 'owner other twin candidate outsider supervisor stranger operator FOREIGN' },
    { what: 'auth with a forged token', data: (_things, { forged = '' }) => ({ token: forged }) },
  ),
  frame(
    'run',
    'idle',
    { FORBIDDEN: 'twin candidate outsider supervisor stranger FOREIGN' },
    {
      names: THREAD,
      on: ['reviewer'],
      data: ({ thread }) => ({ agentId: 'told', threadId: thread, messages: [] }),
    },
  ),
];

const NO_OPERATOR = `owner other twin candidate outsider supervisor stranger ${REST} foreignOwner foreignCandidate foreignSupervisor`;
const LETTERS: readonly Row[] = [
  get('/v1/deadletters', 'idle', { ok: 'operator foreignOperator', FORBIDDEN: NO_OPERATOR, ...NO }),
  // There is none of this name.
  post(
    '/v1/deadletters/:id/resend',
    'idle',
    { NOT_FOUND: 'operator foreignOperator', FORBIDDEN: NO_OPERATOR, ...NO },
    { body: () => ({}) },
  ),
];

export const OTHERS: readonly Row[] = [
  ...LETTERS,
  ...OPEN,
  ...['/v1/agents', '/copilotkit/info'].map((door) =>
    get(door, 'idle', {
      ok: 'owner other twin candidate outsider supervisor stranger operator OFFICE AGENTS FOREIGN',
      FORBIDDEN: 'ROLELESS',
      ...NO,
    }),
  ),
  ...TICKETS,
  // Before auditors lose their role.
  ...['/v1/audit', '/v1/audit/export', '/v1/audit/checkpoints'].map((door) =>
    get(door, 'idle', {
      ok: 'auditor',
      FORBIDDEN:
        'owner other twin candidate outsider supervisor stranger operator admin AGENTS ROLELESS FOREIGN',
      ...NO,
    }),
  ),
  get('/v1/health', 'idle', { ok: 'operator foreignOperator', FORBIDDEN: NO_OPERATOR, ...NO }),
  get('/v1/policy', 'idle', {
    ok: 'operator admin foreignOperator',
    FORBIDDEN:
      'owner other twin candidate outsider supervisor stranger auditor AGENTS ROLELESS foreignOwner foreignCandidate foreignSupervisor',
    ...NO,
  }),
  ...['jti', 'sub', 'role'].map((what) =>
    post(
      '/v1/revocations',
      'idle',
      {
        ok: 'admin',
        FORBIDDEN:
          'owner other twin candidate outsider supervisor stranger operator auditor AGENTS ROLELESS FOREIGN',
        ...NO,
      },
      { what: `revoking a ${what}`, body: () => ({ [what]: what === 'role' ? 'auditor' : 'never-was' }) },
    ),
  ),
  ...INGEST,
  ...FRAMES,
];
