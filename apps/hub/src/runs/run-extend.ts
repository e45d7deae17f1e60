/** Gives a run that takes its time more of it, for operators; that they did is recorded. */
import { Inject, Injectable } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { AGENTS, RUNS, type AgentDirectory } from '@triptych/assembly/nest';
import { REDIS } from '@triptych/platform/nest';
import { ok, refuse, type Result, type ThreadId } from '@triptych/protocol';
import type { Runs } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { parseRunId } from '../http/parse-ids.js';
import { parseObject } from '../http/parse-object.js';
import { recordDeed } from '../identity/record.js';
import { ThreadAccess } from '../threads/thread-access.js';
import type { Cancelled } from './run-cancel.js';

/** As when it is cancelled: it is done, or the run is over. */
export type Extended = { readonly state: 'extended' } | Extract<Cancelled, { state: 'ended' }>;

export interface RunPath {
  readonly thread: string;
  readonly run: string;
}

/** Whoever needs more looks at it again tomorrow, ms. */
const MAX_EXTEND_MS = 24 * 60 * 60 * 1000;

/** When it is worth asking once more, ms. */
const AGAIN_MS = 500;

const parseMs = (body: unknown): Result<number> => {
  const given = parseObject(body);
  if (!given.ok) return given;
  const { ms } = given.value;
  return typeof ms === 'number' && Number.isSafeInteger(ms) && ms > 0 && ms <= MAX_EXTEND_MS
    ? ok(ms)
    : refuse('INVALID_INPUT', {
        message: `ms must be a whole number of milliseconds, at most ${MAX_EXTEND_MS}.`,
        details: { pointer: '/ms' },
      });
};

@Injectable()
export class RunExtend {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(AGENTS) private readonly agents: AgentDirectory,
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async extend(actor: Actor, { thread, run }: RunPath, body: unknown): Promise<Result<Extended>> {
    const seen = await this.access.find(actor, thread);
    if (!seen.ok) return seen;
    const { threadId, agentId } = seen.value.thread;
    const facts = await this.access.facts(actor, seen.value.thread);
    const allowed = permit(actor, 'run.extend', facts);
    if (!allowed.ok) return allowed;
    const ms = parseMs(body);
    if (!ms.ok) return ms;
    const id = parseRunId(run);
    if (!id.ok) return id;
    const agent = this.agents.runAgent(agentId);
    if (!agent || !(await this.runs.recordOf(threadId, id.value))) return refuse('NOT_FOUND');
    if (!(await this.runs.extend(threadId, id.value, { ms: ms.value, agent })))
      return this.ended(threadId, id.value);
    const told = { subject: { thread: threadId, run }, after: { ms: ms.value } };
    await recordDeed(this.redis, actor, { action: 'run.extend', facts, ...told });
    return ok({ state: 'extended' });
  }

  /** Read anew: it was under way when it was looked for. */
  private async ended(threadId: ThreadId, run: string): Promise<Result<Extended>> {
    const record = await this.runs.recordOf(threadId, run);
    if (!record) return refuse('NOT_FOUND');
    // Its agent went on pushing all the while.
    if (record.status === 'running') return refuse('RATE_LIMITED', { retryAfterMs: AGAIN_MS });
    return ok({ state: 'ended', status: record.status });
  }
}
