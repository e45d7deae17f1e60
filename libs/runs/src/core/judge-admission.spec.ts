import { asThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { judgeAdmission, type ThreadNow } from './judge-admission.js';
import type { AdmitRequest } from './ledger.js';
import type { RunRecord, ThreadRecord } from './run-record.js';

const thread: ThreadRecord = {
  threadId: asThreadId('t'),
  tenant: 'default',
  owner: 'amelia',
  agentId: 'onboarding',
  status: 'idle',
  createdAt: 1,
  updatedAt: 1,
};
const asked = { runId: 'r1', fingerprint: 'f', requester: 'amelia', messages: [] };
const request = (over: Partial<AdmitRequest> = {}): AdmitRequest => ({
  thread: thread.threadId,
  tenant: 'default',
  owner: 'amelia',
  mustOwn: true,
  agentId: 'onboarding',
  record: asked,
  ...over,
});
const now = (over: Partial<ThreadNow> = {}): ThreadNow => ({
  thread,
  activeRunId: '',
  openBatch: '',
  ...over,
});
const record: RunRecord = { ...asked, status: 'running', startedAt: 1, after: 0 };

describe('admission', () => {
  it('lets a first run create its thread', () => {
    expect(judgeAdmission({ activeRunId: '', openBatch: '' }, request())).toEqual({ status: 'free' });
  });

  verifies('RUN-1', 'tells who comes second that the thread is busy', () => {
    expect(judgeAdmission(now({ activeRunId: 'r0' }), request())).toEqual({ status: 'busy', runId: 'r0' });
  });

  verifies('RUN-2', 'attaches a repeat and refuses another request under its name, busy or not', () => {
    const busy = now({ activeRunId: 'r1', record });
    expect(judgeAdmission(busy, request()).status).toBe('attached');
    const other = request({ record: { ...asked, fingerprint: 'other' } });
    expect(judgeAdmission(busy, other).status).toBe('conflict');
  });

  verifies('RUN-3', 'keeps a thread to its tenant, owner and agent', () => {
    expect(judgeAdmission(now(), request({ tenant: 'other' })).status).toBe('elsewhere');
    expect(judgeAdmission(now(), request({ owner: 'ben' })).status).toBe('elsewhere');
    expect(judgeAdmission(now(), request({ owner: 'mo', mustOwn: false })).status).toBe('free');
    expect(judgeAdmission(now(), request({ agentId: 'refund' }))).toEqual({
      status: 'bound',
      agentId: 'onboarding',
    });
  });

  verifies('RUN-15', 'admits only the answer to the batch that holds the thread', () => {
    const held = now({ openBatch: 'b1' });
    expect(judgeAdmission(held, request())).toEqual({ status: 'waiting', batchId: 'b1' });
    expect(judgeAdmission(held, request({ resumes: 'b2' })).status).toBe('waiting');
    expect(judgeAdmission(held, request({ resumes: 'b1' })).status).toBe('free');
    expect(judgeAdmission(now(), request({ resumes: 'b1' })).status).toBe('guarded');
  });
});
