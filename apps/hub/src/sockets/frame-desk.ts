/** Answers the frames that ask the hub to do something, by the same desks as the HTTP doors. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FrameHandler, FrameHandlers, SocketSession } from '@triptych/fanout';
import { ok, refuse, type Result } from '@triptych/protocol';
import { TASK_COMMANDS, type TaskCommandName, TaskDoor } from '../approvals/task-door.js';
import { namedCall } from '../identity/passage.js';
import { RunCancel } from '../runs/run-cancel.js';
import { RunDesk } from '../runs/run-desk.js';
import { SessionDesk } from './session-desk.js';
import type { OpenSession } from '../rooms/sessions.js';

type EntryOf = (from: SocketSession) => OpenSession;
type Data = Readonly<Record<string, unknown>>;
type TaskHandlers = Readonly<Record<`task.${TaskCommandName}`, FrameHandler>>;

type Asking = Pick<OpenSession, 'actor' | 'surface'>;

const asking = ({ actor, surface }: OpenSession, frameId: string | undefined): Asking => ({
  actor: namedCall(actor, frameId),
  surface,
});

@Injectable()
export class FrameDesk {
  constructor(
    @Inject(RunDesk) private readonly runs: RunDesk,
    @Inject(RunCancel) private readonly cancels: RunCancel,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(SessionDesk) private readonly sessions: SessionDesk,
  ) {}

  /** The same for all sockets. `entryOf` names who holds one at the time of the frame: its actor may have changed. */
  handlersFor(entryOf: EntryOf): FrameHandlers {
    return {
      run: (data, from, id) => this.run(asking(entryOf(from), id), data),
      cancel: (data, from) => this.cancels.cancel(entryOf(from).actor, data.threadId, data.runId),
      'inbox.subscribe': (data, from) => this.sessions.readInbox(entryOf(from), data),
      'inbox.unsubscribe': (_data, from) => this.sessions.leaveInbox(entryOf(from)),
      auth: (data, from) => this.sessions.reauthenticate(entryOf(from), data.token),
      ...this.taskHandlers(entryOf),
    };
  }

  private taskHandlers(entryOf: EntryOf): TaskHandlers {
    const handlers = TASK_COMMANDS.map((name): [string, FrameHandler] => [
      `task.${name}`,
      (data, from, id) => this.tasks.answer(namedCall(entryOf(from).actor, id), name, data),
    ]);
    return Object.fromEntries(handlers) as TaskHandlers;
  }

  private async run({ actor, surface }: Asking, data: Data): Promise<Result<unknown>> {
    const { agentId, threadId = randomUUID(), runId = randomUUID(), ...rest } = data;
    if (typeof agentId !== 'string') return refuse('INVALID_INPUT', { details: { pointer: '/agentId' } });
    const input = this.runs.parse({ messages: [], tools: [], context: [], ...rest, threadId, runId });
    if (!input.ok) return input;
    const started = await this.runs.request({ actor, agentId, input: input.value, on: surface });
    if (!started.ok) return started;
    if (started.value.kind === 'answered') return ok(started.value.answered);
    const { threadId: thread, runId: run } = started.value;
    return ok({ threadId: thread, runId: run });
  }
}
