/** Names the channel on which a tenant's processes tell each other what changed, and writes and reads what is said. */
import type { ThreadStatus } from '@triptych/protocol';

/** Ids and states only: whoever hears of a change reads it where it stands. */
export type TenantNews =
  | { readonly kind: 'task'; readonly taskId: string }
  | {
      readonly kind: 'thread';
      readonly threadId: string;
      readonly status: ThreadStatus;
      readonly activeRunId?: string;
    }
  /** What the sockets of an agent that comes by itself are asked. */
  | {
      readonly kind: 'agent';
      readonly ask: AgentAsk;
      readonly agentId: string;
      readonly threadId: string;
      readonly runId: string;
    };
export type AgentAsk = 'offer' | 'cancel';

const PREFIX = 'tt:tenant:';
/** Matches the channels of all tenants. */
export const TENANT_CHANNELS = `${PREFIX}*`;
export const tenantChannel = (tenant: string): string => `${PREFIX}${tenant}`;
export const tenantOfChannel = (channel: string): string => channel.slice(PREFIX.length);

export const tenantNewsText = (news: TenantNews): string => JSON.stringify(news);

const STATUSES: Readonly<Record<ThreadStatus, true>> = {
  idle: true,
  running: true,
  waiting: true,
  failed: true,
};
const isStatus = (value: unknown): value is ThreadStatus =>
  typeof value === 'string' && Object.hasOwn(STATUSES, value);

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Anyone on the same Redis may publish; what is no JSON is no news.
    return {};
  }
};

const agentNewsIn = ({
  threadId,
  ask,
  agentId,
  runId,
}: Readonly<Record<string, unknown>> & { readonly threadId: string }): TenantNews | undefined => {
  if ((ask !== 'offer' && ask !== 'cancel') || typeof agentId !== 'string' || typeof runId !== 'string')
    return undefined;
  return { kind: 'agent', ask, agentId, threadId, runId };
};

/** undefined: this is no news that is known here; a process of a later version may tell more kinds. */
export const parseTenantNews = (text: string): TenantNews | undefined => {
  const { kind, taskId, threadId, status, activeRunId, ...agent } = objectIn(text);
  if (kind === 'task') return typeof taskId === 'string' ? { kind, taskId } : undefined;
  if (typeof threadId !== 'string') return undefined;
  if (kind === 'agent') return agentNewsIn({ threadId, ...agent });
  if (kind !== 'thread' || !isStatus(status)) return undefined;
  return { kind, threadId, status, ...(typeof activeRunId === 'string' ? { activeRunId } : {}) };
};
