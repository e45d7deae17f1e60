/** Who may see and do what with tasks and batches. */
import { decide, get, post, type Row, task } from '../row.js';
import { ALL, NO, REST } from './answers.js';

const TASK = 'task' as const;
/** To whom the task of a reviewer is not there, and who may read it. */
const NOT_REVIEWING = { NOT_FOUND: `owner other outsider stranger ${REST} FOREIGN`, ...NO };
const NOT_ASKED = { NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`, ...NO };
const NOT_OPERATING = {
  NOT_FOUND: `owner other twin candidate outsider supervisor stranger ${REST} FOREIGN`,
  ...NO,
};
const text = () => ({ text: 'I was here' });
const REVIEWING = 'twin candidate supervisor operator';
const ASKED = 'owner twin operator';

const READ: readonly Row[] = [
  get(
    '/v1/approvals',
    'pay',
    {
      ok: 'twin candidate outsider supervisor stranger operator foreignCandidate foreignSupervisor foreignOperator',
      FORBIDDEN: `owner other ${REST} foreignOwner`,
      ...NO,
    },
    {
      names: TASK,
      lists: true,
      frame: () => ({ event: 'inbox.subscribe', data: {} }),
    },
  ),
  get('/v1/approvals/facets', 'pay', {
    ok: 'twin candidate outsider supervisor stranger operator foreignCandidate foreignSupervisor foreignOperator',
    FORBIDDEN: `owner other ${REST} foreignOwner`,
    ...NO,
  }),
  get('/v1/approvals/:task', 'pay', { ok: REVIEWING, ...NOT_REVIEWING }, { names: TASK }),
  get('/v1/approvals/:task/receipt', 'pay', { NOT_FOUND: ALL, ...NO }, { names: TASK }),
  get('/v1/approvals/:task', 'question', { ok: ASKED, ...NOT_ASKED }, { names: TASK }),
  get('/v1/approvals/:task', 'unruled', { ok: 'operator', ...NOT_OPERATING }, { names: TASK }),
];

/** Of a task that reviewers decide. */
const REVIEWED: readonly Row[] = [
  task('claim', 'pay', { ok: 'candidate supervisor', FORBIDDEN: 'twin operator', ...NOT_REVIEWING }),
  task('release', 'pay', { ok: 'twin candidate supervisor', FORBIDDEN: 'operator', ...NOT_REVIEWING }),
  task('heartbeat', 'pay', {
    // Nobody holds it: those who may hold it hear so.
    CLAIM_LOST: 'twin candidate supervisor',
    FORBIDDEN: 'operator',
    ...NOT_REVIEWING,
  }),
  task(
    'takeover',
    'pay',
    { ok: 'supervisor', FORBIDDEN: 'twin candidate operator', ...NOT_REVIEWING },
    () => ({ reason: 'on holiday' }),
  ),
  task('comment', 'pay', { ok: REVIEWING, ...NOT_REVIEWING }, text),
  decide('approve', 'pay', { ok: 'candidate supervisor', FORBIDDEN: 'twin operator', ...NOT_REVIEWING }),
  decide(
    'approve',
    'pay',
    { ok: 'candidate supervisor', FORBIDDEN: 'twin operator', ...NOT_REVIEWING },
    { editedArgs: { amount: 6 } },
  ),
  decide('reject', 'pay', { ok: 'candidate supervisor', FORBIDDEN: 'twin operator', ...NOT_REVIEWING }),
  decide('cancel', 'pay', { ok: REVIEWING, ...NOT_REVIEWING }),
  task('assign', 'pay', { ok: 'supervisor operator', FORBIDDEN: 'twin candidate', ...NOT_REVIEWING }, () => ({
    to: 'cleo',
  })),
  task('extend', 'pay', { ok: 'supervisor operator', FORBIDDEN: 'twin candidate', ...NOT_REVIEWING }, () => ({
    dueAt: Date.now() + 3_600_000,
  })),
  // Nothing is held here that could be taken back.
  task('undo', 'pay', { FORBIDDEN: REVIEWING, ...NOT_REVIEWING }),
  // Each of the decisions is answered by itself.
  post(
    '/v1/approvals/decide',
    'pay',
    { ok: ALL, ...NO },
    {
      body: ({ task: taskId, rev, hash: proposalHash }) => ({
        items: [{ taskId, rev, verb: 'approve', proposalHash }],
      }),
    },
  ),
  post(
    '/v1/approvals/:task/:command',
    'pay',
    { NOT_FOUND: ALL, ...NO },
    {
      what: 'a command that is none',
      names: TASK,
      body: () => ({}),
    },
  ),
];

/** Of a question that only its customer answers. */
const QUESTIONS: readonly Row[] = [
  task('claim', 'question', { FORBIDDEN: ASKED, ...NOT_ASKED }),
  task('release', 'question', { FORBIDDEN: ASKED, ...NOT_ASKED }),
  task('takeover', 'question', { FORBIDDEN: ASKED, ...NOT_ASKED }, () => ({ reason: 'mine' })),
  task('comment', 'question', { ok: 'operator', FORBIDDEN: 'owner twin', ...NOT_ASKED }, text),
  decide(
    'respond',
    'question',
    { ok: 'owner twin', FORBIDDEN: 'operator', ...NOT_ASKED },
    { payload: 'blue' },
  ),
  decide('cancel', 'question', { ok: ASKED, ...NOT_ASKED }),
];

/** Of what no rule covers: operators mend it, and nobody approves. */
const UNRULED: readonly Row[] = [
  task('claim', 'unruled', { FORBIDDEN: 'operator', ...NOT_OPERATING }),
  task('comment', 'unruled', { ok: 'operator', ...NOT_OPERATING }, text),
  decide('approve', 'unruled', { FORBIDDEN: 'operator', ...NOT_OPERATING }),
  decide('respond', 'unruled', { FORBIDDEN: 'operator', ...NOT_OPERATING }, { payload: 1 }),
  decide('cancel', 'unruled', { ok: 'operator', ...NOT_OPERATING }),
];

const NO_OPERATOR = `owner other twin candidate outsider supervisor stranger ${REST} foreignOwner foreignCandidate foreignSupervisor`;
const MENDING = { NOT_FOUND: 'foreignOperator', FORBIDDEN: NO_OPERATOR, ...NO };
const BATCHES: readonly Row[] = [
  get('/v1/batches', 'pay', { ok: 'operator foreignOperator', FORBIDDEN: NO_OPERATOR, ...NO }),
  post(
    '/v1/batches/:batch/retry',
    'pay',
    // It waits for answers: there is nothing to send again.
    { RESUME_REQUIRED: 'operator', ...MENDING },
    { names: TASK, body: () => ({}) },
  ),
  // It is open already.
  post('/v1/batches/:batch/reopen', 'pay', { ok: 'operator', ...MENDING }, { names: TASK, body: () => ({}) }),
  post(
    '/v1/batches/:batch/mark-done',
    'pay',
    { RESUME_REQUIRED: 'operator', ...MENDING },
    { names: TASK, body: () => ({}) },
  ),
  post('/v1/batches/:batch/cancel', 'pay', { ok: 'operator', ...MENDING }, { names: TASK, body: () => ({}) }),
];

export const TASKS: readonly Row[] = [...READ, ...REVIEWED, ...QUESTIONS, ...UNRULED, ...BATCHES];
