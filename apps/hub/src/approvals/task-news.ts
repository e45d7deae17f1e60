/** Tells those who read an inbox which tasks changed: each is read once, however many are told. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Approvals, type CaughtUp, matchesInbox, type ViewFor } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { asSaid } from '@triptych/fanout';
import { inBackground, type Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { TaskView } from '@triptych/protocol';
import { type Missed, type OpenSession, Sessions } from '../rooms/sessions.js';

/** Tasks read and told at once: a burst of them must not keep the hub from all else. */
const STEP = 50;
/** Changes that wait to be told; where there are more, readers are to ask again. */
const MAX_UNTOLD = 5_000;
/** Tasks a socket is remembered to know; beyond that the oldest are forgotten, and their end is not told. */
const MAX_KNOWN = 1_000;

@Injectable()
export class TaskNews {
  /** By tenant: tasks that changed and that nobody was told of. */
  private readonly untold = new Map<string, Set<string>>();

  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(LOG) private readonly log: Log,
  ) {}

  follow(caughtUp: CaughtUp | undefined): void {
    this.approvals.follow(caughtUp);
  }

  /** Who cannot be told must ask again. */
  async tell(tenant: string, taskId: string): Promise<void> {
    // Before all else: whoever asks from now on is answered with the change.
    this.approvals.heard(tenant, taskId);
    for (const { missed } of this.sessions.in(tenant)) missed?.taskIds.add(taskId);
    if (this.sessions.reading(tenant).length === 0) return;
    const waiting = this.untold.get(tenant);
    if (waiting) return void waiting.add(taskId);
    const untold = new Set([taskId]);
    this.untold.set(tenant, untold);
    try {
      await this.tellAll(tenant, untold);
    } catch (error) {
      this.resetAll(tenant);
      throw error;
    } finally {
      if (this.untold.get(tenant) === untold) this.untold.delete(tenant);
    }
  }

  /** What changed while its first page was read. */
  catchUp(open: OpenSession, missed: Missed): void {
    inBackground(this.log, 'inbox-missed', this.tellMissed(open, missed));
  }

  private async tellMissed(open: OpenSession, missed: Missed): Promise<void> {
    // What it was answered goes first.
    await nextTurn();
    const taskIds = [...missed.taskIds];
    if (missed.all || taskIds.length > MAX_KNOWN) return resetInbox(open);
    const viewFor = await this.approvals.read(taskIds).catch((error: unknown) => {
      resetInbox(open);
      throw error;
    });
    const teller = tellerOf(viewFor);
    for (const taskId of taskIds) teller(open, taskId);
  }

  private async tellAll(tenant: string, untold: Set<string>): Promise<void> {
    while (untold.size > 0) {
      if (untold.size > MAX_UNTOLD) {
        this.untold.delete(tenant);
        return this.resetAll(tenant);
      }
      const taskIds = [...untold].slice(0, STEP);
      for (const taskId of taskIds) untold.delete(taskId);
      const viewFor = await this.approvals.read(taskIds);
      const teller = tellerOf(viewFor);
      for (const open of this.sessions.reading(tenant)) for (const taskId of taskIds) teller(open, taskId);
    }
    // In the same turn: what is added after this would be told by nobody.
    this.untold.delete(tenant);
  }

  private resetAll(tenant: string): void {
    this.sessions.reading(tenant).forEach(resetInbox);
  }
}

/** What it was told may not be true any more, or not for it: it must ask again. */
export const resetInbox = ({ inbox, missed, session }: OpenSession): void => {
  if (missed) missed.all = true;
  else if (inbox) session.send('inbox.reset', {});
};

type Teller = (open: OpenSession, taskId: string) => void;

/** Whoever may not know of a task is told nothing, unless they knew it before. What many are told alike is framed once. */
const tellerOf = (viewFor: ViewFor): Teller => {
  const framed = new Map<TaskView, ReturnType<typeof asSaid>>();
  return ({ actor, inbox, session }, taskId) => {
    if (!inbox) return;
    const task = viewFor(actor, taskId);
    if (!task.ok) {
      if (inbox.known.delete(taskId)) session.send('task', { taskId, gone: true });
      return;
    }
    if (!inbox.known.has(taskId) && !matchesInbox(task.value, inbox.filter)) return;
    remember(inbox.known, taskId);
    const said = framed.get(task.value) ?? asSaid('task', task.value);
    framed.set(task.value, said);
    session.tell(said);
  };
};

const remember = (known: Set<string>, taskId: string): void => {
  known.add(taskId);
  const [oldest] = known;
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
};
