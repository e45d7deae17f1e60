/** Who may read, list and make threads. */
import { randomUUID } from 'node:crypto';
import { get, post, type Row } from '../row.js';
import {
  AS_CUSTOMER,
  AS_OPERATOR,
  AS_REVIEWER,
  NO,
  OPERATORS_OF_A_THREAD,
  READERS,
  REST,
  THREAD,
} from './answers.js';

const READS = [
  '/v1/threads/:thread',
  '/v1/threads/:thread/snapshot',
  '/v1/threads/:thread/events',
  '/v1/threads/:thread/runs/:run',
  '/v1/threads/:thread/runs/:run/tree',
];

export const THREADS: readonly Row[] = [
  get(
    '/v1/threads',
    'pay',
    {
      ok: 'owner other twin candidate outsider supervisor stranger operator FOREIGN',
      FORBIDDEN: REST,
      ...NO,
    },
    { names: THREAD, lists: true },
  ),
  ...READS.flatMap((door) => [
    get(door, 'pay', READERS.pay, { names: THREAD }),
    get(door, 'idle', READERS.idle, { names: THREAD }),
    get(door, 'pay', AS_OPERATOR, { names: THREAD, query: '?surface=operator' }),
    get(door, 'pay', AS_REVIEWER, { names: THREAD, query: '?surface=reviewer' }),
    get(door, 'pay', AS_CUSTOMER, { names: THREAD, query: '?surface=customer' }),
  ]),
  get('/v1/threads/:thread/snapshot', 'pay', OPERATORS_OF_A_THREAD, { names: THREAD, query: '?at=1' }),
  get('/v1/threads/:thread/log', 'pay', OPERATORS_OF_A_THREAD, { names: THREAD }),
  post('/v1/threads/:thread/reveal', 'pay', AS_REVIEWER, {
    names: THREAD,
    body: () => ({ pointer: '/account/iban', reason: 'The bank asks.' }),
  }),
  get('/v1/threads/:thread/findings', 'pay', OPERATORS_OF_A_THREAD, { names: THREAD }),
  get('/v1/threads/:thread/subscribers', 'pay', OPERATORS_OF_A_THREAD, { names: THREAD }),
  post(
    '/v1/threads',
    'idle',
    {
      ok: 'owner other twin operator admin told foreignOwner foreignOperator',
      FORBIDDEN:
        'candidate outsider supervisor stranger auditor engine rival mask foreignEngine ROLELESS foreignCandidate foreignSupervisor',
      ...NO,
    },
    { what: 'a new thread', body: () => ({ threadId: randomUUID(), agentId: 'told' }) },
  ),
  post(
    '/v1/threads',
    'idle',
    {
      ok: 'owner twin operator admin told foreignOwner foreignOperator',
      FORBIDDEN:
        'other candidate outsider supervisor stranger auditor engine rival mask foreignEngine ROLELESS foreignCandidate foreignSupervisor',
      ...NO,
    },
    {
      what: 'a new thread for amelia',
      body: () => ({ threadId: randomUUID(), agentId: 'told', owner: 'amelia' }),
    },
  ),
  post(
    '/v1/threads',
    'idle',
    {
      ok: 'owner twin',
      // It belongs to somebody else, and not to whom they would make it for.
      NOT_FOUND: 'other operator admin told foreignOwner foreignOperator',
      FORBIDDEN:
        'candidate outsider supervisor stranger auditor engine rival mask foreignEngine ROLELESS foreignCandidate foreignSupervisor',
      ...NO,
    },
    {
      what: 'a thread that is there already',
      makes: true,
      names: THREAD,
      body: ({ thread }) => ({ threadId: thread, agentId: 'told' }),
    },
  ),
];
