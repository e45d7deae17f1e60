/** Judges a run request and streams what it becomes, on whatever line it came by. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, surfaceFor, type Actor } from '@triptych/access';
import { serveNothing, type StreamLine, type SurfaceSnapshot } from '@triptych/fanout';
import { ok, type Result, type RunAgentInput } from '@triptych/protocol';
import { ThreadAccess } from '../threads/thread-access.js';
import { RunDesk } from './run-desk.js';
import type { Answered } from './run-started.js';
import { RunStreams } from './run-streams.js';

export interface RunCall {
  readonly actor: Actor;
  readonly agentId: string;
  readonly input: RunAgentInput;
  /** Milliseconds to stay open over a question. */
  readonly holdMs: number;
  readonly line: StreamLine;
}

@Injectable()
export class RunDoor {
  constructor(
    @Inject(RunDesk) private readonly desk: RunDesk,
    @Inject(RunStreams) private readonly streams: RunStreams,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  parse(raw: unknown): Result<RunAgentInput> {
    return this.desk.parse(raw);
  }

  /** Answers a refusal, or what was recorded instead of a run; undefined: the line has become a stream. */
  async run({ actor, agentId, input, holdMs, line }: RunCall): Promise<Result<Answered | undefined>> {
    const glimpse = await this.glimpse(actor, input.threadId);
    const asked = await this.desk.request({ actor, agentId, input });
    if (!asked.ok) return asked;
    const started = asked.value;
    if (started.kind === 'answered' && (holdMs === 0 || started.answered.waiting === 0))
      return ok(started.answered);
    const { threadId: thread, owner, ...run } = started;
    const surface = surfaceFor(actor, { owner });
    if (!surface) return forbidden('no surface of yours shows the run');
    const before = await this.streams.surfaceBefore({ ...run, thread, surface }, glimpse);
    const who = actor.subject;
    await this.streams.run({ ...run, who, input, holdMs, before, line, thread, surface });
    return ok(undefined);
  }

  /** Nothing to show, for whatever reason, is an empty stream: the same for all reasons. */
  async connect({ actor, input, line }: Pick<RunCall, 'actor' | 'input' | 'line'>): Promise<void> {
    const seen = await this.access.find(actor, input.threadId);
    if (seen.ok) {
      const { thread, surface } = seen.value;
      return this.streams.connect({ line, who: actor.subject, input, thread: thread.threadId, surface });
    }
    serveNothing(line);
  }

  private async glimpse(actor: Actor, threadId: string): Promise<SurfaceSnapshot | undefined> {
    const seen = await this.access.find(actor, threadId);
    return seen.ok ? this.streams.surfaceNow(seen.value.thread.threadId, seen.value.surface) : undefined;
  }
}
