/** Slack's side of the contract. */
import { randomBytes } from 'node:crypto';
import { LogLevel, WebClient } from '@slack/web-api';
import { shapeOf } from '@triptych/access';
import { FakeSlack, TOKEN } from '../../../../test/fakes/slack/fake-slack.js';
import { type BridgeTerms, LIMITED_MS, type Place } from '../../src/contract.js';
import { chatValues } from '../../src/core/chat-value.js';
import type { SlackDestination } from '../../src/core/destination.js';
import { SlackBridge } from '../../src/slack/adapters/slack-bridge.js';
import { slackClient } from '../../src/slack/adapters/slack-client.js';
import { everyOf } from './every-of.js';
import { NOWHERE } from './nowhere.js';

const values = chatValues(randomBytes(32));
const bridgeTo = (apiUrl: string): SlackBridge =>
  new SlackBridge({ client: slackClient({ token: TOKEN, apiUrl }), values });

/** Errors of Node's own are none of the test runner's, which the vendor's client would lose the reason with. */
const ownFetch: typeof fetch = (...call) =>
  fetch(...call).catch((error: unknown) => {
    throw new Error(String(error), { cause: (error as Error).cause });
  });
const astray = (): SlackBridge => {
  const client = new WebClient(TOKEN, {
    ...{ slackApiUrl: `${NOWHERE}api/`, fetch: ownFetch, logLevel: LogLevel.ERROR },
    retryConfig: { retries: 0 },
  });
  return new SlackBridge({ client, values });
};

const destinationAt = (address: string): SlackDestination => ({
  ...{ id: 'desk', kind: 'slack', tenant: 'default', args: shapeOf(['']), address },
});

const placeIn = (slack: FakeSlack, id: string): Place<'slack'> => {
  const channel = slack.world.addChannel(id, id);
  return {
    destination: destinationAt(id),
    found: () =>
      slack.world.messagesIn(id).map(({ text, blocks }) => ({
        raw: JSON.stringify({ text, blocks }),
        markup: everyOf(blocks, 'type', 'mrkdwn')
          .map((element) => String(element['text']))
          .join('\n'),
        buttons: JSON.stringify(blocks).split(/"action_id":"tt\.(?!open)/u).length - 1,
      })),
    meet: (trouble) => {
      if (trouble === 'limited') slack.limits.shutFor(`chat.postMessage:${id}`, LIMITED_MS);
      else if (trouble === 'never') channel.archived = true;
      else slack.faults.next('chat.postMessage', trouble === 'drop' ? 'drop-reply' : 'reset');
    },
  };
};

export const slackTerms: BridgeTerms<'slack'> = {
  ...{ changes: true, decides: true, limits: true, resends: true, maxBytes: 48 * 1024 },
  marks: ['<!channel', '<!here', '<@', '<https:'],
  start: async () => {
    let [aheadMs, made] = [0, 0];
    const slack = await FakeSlack.start({ now: () => Date.now() + aheadMs });
    slack.limits.enforced = false;
    return {
      bridge: bridgeTo(slack.apiUrl),
      place: () => Promise.resolve(placeIn(slack, `C0PLACE${(made += 1)}`)),
      astray: () => ({ bridge: astray(), destination: destinationAt('C0GONE') }),
      later: (ms) => Promise.resolve(void (aheadMs += ms)),
      close: () => slack.stop(),
    };
  },
};
