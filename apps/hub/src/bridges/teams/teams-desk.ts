/** Does what somebody pressed on a card of Teams, as that person, and shows them what came of it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import {
  commandFor,
  type InvokeAnswer,
  type TeamsAction,
  type TeamsActivity,
  withError,
  withMessage,
} from '@triptych/bridges';
import { refusal, type Refusal, type TaskView } from '@triptych/protocol';
import { TaskDoor } from '../../approvals/task-door.js';
import { type CardPlace, type OnCard, TeamsCards } from './teams-cards.js';
import { TeamsCallers } from './teams-callers.js';
import { TeamsVoice } from './teams-voice.js';

/** What a person can put right without the card being drawn anew: what they put in stays. */
const IN_PLACE: readonly string[] = [
  'RESUME_PAYLOAD_INVALID',
  'INVALID_INPUT',
  'STORE_UNAVAILABLE',
  'INTERNAL',
];

const NOT_HERE = 'Tasks are not shown here, so nothing was done. Please open it in the console.';

interface Press {
  readonly activity: TeamsActivity;
  readonly at: CardPlace;
  readonly action: TeamsAction;
  readonly actor: Actor;
}

@Injectable()
export class TeamsDesk {
  constructor(
    @Inject(TeamsCallers) private readonly callers: TeamsCallers,
    @Inject(TeamsCards) private readonly cards: TeamsCards,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(TeamsVoice) private readonly voice: TeamsVoice,
  ) {}

  /** Of the manner of the press: old clients are told by a message, and the card changes by itself. */
  async press(activity: TeamsActivity, action: TeamsAction): Promise<InvokeAnswer | object> {
    const answer = await this.answer(activity, action);
    return action.manner === 'invoke' ? answer : this.voice.say(activity, answer);
  }

  private async answer(activity: TeamsActivity, action: TeamsAction): Promise<InvokeAnswer> {
    const taskId = await this.cards.saw(activity, action);
    if (taskId === undefined) return withMessage('This card is none of ours. Nothing was done.');
    const actor = this.callers.actor(activity);
    if (!actor.ok) {
      await this.voice.record(activity, taskId, actor.refusal);
      return withMessage(this.voice.strangerWords(activity, actor.refusal));
    }
    // BRG-83: before anything is done, for nothing of it could be shown here.
    const at = this.cards.placeOf(activity, actor.value);
    if (!at) return withMessage(NOT_HERE);
    const press = { activity, at, action, actor: actor.value };
    const found = await this.cards.find(press);
    if (!found.ok) return withMessage(found.refusal.message);
    return this.act(press, found.value);
  }

  private async act(press: Press, card: OnCard): Promise<InvokeAnswer> {
    const { action, actor, at } = press;
    const { task, rev } = card;
    if (action.verb !== 'refresh' && !card.showed)
      return this.redrawn(press, task, refusal('STALE_REVISION'));
    const command = commandFor(action, task, rev);
    if (!command) return this.cards.draw(at, task);
    if (!command.ok) return withError(command.refusal);
    const { name, data } = command.value;
    const done = await this.tasks.answer(actor, name, { ...data, idempotencyKey: press.activity.id });
    if (done.ok) return this.cards.draw(at, done.value);
    return IN_PLACE.includes(done.refusal.code)
      ? withError(done.refusal)
      : this.redrawn(press, task, done.refusal);
  }

  /** As it stands now, with why nothing was done. */
  private async redrawn(press: Press, before: TaskView, { message }: Refusal): Promise<InvokeAnswer> {
    const now = await this.cards.find(press);
    const task = now.ok ? now.value.task : before;
    return this.cards.draw(press.at, task, `${message} Nothing was done.`);
  }
}
