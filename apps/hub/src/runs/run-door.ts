/** Judges a run request that came by HTTP and streams what it becomes. */
import { Inject, Injectable } from '@nestjs/common';
import { surfaceFor, type Actor } from '@triptych/access';
import { asThreadId, ok, parseRunAgentInput, refuse, type Model, type Result } from '@triptych/protocol';
import type { Response } from 'express';
import { ThreadAccess } from '../threads/thread-access.js';
import { type Answered, RunDesk } from './run-desk.js';
import { RunStreams } from './run-streams.js';

export interface RunCall {
  readonly actor: Actor;
  readonly agentId: string;
  readonly body: unknown;
  /** Seconds, as the query gives them. */
  readonly hold: unknown;
  readonly response: Response;
}

/** Longer than this a proxy in between will not wait anyway. */
const MAX_HOLD_SECONDS = 600;

const holdMsOf = (hold: unknown): number => {
  const seconds = Number(hold ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_HOLD_SECONDS) * 1000 : 0;
};

@Injectable()
export class RunDoor {
  constructor(
    @Inject(RunDesk) private readonly desk: RunDesk,
    @Inject(RunStreams) private readonly streams: RunStreams,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  /** Answers a refusal, or the body of a 202; undefined: the response has become a stream. */
  async run(call: RunCall): Promise<Result<Answered | undefined>> {
    const { actor, agentId, response } = call;
    const input = parseRunAgentInput(call.body);
    if (!input.ok) return input;
    const before = await this.before(actor, input.value.threadId);
    const started = await this.desk.request({ actor, agentId, input: input.value });
    if (!started.ok) return started;
    if (started.value.kind === 'answered') return ok(started.value);
    const { threadId, owner, runId, after, read } = started.value;
    const surface = surfaceFor(actor, { owner });
    if (!surface) return refuse('FORBIDDEN');
    await this.streams.run({
      response,
      surface,
      runId,
      after,
      thread: threadId,
      input: input.value,
      holdMs: holdMsOf(call.hold),
      expiresAt: actor.expiresAt,
      ...(before ? { before } : {}),
      ...(read ? { read } : {}),
    });
    return ok(undefined);
  }

  /** Nothing to show, for whatever reason, is an empty stream: the same for all reasons. */
  async connect({
    actor,
    body,
    response,
  }: Pick<RunCall, 'actor' | 'body' | 'response'>): Promise<Result<undefined>> {
    const input = parseRunAgentInput(body);
    if (!input.ok) return input;
    const seen = await this.access.find(actor, input.value.threadId);
    if (seen.ok)
      await this.streams.connect({
        response,
        thread: seen.value.thread.threadId,
        surface: seen.value.surface,
        expiresAt: actor.expiresAt,
      });
    else response.status(200).type('text/event-stream').end();
    return ok(undefined);
  }

  private async before(actor: Actor, threadId: string): Promise<Model | undefined> {
    const seen = await this.access.find(actor, threadId);
    return seen.ok ? this.streams.before(asThreadId(threadId), seen.value.surface) : undefined;
  }
}
