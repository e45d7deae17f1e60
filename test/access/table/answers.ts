/** Answers that several doors give alike, and who may know of what. */
import type { Kind } from '../stage.js';

export const REST = 'OFFICE AGENTS ROLELESS';
/** Every signed-in person at a door that says the same to all. */
export const ALL =
  'owner other twin candidate outsider supervisor stranger operator OFFICE AGENTS ROLELESS FOREIGN';
export const NO = { UNAUTHENTICATED: 'TOKENLESS' } as const;

/** Who may know that there is such a thread, and such a task. */
export const KNOWS: Readonly<Record<'thread' | 'task', Readonly<Partial<Record<Kind, string>>>>> = {
  thread: {
    pay: 'owner twin candidate supervisor operator',
    question: 'owner twin operator',
    unruled: 'owner twin operator',
    idle: 'owner twin operator',
    running: 'owner twin operator',
    pushed: 'owner twin operator engine',
  },
  task: {
    pay: 'twin candidate supervisor operator',
    question: 'owner twin operator',
    unruled: 'operator',
  },
};

export const THREAD = 'thread' as const;
export const READERS = {
  pay: {
    ok: 'owner twin candidate supervisor operator',
    NOT_FOUND: `other outsider stranger ${REST} FOREIGN`,
    ...NO,
  },
  idle: {
    ok: 'owner twin operator',
    NOT_FOUND: `other candidate outsider supervisor stranger ${REST} FOREIGN`,
    ...NO,
  },
};
export const OPERATORS_OF_A_THREAD = {
  ok: 'operator',
  FORBIDDEN: 'owner twin candidate supervisor',
  NOT_FOUND: `other outsider stranger ${REST} FOREIGN`,
  ...NO,
};
/** A view that is named: whether the caller has such a view comes before whether there is such a thread. */
export const AS_OPERATOR = {
  ok: 'operator',
  NOT_FOUND: 'foreignOperator',
  FORBIDDEN: `owner other twin candidate outsider supervisor stranger ${REST} foreignOwner foreignCandidate foreignSupervisor`,
  ...NO,
};
export const AS_REVIEWER = {
  ok: 'twin candidate supervisor operator',
  NOT_FOUND: 'outsider stranger foreignCandidate foreignSupervisor foreignOperator',
  FORBIDDEN: `owner other ${REST} foreignOwner`,
  ...NO,
};
export const AS_CUSTOMER = {
  ok: 'owner twin operator',
  NOT_FOUND: 'other foreignOwner foreignOperator',
  FORBIDDEN: `candidate outsider supervisor stranger ${REST} foreignCandidate foreignSupervisor`,
  ...NO,
};
