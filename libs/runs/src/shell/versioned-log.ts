/** Writes a thread's log only while nobody else has stored what is pushed to it, and marks each write. */
import { isStoreAway, type ThreadId } from '@triptych/protocol';
import type { Guard, LogAppend, LogReply, LogToWrite } from '../core/ports.js';
import type { PushMark, PushStore } from '../core/push-store.js';

/** The thread is not as it was judged: judge again. */
export class Outrun extends Error {
  override readonly name = 'Outrun';
}

/** It is not known whether the write took effect; whoever pushed asks again. */
export class Unsure extends Error {
  override readonly name = 'Unsure';
}

export interface VersionedParts {
  readonly log: LogToWrite;
  readonly pushes: Pick<PushStore, 'versionGuard' | 'markRiders'>;
  /** Never the same twice: a store that lost its last writes must not seem unchanged. */
  readonly newVersion: () => string;
}

type Mark = Omit<PushMark, 'version'>;

export class VersionedLog implements LogToWrite {
  /** The log lost history under us: what was folded of it is void. */
  isTorn = false;
  private mark: Mark = {};
  private guards: readonly Guard[] = [];

  constructor(
    private readonly parts: VersionedParts,
    private readonly thread: ThreadId,
    /** As thread and log stood at our last look. */
    private seen: { readonly version: string; readonly epoch: string; readonly head: number },
  ) {}

  get version(): string {
    return this.seen.version;
  }

  get place(): { readonly epoch: string; readonly head: number } {
    return this.seen;
  }

  /** What the next write, if it takes effect, says of the thread, and what must hold for it. */
  marking(mark: Mark, guards: readonly Guard[] = []): void {
    this.mark = mark;
    this.guards = guards;
  }

  begin(thread: ThreadId): ReturnType<LogToWrite['begin']> {
    return this.parts.log.begin(thread);
  }

  read(...asked: Parameters<LogToWrite['read']>): ReturnType<LogToWrite['read']> {
    return this.parts.log.read(...asked);
  }

  async append(request: LogAppend): Promise<LogReply> {
    const version = this.parts.newVersion();
    const { pushes } = this.parts;
    // The version counts instead of the writer's own count.
    const { producer: _counted, guards = [], riders = [], ...rest } = request;
    const ours = [pushes.versionGuard(this.thread, this.version), ...this.guards];
    const marks = pushes.markRiders(this.thread, { ...this.mark, version });
    const reply = await this.send({ ...rest, guards: [...ours, ...guards], riders: [...marks, ...riders] });
    if (reply.status === 'guarded' && reply.failed < ours.length) throw new Outrun(this.thread);
    if (reply.status === 'stored') this.stored(version, reply, request.events.length);
    return reply;
  }

  private async send(request: LogAppend): Promise<LogReply> {
    try {
      return await this.parts.log.append(request);
    } catch (error) {
      if (isStoreAway(error)) throw new Unsure('the store went away', { cause: error });
      throw error;
    }
  }

  private stored(
    version: string,
    { epoch, first, last }: Extract<LogReply, { status: 'stored' }>,
    count: number,
  ): void {
    this.isTorn ||= count > 0 && first !== this.seen.head + 1;
    this.seen = count > 0 ? { version, epoch, head: last } : { ...this.seen, version };
  }
}
