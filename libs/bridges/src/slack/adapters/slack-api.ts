/** What the hub's door asks of Slack: to open a modal, to say something to one person, and who somebody is. */
import type { KnownBlock, ModalView } from '@slack/types';
import { slackClient, type SlackTerms } from './slack-client.js';
import { slackTrouble } from './slack-trouble.js';

export interface SlackPerson {
  readonly team?: string | undefined;
  readonly deleted: boolean;
  readonly isBot: boolean;
  readonly isStranger: boolean;
}

export interface Whisper {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Slack lets a modal be opened for three seconds after the click; what is left is for the door's own work. */
const VIEW_MS = 1_500;

export class SlackApi {
  private readonly client;
  /** Of a person who waits for the answer to a click. */
  private readonly quick;

  constructor(terms: SlackTerms) {
    this.client = slackClient(terms);
    this.quick = slackClient(terms, VIEW_MS);
  }

  /** Why it did not open; undefined: it did. */
  async openView(trigger: string, view: ModalView): Promise<string | undefined> {
    try {
      await this.quick.views.open({ trigger_id: trigger, view });
      return undefined;
    } catch (error) {
      const trouble = slackTrouble(error);
      return trouble.kind === 'limited' ? 'limited' : trouble.why;
    }
  }

  /** Rejects with the vendor's error. */
  async whisper({ channel, user, text, blocks }: Whisper): Promise<void> {
    const plainly = { parse: 'none' as const, link_names: false };
    await this.client.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...plainly });
  }

  /** Rejects with the vendor's error; undefined: there is nobody of that name. */
  async person(user: string): Promise<SlackPerson | undefined> {
    try {
      const { user: found } = await this.quick.users.info({ user });
      return {
        team: found?.team_id,
        deleted: found?.deleted === true,
        isBot: found?.is_bot === true,
        isStranger: (found as { is_stranger?: boolean } | undefined)?.is_stranger === true,
      };
    } catch (error) {
      const trouble = slackTrouble(error);
      if (trouble.kind === 'never' && trouble.why === 'user_not_found') return undefined;
      throw error;
    }
  }
}
