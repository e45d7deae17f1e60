/** Shows one task at one destination, as it is at that moment, and keeps what came of it. */
import { ATTEMPT_MS, type Bridge, type Delivery, type Notice } from '../core/bridge.js';
import type { Destination } from '../core/destination.js';
import type { Names } from '../core/names.js';
import { batchIdOf, type NoticedTask } from '../core/notice-task.js';
import {
  afterDelivery,
  beginSending,
  isBehind,
  isUnsure,
  type Outcome,
  type Posting,
} from '../core/posting.js';
import type { PostingName } from '../core/posting-store.js';
import { CHAT_SCHEDULE } from '../core/retry.js';
import { hashOf, printOf } from '../core/print.js';
import { cutFor } from '../core/route.js';
import { nextStepOf, stepOf, type Step } from '../core/steps.js';
import type { NotifyDesk } from './notify-desk.js';

/** What is left to do with an entry of a lane. */
export interface Shown {
  /** When it is to be tried again; undefined: never by itself. */
  readonly again?: number | undefined;
  readonly holdMs?: number | undefined;
  /** The batch is to be looked at again: another destination may have to do. */
  readonly reroute?: true;
}

const DONE: Shown = {};

export const noticeIdOf = ({ taskId, destination }: PostingName): string => hashOf(taskId, destination);

export class Showing {
  constructor(private readonly desk: NotifyDesk) {}

  async show(destination: Destination, taskId: string): Promise<Shown> {
    const batch = await this.desk.tasks.batch(batchIdOf(taskId));
    const task = batch?.tasks.find(({ view }) => view.taskId === taskId);
    // What is gone, or is not theirs to see any more, is not shown.
    if (!batch || task?.tenant !== destination.tenant) return DONE;
    const name = { taskId, destination: destination.id };
    const [posting = {}] = await this.desk.store.postings([name]);
    const view = cutFor(destination, task.view);
    const print = printOf(view);
    if (!isBehind(posting, print)) return DONE;
    const bridge = this.desk.speak.get(destination.kind);
    const step = (bridge?.tellsAll ? nextStepOf : stepOf)({ shown: posting.shown, view, name });
    const notice = this.noticeOf(destination, { ...task, view }, { posting, step });
    await this.desk.store.keep(name, beginSending(posting, print));
    const delivery = await this.attempt(notice);
    const outcome = afterDelivery(posting, delivery, {
      schedule: bridge?.schedule ?? CHAT_SCHEDULE,
      print,
      then: step.then,
      now: await this.desk.store.now(),
      chance: this.desk.chance(),
    });
    return this.keep(notice, outcome);
  }

  private noticeOf(
    destination: Destination,
    task: NoticedTask,
    { posting, step }: { readonly posting: Posting; readonly step: Step },
  ): Notice {
    const { view } = task;
    return {
      noticeId: noticeIdOf({ taskId: view.taskId, destination: destination.id }),
      changeId: step.stepId,
      destination,
      task: view,
      names: this.namesIn(task),
      what: step.what,
      chat: task.chat,
      link: this.desk.linkTo(view.taskId),
      ...(posting.shown ? { posted: posting.shown.posted } : {}),
      unsure: isUnsure(posting),
    };
  }

  private namesIn({ tenant, view }: NoticedTask): Names {
    const subjects = [
      ...[view.requester, view.assignee, view.claim?.by, view.edit?.by],
      ...view.votes.map(({ by }) => by),
      ...(view.decision?.by ?? []),
    ];
    return Object.fromEntries(
      subjects.flatMap((subject) => {
        const name = subject === undefined ? undefined : this.desk.people.nameOf(tenant, subject);
        return subject === undefined || name === undefined ? [] : [[subject, name] as const];
      }),
    );
  }

  /** A bridge that breaks its word is taken for one that sent and heard nothing. */
  private async attempt(notice: Notice): Promise<Delivery> {
    const { kind, id } = notice.destination;
    const bridge: Bridge | undefined = this.desk.speak.get(kind);
    const missing = this.desk.unmet.get(id)?.join(', ') ?? `a bridge for ${kind}`;
    // Tried again all the same: whoever sets what is missing need not send anything again.
    if (!bridge || this.desk.unmet.has(id)) return { kind: 'failed', why: `This is missing: ${missing}.` };
    const gone = await this.desk.store.gone(notice.destination.id);
    if (gone !== undefined) return { kind: 'gone', why: gone };
    const over = new AbortController();
    const late = this.desk
      .sleep(ATTEMPT_MS, over.signal)
      .then((): Delivery => ({ kind: 'unsure', why: `There was no answer within ${ATTEMPT_MS} ms.` }));
    // Its end is awaited by nobody once the bridge has answered.
    late.catch(() => undefined);
    try {
      return await Promise.race([bridge.show(notice), late]);
    } catch (error) {
      this.desk.report('notify.bridge-broke', { notice: notice.noticeId, error });
      return { kind: 'unsure', why: String(error) };
    } finally {
      over.abort();
    }
  }

  private async keep(notice: Notice, { posting, again, holdMs, dead, health }: Outcome): Promise<Shown> {
    const { store, report } = this.desk;
    const { destination, task, noticeId } = notice;
    // The letter first: whoever dies in between tries once more, and buries it under the same name.
    if (dead !== undefined) {
      report('notify.given-up', { notice: noticeId, destination: destination.id, why: dead });
      await store.bury({
        id: noticeId,
        tenant: destination.tenant,
        taskId: task.taskId,
        threadId: task.threadId,
        destination: destination.id,
        kind: destination.kind,
        why: dead,
        attempts: posting.failing?.attempts ?? 1,
        at: await store.now(),
      });
    }
    if (health)
      await store.setHealth(
        destination.id,
        health === 'well' ? undefined : (dead ?? ''),
        health === 'gone' ? health : undefined,
      );
    await store.keep({ taskId: task.taskId, destination: destination.id }, posting);
    return { again, holdMs, ...(dead === undefined ? {} : { reroute: true }) };
  }
}
