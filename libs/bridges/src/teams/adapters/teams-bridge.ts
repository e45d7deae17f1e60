/** Shows tasks in conversations of Teams: one card each, which is changed as its task changes. */
import type { Bridge, Delivery, Notice } from '../../core/bridge.js';
import type { ChatValues } from '../../core/chat-value.js';
import { CHAT_SCHEDULE } from '../../core/retry.js';
import type { People } from '../../core/people.js';
import { isAnswerable } from '../../core/task-facts.js';
import type { Reach } from '../../core/target.js';
import { decidersOf } from '../core/deciders.js';
import { meaningOf } from '../core/delivery-of.js';
import { cardMessage } from '../core/messages.js';
import { MAX_REFRESH_USERS, taskCard } from '../core/task-card.js';
import type { Connector, Spot } from './connector.js';
import type { RedisTeamsBook } from './redis-teams-book.js';
import { WorkflowPosts } from './workflow-posts.js';

export interface TeamsBridgeOptions {
  /** undefined: no app is set up, and workflows alone are told. */
  readonly bot: Connector | undefined;
  readonly book: RedisTeamsBook;
  readonly values: ChatValues;
  readonly people: People;
  /** Where workflows may be. */
  readonly reach: Reach;
  readonly now: () => number;
  /** Hears what went wrong beside a card that is shown. */
  readonly report: (failure: unknown) => void;
}

/** A conversation takes 60 messages in 30 s. */
const GAP_MS = 500;
/** People who have the chat before them ask for their view within seconds; whoever comes later finds a second card at worst. */
const SIGN_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 2_000;

type TeamsNotice = Notice<'teams'>;

/** One notice at its place. */
interface Showing {
  readonly notice: TeamsNotice;
  readonly place: Spot;
  readonly message: object;
  readonly bot: Connector;
}

const postedId = (posted: string): string | undefined => {
  const read: unknown = JSON.parse(posted);
  return Array.isArray(read) && typeof read[1] === 'string' ? read[1] : undefined;
};
const shownAs = ({ conversation }: Spot, id: string): Delivery => ({
  kind: 'shown',
  posted: JSON.stringify([conversation, id]),
});

export class TeamsBridge implements Bridge<'teams'> {
  readonly kind = 'teams';
  readonly gapMs = GAP_MS;
  readonly schedule = CHAT_SCHEDULE;

  private readonly workflows: WorkflowPosts;

  constructor(private readonly options: TeamsBridgeOptions) {
    this.workflows = new WorkflowPosts(options);
  }

  async show(notice: TeamsNotice): Promise<Delivery> {
    try {
      return await (notice.destination.mode === 'workflow'
        ? this.workflows.show(notice)
        : this.showAt(notice));
    } catch (failure) {
      // Nothing was sent: the connector tells of what was.
      return { kind: 'failed', why: failure instanceof Error ? failure.message : 'unknown' };
    }
  }

  private async showAt(notice: TeamsNotice): Promise<Delivery> {
    const { address, serviceUrl } = notice.destination;
    const { bot, book } = this.options;
    if (!bot) return { kind: 'refused', why: 'No Teams app is set up: TEAMS_APP_ID, TEAMS_APP_PASSWORD.' };
    const place = (await book.find(address)) ?? { conversation: address, serviceUrl };
    const showing = { notice, place, bot, message: await this.messageFor(notice) };
    const id = notice.posted === undefined ? undefined : postedId(notice.posted);
    if (id !== undefined) return this.update(showing, id);
    return notice.unsure ? this.lookFirst(showing) : this.post(showing);
  }

  private async messageFor({ task, destination, link, names }: TeamsNotice): Promise<object> {
    const { book, people, values } = this.options;
    const deciders = decidersOf(people.those(destination.tenant, 'teams'), task);
    const refreshFor = await book.mrisOf(deciders.slice(0, MAX_REFRESH_USERS));
    return cardMessage(
      taskCard(task, { kind: 'everybody', refreshFor }, { link, names, value: values.seal(task) }),
    );
  }

  private async post(showing: Showing): Promise<Delivery> {
    const { notice, place, message, bot } = showing;
    const { book, now } = this.options;
    const heard = await bot.post(place, message);
    const meaning = meaningOf(heard, 'post');
    switch (meaning.kind) {
      case 'done':
        if (heard.id !== undefined) return this.shown(showing, heard.id);
        await this.aside(book.unsureSince(notice.noticeId, now()));
        return { kind: 'unsure', why: 'Teams did not say what the card is called.' };
      case 'unsure':
        await this.aside(book.unsureSince(notice.noticeId, now()));
        return meaning;
      case 'gone':
        return { kind: 'refused', why: 'The conversation is gone.' };
      case 'later':
      case 'failed':
      case 'refused':
        return meaning;
    }
  }

  private async update(showing: Showing, id: string): Promise<Delivery> {
    const { place, message, notice, bot } = showing;
    const meaning = meaningOf(await bot.update(place, id, message), 'update');
    switch (meaning.kind) {
      case 'done':
        return this.shown(showing, id);
      case 'gone':
        // Somebody deleted the card: it is needed again only while there is something to decide.
        return isAnswerable(notice.task) ? this.post(showing) : shownAs(place, id);
      case 'unsure':
      case 'later':
      case 'failed':
      case 'refused':
        return meaning;
    }
  }

  /** Teams cannot be asked what it took, but whoever has the card before them has told us by now. */
  private async lookFirst(showing: Showing): Promise<Delivery> {
    const { notice, place } = showing;
    const { book, now } = this.options;
    const [seen] = await book.seenCards({ conversation: place.conversation, taskId: notice.task.taskId });
    if (seen !== undefined) return this.update(showing, seen);
    const waited = now() - (await book.unsureSince(notice.noticeId, now()));
    if (waited < SIGN_WAIT_MS) return { kind: 'waits', forMs: LOOK_AGAIN_MS };
    await book.sureAgain(notice.noticeId);
    return this.post(showing);
  }

  private async shown(showing: Showing, id: string): Promise<Delivery> {
    await this.aside(this.removeOther(showing, id));
    return shownAs(showing.place, id);
  }

  /** A card of the task that arrived without our hearing of it; one at a time, so that an attempt stays short. */
  private async removeOther({ notice, place, bot }: Showing, id: string): Promise<void> {
    const { book } = this.options;
    const at = { conversation: place.conversation, taskId: notice.task.taskId };
    const other = (await book.seenCards(at)).find((seen) => seen !== id);
    if (other === undefined) return;
    const { kind } = meaningOf(await bot.remove(place, other), 'update');
    if (kind === 'done' || kind === 'gone') await book.removedCard(at, other);
  }

  /** What was sent was sent: a card that is shown must not be taken for one that is not. */
  private async aside(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (failure) {
      this.options.report(failure);
    }
  }
}
