/** Judges a run request that came by HTTP and streams what it becomes. */
import { Inject, Injectable } from '@nestjs/common';
import { surfaceFor, type Actor } from '@triptych/access';
import { serveNothing, type SurfaceSnapshot } from '@triptych/fanout';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { Response } from 'express';
import { ThreadAccess } from '../threads/thread-access.js';
import { parseHold } from './parse-hold.js';
import { RunDesk } from './run-desk.js';
import type { Answered } from './run-started.js';
import { RunStreams } from './run-streams.js';

export interface RunCall {
  readonly actor: Actor;
  readonly agentId: string;
  readonly body: unknown;
  /** Seconds, as the query gives them. */
  readonly hold: unknown;
  readonly response: Response;
}

@Injectable()
export class RunDoor {
  constructor(
    @Inject(RunDesk) private readonly desk: RunDesk,
    @Inject(RunStreams) private readonly streams: RunStreams,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  /** Answers a refusal, or the body of a 202; undefined: the response has become a stream. */
  async run({ actor, agentId, body, hold, response }: RunCall): Promise<Result<Answered | undefined>> {
    const holdMs = parseHold(hold);
    if (!holdMs.ok) return holdMs;
    const input = this.desk.parse(body);
    if (!input.ok) return input;
    const glimpse = await this.glimpse(actor, input.value.threadId);
    const asked = await this.desk.request({ actor, agentId, input: input.value });
    if (!asked.ok) return asked;
    const started = asked.value;
    if (started.kind === 'answered' && (holdMs.value === 0 || started.answered.waiting === 0))
      return ok(started.answered);
    const { threadId: thread, owner, ...run } = started;
    const surface = surfaceFor(actor, { owner });
    if (!surface) return refuse('FORBIDDEN');
    const before = await this.streams.surfaceBefore({ ...run, thread, surface }, glimpse);
    const told = { input: input.value, holdMs: holdMs.value, expiresAt: actor.expiresAt, before };
    await this.streams.run({ ...run, ...told, response, thread, surface });
    return ok(undefined);
  }

  /** Nothing to show, for whatever reason, is an empty stream: the same for all reasons. */
  async connect({
    actor,
    body,
    response,
  }: Pick<RunCall, 'actor' | 'body' | 'response'>): Promise<Result<undefined>> {
    const input = this.desk.parse(body);
    if (!input.ok) return input;
    const seen = await this.access.find(actor, input.value.threadId);
    if (seen.ok)
      await this.streams.connect({
        response,
        thread: seen.value.thread.threadId,
        surface: seen.value.surface,
        expiresAt: actor.expiresAt,
      });
    else serveNothing(response);
    return ok(undefined);
  }

  private async glimpse(actor: Actor, threadId: string): Promise<SurfaceSnapshot | undefined> {
    const seen = await this.access.find(actor, threadId);
    return seen.ok ? this.streams.surfaceNow(seen.value.thread.threadId, seen.value.surface) : undefined;
  }
}
