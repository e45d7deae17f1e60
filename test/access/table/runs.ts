/** Who may start, answer, watch and stop runs. */
import { randomUUID } from 'node:crypto';
import { post, type Row, run } from '../row.js';
import type { Kind, Things } from '../stage.js';
import { ALL, NO, OPERATORS_OF_A_THREAD, REST, THREAD } from './answers.js';

const cancel = (of: Kind, answers: Row['answers']): Row => ({
  ...post('/v1/threads/:thread/runs/:run/cancel', of, answers, { body: () => ({}), names: THREAD }),
  frame: ({ thread, run: runId }) => ({ event: 'cancel', data: { threadId: thread, runId } }),
});

const OURS: readonly Row[] = [
  run(
    'a new thread',
    'idle',
    {
      ok: 'owner other twin operator foreignOwner foreignOperator',
      FORBIDDEN: `candidate outsider supervisor stranger ${REST} foreignCandidate foreignSupervisor`,
      ...NO,
    },
    { input: () => ({ threadId: randomUUID() }), on: ['customer', 'operator'] },
  ),
  run(
    'a new thread with an agent for staff',
    'idle',
    {
      ok: 'operator foreignOperator',
      FORBIDDEN: `owner other twin candidate outsider supervisor stranger ${REST} foreignOwner foreignCandidate foreignSupervisor`,
      ...NO,
    },
    { input: () => ({ threadId: randomUUID() }), agent: 'staff' },
  ),
  run(
    'a thread that is there',
    'idle',
    {
      ok: 'owner twin operator',
      NOT_FOUND: 'other foreignOwner foreignOperator',
      FORBIDDEN: `candidate outsider supervisor stranger ${REST} foreignCandidate foreignSupervisor`,
      ...NO,
    },
    { input: () => ({}), names: THREAD, makes: true, on: ['customer', 'operator'] },
  ),
  run(
    'a thread under review',
    'pay',
    {
      // A question is open: the owner is told so, and nothing runs.
      RESUME_REQUIRED: 'owner twin operator',
      NOT_FOUND: 'other foreignOwner foreignOperator',
      FORBIDDEN: `candidate outsider supervisor stranger ${REST} foreignCandidate foreignSupervisor`,
      ...NO,
    },
    { input: () => ({}), names: THREAD, makes: true, on: ['customer', 'operator'] },
  ),
  run(
    'a thread with an agent for staff',
    'idle',
    {
      THREAD_BINDING_CONFLICT: 'operator',
      NOT_FOUND: 'foreignOperator',
      FORBIDDEN: `owner other twin candidate outsider supervisor stranger ${REST} foreignOwner foreignCandidate foreignSupervisor`,
      ...NO,
    },
    { input: () => ({}), agent: 'staff', names: THREAD, makes: true },
  ),
  run(
    'an agent that is not there',
    'idle',
    { NOT_FOUND: ALL, ...NO },
    { input: () => ({ threadId: randomUUID() }), agent: 'never-was', on: ['customer', 'operator'] },
  ),
  run(
    'an answer for a reviewer',
    'pay',
    {
      ok: 'candidate supervisor',
      FORBIDDEN: 'owner twin operator',
      NOT_FOUND: `other outsider stranger ${REST} FOREIGN`,
      ...NO,
    },
    {
      names: THREAD,
      input: ({ interrupt }) => ({
        resume: [{ interruptId: interrupt, status: 'resolved', payload: { approved: true } }],
      }),
    },
  ),
  run(
    'an answer for the customer',
    'question',
    {
      ok: 'owner twin',
      FORBIDDEN: 'operator',
      NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
      ...NO,
    },
    {
      names: THREAD,
      input: ({ interrupt }) => ({
        resume: [{ interruptId: interrupt, status: 'resolved', payload: 'the blue one' }],
      }),
    },
  ),
  run(
    'an answer for nobody',
    'unruled',
    {
      FORBIDDEN: 'owner twin operator',
      NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
      ...NO,
    },
    {
      names: THREAD,
      input: ({ interrupt }) => ({
        resume: [{ interruptId: interrupt, status: 'resolved', payload: { approved: true } }],
      }),
    },
  ),
  post(
    '/v1/agents/:agent/connect',
    'pay',
    { ok: ALL, ...NO },
    {
      names: THREAD,
      body: ({ thread, run: runId }) => ({ threadId: thread, runId, messages: [], tools: [], context: [] }),
    },
  ),
  cancel('running', {
    ok: 'owner twin operator',
    NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
    ...NO,
  }),
  cancel('pay', {
    ok: 'owner twin operator',
    FORBIDDEN: 'candidate supervisor',
    NOT_FOUND: `other outsider stranger ${REST} FOREIGN`,
    ...NO,
  }),
];

const AT_OURS = '/v1/agents/';
/** The same by the paths of CopilotKit's runtime. */
const throughCopilotKit = ({ what, http, frame: _frame, plain: _plain, ...row }: Row): readonly Row[] => {
  if (!http?.door.includes(AT_OURS)) return [];
  const there = (path: string): string => path.replace(AT_OURS, '/copilotkit/agent/');
  const asked = (things: Things) => ({ ...http.asked(things), path: there(http.asked(things).path) });
  return [{ ...row, what: `${what}, by CopilotKit`, http: { door: there(http.door), asked } }];
};

const extend = (of: Kind, answers: Row['answers']): Row =>
  post('/v1/threads/:thread/runs/:run/extend', of, answers, { body: () => ({ ms: 1_000 }), names: THREAD });

const stop = (of: Kind, answers: Row['answers']): Row =>
  post('/copilotkit/agent/:agent/stop/:thread', of, answers, { body: () => ({}), names: THREAD });

const EXTENDED: readonly Row[] = [
  extend('running', {
    ok: 'operator',
    FORBIDDEN: 'owner twin',
    NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
    ...NO,
  }),
  extend('pay', OPERATORS_OF_A_THREAD),
];

const COPILOTKIT: readonly Row[] = [
  ...OURS.flatMap(throughCopilotKit),
  stop('running', {
    ok: 'owner twin operator',
    NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
    ...NO,
  }),
  stop('pay', {
    ok: 'owner twin operator',
    FORBIDDEN: 'candidate supervisor',
    NOT_FOUND: `other outsider stranger ${REST} FOREIGN`,
    ...NO,
  }),
];

export const RUNS: readonly Row[] = [...OURS, ...EXTENDED, ...COPILOTKIT];
