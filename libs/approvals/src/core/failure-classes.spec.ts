/** What agents say when a resume fails, and what it means. */
import { verifies } from '../../../../test/spec/verifies.js';
import { failureClassOf, type FailureClass, type ResumeEnd } from './failure-classes.js';

const end = (over: Partial<ResumeEnd>): ResumeEnd => ({
  outcome: 'error',
  sent: true,
  idempotent: false,
  ...over,
});

const CASES: readonly (readonly [rule: string, over: Partial<ResumeEnd>, kind: FailureClass])[] = [
  ['APR-66', { code: 'THREAD_BUSY', atStart: true }, 'not-taken'],
  ['APR-66', { code: 'thread-busy', atStart: true }, 'not-taken'],
  ['APR-66', { code: '429', atStart: true }, 'not-taken'],
  ['APR-66', { code: 'ServiceUnavailable', atStart: true }, 'not-taken'],
  ['APR-66', { code: 'THREAD_BUSY', atStart: false }, 'said-failed'],
  ['APR-66', { code: 'THREAD_BUSY' }, 'said-failed'],
  ['APR-66', { code: '429', atStart: true, idempotent: true }, 'not-taken'],
  ['APR-55', { code: 'INVALID_PAYLOAD' }, 'payload-refused'],
  ['APR-55', { code: 'invalidPayload', atStart: true }, 'payload-refused'],
  ['APR-55', { code: 'resume.payload-invalid' }, 'payload-refused'],
  ['APR-56', { code: 'UNKNOWN_INTERRUPT_ID' }, 'orphaned'],
  ['APR-56', { code: 'approval-resume-not-found' }, 'orphaned'],
  ['APR-56', { code: 'INTERRUPT_EXPIRED', atStart: true }, 'agent-expired'],
  ['APR-56', { code: 'PARTIAL_RESUME' }, 'sets-differ'],
  ['APR-16', { code: 'E_DB', atStart: true }, 'said-failed'],
  ['APR-16', { atStart: true }, 'said-failed'],
  ['APR-16', { code: 'E_DB', idempotent: true }, 'said-failed'],
  ['APR-16', { sent: false, code: 'hub/agent-unavailable' }, 'not-taken'],
  ['APR-16', { code: 'hub/timeout-idle' }, 'unclear'],
  ['APR-16', { code: 'hub/timeout-idle', idempotent: true }, 'repeatable'],
  ['APR-16', { code: 'hub/protocol-violation', idempotent: true }, 'unclear'],
  ['APR-16', { outcome: 'lost', atStart: true }, 'unclear'],
  ['APR-16', { outcome: 'lost', idempotent: true }, 'repeatable'],
];

describe('a resume that failed', () => {
  for (const [rule, over, kind] of CASES)
    verifies(rule, `${JSON.stringify(over)}: ${kind}`, () => {
      expect(failureClassOf(end(over))).toBe(kind);
    });
});
