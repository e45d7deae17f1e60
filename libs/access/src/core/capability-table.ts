/** The one table of who may do what: a role, an action, and the condition under which it holds. What is not here is forbidden. */
import type { Role } from './actor.js';
import type { ConditionName } from './conditions.js';
import type { Action } from './facts.js';

type Capabilities = Readonly<Partial<Record<Action, ConditionName>>>;

const reviewing: Capabilities = {
  'surface.open': 'reviewerSurface',
  'agent.list': 'always',
  'thread.list': 'always',
  'thread.read': 'reviewsThread',
  'state.reveal': 'reviewsThread',
  'run.resume': 'reviewsThread',
  'task.list': 'always',
  'task.read': 'candidate',
  'task.claim': 'notRequester',
  'task.release': 'candidate',
  'task.heartbeat': 'candidate',
  'task.comment': 'candidate',
  'task.approve': 'voter',
  'task.reject': 'voter',
  'task.respond': 'voter',
  'task.edit': 'notRequester',
  'task.cancel': 'candidate',
  'task.undo': 'candidate',
  'task.reveal': 'notRequester',
};

export const CAPABILITIES: Readonly<Record<Role, Capabilities>> = {
  customer: {
    'surface.open': 'customerSurface',
    'agent.list': 'always',
    'agent.use': 'startsRuns',
    'thread.list': 'always',
    'thread.create': 'startsOwn',
    'thread.read': 'ownThread',
    'run.start': 'startsOwn',
    'run.resume': 'ownThread',
    'run.cancel': 'ownThread',
    'task.read': 'ownQuestion',
    'task.approve': 'ownQuestion',
    'task.reject': 'ownQuestion',
    'task.respond': 'ownQuestion',
    'task.cancel': 'ownQuestion',
  },
  reviewer: reviewing,
  supervisor: {
    ...reviewing,
    'task.takeover': 'notRequester',
    'task.assign': 'candidate',
    'task.extend': 'candidate',
  },
  // Operators mend; they do not approve.
  operator: {
    'surface.open': 'operatorSurface',
    'agent.list': 'always',
    'agent.use': 'startsRuns',
    'thread.list': 'always',
    'thread.create': 'always',
    'thread.read': 'always',
    'thread.subscribers': 'always',
    'thread.findings': 'always',
    'state.reveal': 'always',
    'run.start': 'startsRuns',
    'run.resume': 'always',
    'run.cancel': 'always',
    'run.extend': 'always',
    'log.read': 'always',
    'task.list': 'always',
    'task.read': 'always',
    'task.assign': 'always',
    'task.comment': 'always',
    'task.extend': 'always',
    'task.cancel': 'always',
    'task.reveal': 'always',
    'batch.list': 'always',
    'batch.mend': 'always',
    'deadletter.mend': 'always',
  },
  auditor: { 'agent.list': 'always', 'audit.read': 'always' },
  admin: { 'agent.list': 'always', 'thread.create': 'always', 'revocation.create': 'always' },
  agent: { 'agent.list': 'always', 'thread.create': 'boundAgent', 'events.push': 'boundAgent' },
};
