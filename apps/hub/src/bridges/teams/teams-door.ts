/** Lets in what comes from Teams and is for us, once, and brings it to where it is done. */
import { Inject, Injectable } from '@nestjs/common';
import { cardActionIn, learnFrom, type TeamsActivity, type TeamsAction, withError } from '@triptych/bridges';
import { isStoreAway, ok, refusal, refuse, type Result } from '@triptych/protocol';
import { Once } from '../../approvals/once.js';
import { jsonIn } from '../json-in.js';
import { TeamsDesk } from './teams-desk.js';
import { TEAMS, type TeamsInstallation } from './teams.providers.js';

/** What Teams is answered: the answer to an invoke, or nothing. */
type Reply = object;
const NOTHING: Reply = {};

/** No tenant's name: what is remembered here is remembered of Teams as a whole. */
const BY_TEAMS = '\u0000teams';

@Injectable()
export class TeamsDoor {
  constructor(
    @Inject(TEAMS) private readonly teams: TeamsInstallation | undefined,
    @Inject(Once) private readonly repeats: Once,
    @Inject(TeamsDesk) private readonly desk: TeamsDesk,
  ) {}

  async hear(authorization: string | undefined, bytes: Buffer): Promise<Result<Reply>> {
    if (!this.teams) return refuse('NOT_FOUND');
    const activity = await this.teams.inbound.read(authorization, () => jsonIn(bytes));
    if (!activity.ok) return activity;
    await this.teams.book.learn(learnFrom(activity.value));
    const action = cardActionIn(activity.value);
    if (!action) return ok(NOTHING);
    return action.ok ? this.press(activity.value, action.value) : ok(withError(action.refusal));
  }

  /** A client shows "unable to reach app" for everything that is not in the words of the protocol. */
  private async press(activity: TeamsActivity, action: TeamsAction): Promise<Result<Reply>> {
    try {
      const done = await this.once(activity, action);
      return ok(done.ok ? done.value : withError(done.refusal));
    } catch (failure) {
      if (isStoreAway(failure)) return ok(withError(refusal('STORE_UNAVAILABLE')));
      throw failure;
    }
  }

  /** Looking does nothing, and is answered anew each time. */
  private async once(activity: TeamsActivity, action: TeamsAction): Promise<Result<Reply>> {
    const work = async (): Promise<Result<Reply>> => ok(await this.desk.press(activity, action));
    if (action.verb === 'refresh') return work();
    const asked = {
      actor: { tenant: BY_TEAMS, subject: activity.conversation.id },
      key: activity.id,
      request: [activity.from.id, action],
    };
    return (await this.repeats.do(asked, work)).answer;
  }
}
