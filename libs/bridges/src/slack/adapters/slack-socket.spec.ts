/** A line to Slack that is refused, says nothing, says odd things, or too much. */
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@triptych/testkit';
import { FakeSlack } from '../../../../../test/fakes/slack/fake-slack.js';
import { APP_TOKEN } from '../../../../../test/fakes/slack/lines.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { slackClient } from './slack-client.js';
import { type Envelope, SlackSocket } from './slack-socket.js';

const PATIENCE_MS = 60_000;
/** Of the envelopes that may be answered at a time. */
const MOST = 200;
const BEYOND = 5;

describe('a line to Slack', () => {
  let slack: FakeSlack;
  let stop: () => void;
  let heard: Envelope[];
  let rests: number[];
  let answer: (envelope: Envelope) => Promise<{ payload?: object } | undefined>;
  const follow = (token = APP_TOKEN): void => {
    stop = new SlackSocket({
      client: slackClient({ token, apiUrl: slack.apiUrl }),
      hear: (envelope) => (heard.push(envelope), answer(envelope)),
      report: () => undefined,
      sleep: (ms, signal) => (rests.push(ms), pause(1, undefined, { signal })),
      chance: () => 0.5,
    }).follow();
  };
  beforeEach(async () => {
    slack = await FakeSlack.start();
    [heard, rests] = [[], []];
    answer = () => Promise.resolve({});
  });
  afterEach(async () => {
    stop();
    await slack.stop();
  });
  const opened = (): Promise<void> => until(() => slack.lines.open.size === 1);

  verifies('BRG-126', 'acknowledges what was heard, with what is answered, and nothing else', async () => {
    follow();
    await opened();
    answer = () => Promise.resolve({ payload: { response_action: 'clear' } });
    expect(await slack.lines.send('interactive', { n: 1 }, 'e1')).toEqual({ response_action: 'clear' });
    for (const odd of ['', 'nonsense', '[]', '{"type":5}', '{"type":"x"}', '{"envelope_id":"e"}'])
      for (const line of slack.lines.open) line.send(odd);
    answer = () => Promise.reject(new Error('broken'));
    void slack.lines.send('interactive', {}, 'e2');
    await until(() => heard.length === 2);
    answer = () => Promise.resolve({});
    expect(await slack.lines.send('events_api', {}, 'e3')).toEqual({});
    expect(heard.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
  });

  verifies(
    'BRG-126',
    'tries again with growing patience where it is refused, and a minute where it is off',
    async () => {
      follow('xoxb-fake');
      await until(() => rests.length >= 8);
      expect(rests.slice(0, 8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
      stop();
      rests.length = 0;
      follow();
      await opened();
      const [before] = slack.lines.open;
      slack.lines.disconnect('link_disabled');
      await until(() => [...slack.lines.open].some((line) => line !== before));
      expect(rests).toEqual([60_000]);
    },
  );

  verifies(
    'BRG-126',
    'answers so many at a time and no more: the others come again',
    async () => {
      let open = (): void => undefined;
      const gate = new Promise<void>((opens) => (open = opens));
      follow();
      await opened();
      answer = () => gate.then(() => ({}));
      for (let n = 0; n < MOST + BEYOND; n += 1) void slack.lines.send('interactive', {}, `e${n}`);
      await until(() => heard.length === MOST);
      open();
      // On one line, in order: what is heard after them was said after all of them.
      await until(async () => (await slack.lines.send('interactive', {}, 'after')) !== undefined);
      expect(heard.map(({ id }) => id).filter((id) => id !== 'after')).toEqual(
        Array.from({ length: MOST }, (_, n) => `e${n}`),
      );
    },
    PATIENCE_MS,
  );

  verifies('BRG-126', 'is cut where more comes at once than any envelope has, and opened anew', async () => {
    follow();
    await opened();
    const [before] = slack.lines.open;
    before!.send('x'.repeat(2 * 1024 * 1024));
    await until(() => [...slack.lines.open].some((line) => line !== before));
    expect(heard).toEqual([]);
  });
});
