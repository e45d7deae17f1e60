/** Who may open which socket, and what agents may do on theirs. */
import type { RefusalCode } from '@triptych/protocol';
import type { Surface } from '../row.js';
import type { Kind, Things } from '../stage.js';

interface Opening {
  readonly path: string;
  readonly answers: Readonly<Partial<Record<RefusalCode | 'ok', string>>>;
}

export const OPENS: Readonly<Record<Surface, string>> = {
  customer: 'owner other twin foreignOwner',
  reviewer: 'twin candidate outsider supervisor stranger foreignCandidate foreignSupervisor',
  operator: 'operator foreignOperator',
};
const OFFICE = 'OFFICE AGENTS ROLELESS';

export const OPENINGS: readonly Opening[] = [
  {
    path: '/ws/customer',
    answers: {
      ok: OPENS.customer,
      FORBIDDEN: `candidate outsider supervisor stranger operator ${OFFICE} foreignCandidate foreignSupervisor foreignOperator`,
      UNAUTHENTICATED: 'TOKENLESS',
    },
  },
  {
    path: '/ws/reviewer',
    answers: {
      ok: OPENS.reviewer,
      FORBIDDEN: `owner other operator ${OFFICE} foreignOwner foreignOperator`,
      UNAUTHENTICATED: 'TOKENLESS',
    },
  },
  {
    path: '/ws/operator',
    answers: {
      ok: OPENS.operator,
      FORBIDDEN: `owner other twin candidate outsider supervisor stranger ${OFFICE} foreignOwner foreignCandidate foreignSupervisor`,
      UNAUTHENTICATED: 'TOKENLESS',
    },
  },
  {
    // What is asked there is judged as `run` is.
    path: '/ws/agui?agent=told',
    answers: {
      ok: `owner other twin candidate outsider supervisor stranger operator ${OFFICE} FOREIGN`,
      UNAUTHENTICATED: 'TOKENLESS',
    },
  },
  {
    path: '/ws/agent',
    answers: {
      ok: 'engine rival mask foreignEngine',
      FORBIDDEN:
        'owner other twin candidate outsider supervisor stranger operator OFFICE told ROLELESS FOREIGN',
      UNAUTHENTICATED: 'TOKENLESS',
    },
  },
];

export interface AgentRow {
  readonly event: string;
  readonly of: Kind;
  readonly data: (things: Things, token: string) => object;
  readonly names?: 'thread';
  readonly answers: Readonly<Partial<Record<RefusalCode | 'ok', string>>>;
}

const note = ({ thread: threadId }: Things) => ({
  threadId,
  producer: { id: 'q', epoch: 0, seq: 0 },
  events: [{ type: 'CUSTOM', name: 'note', value: 1 }],
});
const taken = ({ thread: threadId, run: runId }: Things) => ({ threadId, runId });

/** For those who may open `/ws/agent`. */
export const AGENT_ROWS: readonly AgentRow[] = [
  {
    event: 'append',
    of: 'pushed',
    data: note,
    names: 'thread',
    answers: { INVALID_INPUT: 'engine', NOT_FOUND: 'rival mask foreignEngine' },
  },
  {
    event: 'append',
    of: 'idle',
    data: note,
    names: 'thread',
    answers: { NOT_FOUND: 'engine rival mask foreignEngine' },
  },
  {
    event: 'run.take',
    of: 'pushed',
    data: taken,
    names: 'thread',
    // The run is over: there is nothing to take.
    answers: { CLAIM_LOST: 'engine', NOT_FOUND: 'rival mask foreignEngine' },
  },
  {
    event: 'run.take',
    of: 'idle',
    data: taken,
    names: 'thread',
    answers: { NOT_FOUND: 'engine rival mask foreignEngine' },
  },
  {
    event: 'auth',
    of: 'pushed',
    data: (_things, token) => ({ token }),
    answers: { ok: 'rival mask', FORBIDDEN: 'engine foreignEngine' },
  },
  { event: 'ping', of: 'pushed', data: () => ({}), answers: { ok: 'engine rival mask foreignEngine' } },
];
