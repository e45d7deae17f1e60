/** Finds the task of a card for whoever has it before them, and draws it for them. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS, BRIDGES, CHAT_VALUES } from '@triptych/assembly/nest';
import {
  type BridgesFile,
  type ChatValues,
  cutFor,
  type InvokeAnswer,
  namesOf,
  placeIdOf,
  taskCard,
  type TeamsAction,
  type TeamsActivity,
  type TeamsDestination,
  withCard,
} from '@triptych/bridges';
import { ok, refuse, type Result, type TaskView } from '@triptych/protocol';
import { TEAMS, type TeamsInstallation } from './teams.providers.js';

/** A task as it is, and what its card showed of it. */
export interface OnCard {
  readonly task: TaskView;
  readonly rev: number;
  /** The card showed what would be decided on now. */
  readonly showed: boolean;
}

/** A conversation in which tasks are shown, and where they are opened from there. */
export interface CardPlace extends Pick<TeamsInstallation, 'linkTo'> {
  readonly place: TeamsDestination;
}

@Injectable()
export class TeamsCards {
  constructor(
    @Inject(TEAMS) private readonly teams: TeamsInstallation | undefined,
    @Inject(CHAT_VALUES) private readonly values: ChatValues,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(BRIDGES) private readonly file: BridgesFile,
  ) {}

  /** That the card is there; answers which task it shows, undefined: none of ours. */
  async saw(activity: TeamsActivity, { value }: TeamsAction): Promise<string | undefined> {
    const taskId = this.values.open(value)?.taskId;
    if (taskId === undefined || activity.replyToId === '') return taskId;
    await this.teams?.book.sawCard({ conversation: placeIdOf(activity), taskId }, activity.replyToId);
    return taskId;
  }

  async find({
    action,
    actor,
  }: {
    readonly action: TeamsAction;
    readonly actor: Actor;
  }): Promise<Result<OnCard>> {
    const opened = this.values.open(action.value);
    if (!opened) return refuse('NOT_FOUND');
    const task = await this.approvals.get(actor, opened.taskId);
    if (!task.ok) return task;
    return ok({ task: task.value, rev: opened.rev, showed: opened.showed(task.value.proposalHash) });
  }

  /** Where somebody pressed; undefined: their tenant's tasks are not shown there. */
  placeOf(activity: TeamsActivity, { tenant }: Actor): CardPlace | undefined {
    const place = this.teams?.placeOf([placeIdOf(activity), ...namesOf(activity.from)]);
    return this.teams && place?.tenant === tenant ? { place, linkTo: this.teams.linkTo } : undefined;
  }

  /** Cut to what the conversation may see, whoever looks: others look over their shoulder. */
  draw(at: CardPlace, task: TaskView, told?: string): InvokeAnswer {
    const viewer = { kind: 'person', may: task.may, ...(told === undefined ? {} : { told }) } as const;
    return withCard(taskCard(cutFor(at.place, task), viewer, this.termsOf(at, task)));
  }

  private termsOf({ place: { tenant }, linkTo }: CardPlace, task: TaskView) {
    const { people } = this.file;
    const involved = [task.requester, ...task.votes.map(({ by }) => by), ...(task.decision?.by ?? [])];
    const known = [...involved, task.claim?.by, task.edit?.by].flatMap((subject) => {
      const name = subject === undefined ? undefined : people.nameOf(tenant, subject);
      return subject === undefined || name === undefined ? [] : [[subject, name] as const];
    });
    return { link: linkTo(task.taskId), names: Object.fromEntries(known), value: this.values.seal(task) };
  }
}
