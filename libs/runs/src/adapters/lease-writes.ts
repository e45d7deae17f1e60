/** Builds the guards and riders by which a run's lease is kept, marked and given back. */
import { tenantChannel, tenantNewsText } from '@triptych/platform';
import type { ThreadStatus } from '@triptych/protocol';
import { threadStatusAfter } from '../core/run-record.js';
import type { LeaseWrites } from '../core/ledger.js';
import type { Guard, Rider } from '../core/ports.js';
import type { Lease, RunRecord, ThreadRecord } from '../core/run-record.js';
import { keysOf } from './run-keys.js';
import { threadFields } from './stored-thread.js';

const threadChanged = (
  { tenant, threadId }: ThreadRecord,
  status: ThreadStatus,
  activeRunId?: string,
): Rider => {
  const news = { kind: 'thread', threadId, status, ...(activeRunId ? { activeRunId } : {}) } as const;
  return ['PUBLISH', tenantChannel(tenant), tenantNewsText(news)];
};

const leaseFields = (lease: Lease, until: number): string[] =>
  Object.entries({ id: lease.runId, term: lease.term, until }).flatMap(([field, value]) => [
    field,
    String(value),
  ]);

/** What an admission writes: the lease, the record, the thread's state, and the news of it. */
export const admissionRiders = (
  lease: Lease,
  thread: ThreadRecord,
  { record, until }: { readonly record: RunRecord; readonly until: number },
): Rider[] => {
  const keys = keysOf(lease.thread);
  return [
    ['HSET', keys.thread, ...threadFields(thread)],
    ['HSET', keys.run, ...leaseFields(lease, until)],
    ['HDEL', keys.run, 'sent', 'started', 'cancel', 'pushed', 'warned', 'extra'],
    ['HSET', keys.runs, lease.runId, JSON.stringify(record)],
    threadChanged(thread, 'running', lease.runId),
  ];
};

export const newThreadRiders = (thread: ThreadRecord): Rider[] => [
  ['HSET', keysOf(thread.threadId).thread, ...threadFields(thread)],
  threadChanged(thread, thread.status),
];

export const leaseGuards = (lease: Lease): Guard[] => {
  const { run } = keysOf(lease.thread);
  return [
    { key: run, field: 'id', equals: lease.runId },
    { key: run, field: 'term', equals: String(lease.term) },
  ];
};

/** The term stays: the next holder's must be greater. */
const freed = (lease: Lease): Rider => {
  const { run } = keysOf(lease.thread);
  return ['HDEL', run, 'id', 'until', 'sent', 'started', 'cancel', 'pushed', 'warned', 'extra'];
};

export const leaseWrites = (lease: Lease, thread: ThreadRecord, now: number): LeaseWrites => {
  const keys = keysOf(lease.thread);
  const nowIs = (status: ThreadStatus): Rider => [
    'HSET',
    keys.thread,
    'status',
    status,
    'updatedAt',
    String(now),
  ];
  return {
    guards: leaseGuards(lease),
    started: [['HSET', keys.run, 'started', '1', 'begun', String(lease.term)]],
    warned: (findings) => [['HSET', keys.run, 'warned', String(findings)]],
    ended: (record, asks) => {
      const status = asks ? 'waiting' : threadStatusAfter(record.status);
      return [
        ['HSET', keys.runs, lease.runId, JSON.stringify(record)],
        nowIs(status),
        threadChanged(thread, status),
        freed(lease),
      ];
    },
    failedLate: (record) => {
      const marking: Rider[] = [['HSET', keys.runs, lease.runId, JSON.stringify(record)]];
      const guards = [
        { key: keys.run, field: 'id', equals: '' },
        { key: keys.run, field: 'begun', equals: String(lease.term) },
      ];
      const riders = [...marking, nowIs('failed'), threadChanged(thread, 'failed')];
      return { whileFree: { guards, riders }, marking };
    },
    forgotten: () => [
      ['HDEL', keys.runs, lease.runId],
      nowIs('waiting'),
      threadChanged(thread, 'waiting'),
      freed(lease),
    ],
  };
};
