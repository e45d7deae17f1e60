/** Keeps a socket to Slack where an app's token is set: what comes on it goes the way of what Slack signed. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  slackClient,
  slackEventIn,
  slackInteractionIn,
  SlackSocket,
  type SlackEnvelope,
  type SlackTerms,
} from '@triptych/bridges';
import type { Log } from '@triptych/platform';
import { refuse, type Result } from '@triptych/protocol';
import type { SlackDoor } from './slack-door.js';
import type { SlackEvents } from './slack-events.js';

export interface SlackLineParts {
  readonly door: SlackDoor;
  readonly events: SlackEvents;
  readonly log: Log;
}

export class SlackLine {
  constructor(private readonly parts: SlackLineParts) {}

  /** Until the returned stop. */
  follow(terms: SlackTerms): () => void {
    const socket = new SlackSocket({
      client: slackClient(terms),
      hear: (envelope) => this.hear(envelope),
      report: (event, fields) => this.parts.log.warn(event, fields),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      chance: Math.random,
    });
    return socket.follow();
  }

  private async hear(
    envelope: SlackEnvelope,
  ): Promise<{ readonly payload?: object | undefined } | undefined> {
    const taken = await this.take(envelope);
    if (taken.ok) return taken.value === undefined ? {} : { payload: taken.value };
    this.parts.log.warn('slack.not-taken', { code: taken.refusal.code });
    return undefined;
  }

  private async take({ type, payload }: SlackEnvelope): Promise<Result<object | undefined>> {
    switch (type) {
      case 'interactive': {
        const read = slackInteractionIn(payload);
        return read.ok ? this.parts.door.take(read.value) : read;
      }
      case 'events_api': {
        const read = slackEventIn(payload);
        return read.ok ? this.parts.events.take(read.value) : read;
      }
      default:
        return refuse('INVALID_INPUT', { message: 'Nothing of this type is asked for.' });
    }
  }
}
