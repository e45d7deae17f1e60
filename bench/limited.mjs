/** What a channel of Slack that is limited costs the others: from a question to its card there, with it and without. */
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS, openChats, until } from './kit/chats.mjs';
import { settings } from './kit/settings.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const GOAL_MS = 50;
/** As long as Slack says `Retry-After: 1`. */
const LIMITED_MS = 1_000;
/** Slack takes one message a second and channel; a round begins when all of them would take one. */
const PACE_MS = 1_100;
const [BUSY] = CHANNELS;

const cardIn = (slack, channel, { taskId }) =>
  slack.world.messagesIn(channel).some(({ metadata }) => metadata?.event_payload?.task_id === taskId);

/** A question for each channel; how long they waited for their cards, the busy one first. */
const round = async ({ slack, ask }) => {
  const began = performance.now();
  const tasks = await ask(CHANNELS);
  return Promise.all(
    CHANNELS.map((channel, n) =>
      until(`a card in ${channel}`, () => cardIn(slack, channel, tasks[n]), began),
    ),
  );
};

const measured = async (stage) => {
  const { slack } = stage;
  const found = { free: [], limited: [] };
  // The first of each only warms up.
  for (let nth = 0; nth <= settings.rounds; nth += 1)
    for (const name of ['free', 'limited']) {
      slack.limits.shutFor(`chat.postMessage:${BUSY}`, name === 'limited' ? LIMITED_MS : 0);
      const [busy, ...others] = await round(stage);
      if (nth > 0) found[name].push(...others);
      if (name === 'limited' && busy < LIMITED_MS) throw new Error(`${BUSY} was not limited`);
      await pause(PACE_MS);
    }
  return found;
};

export const bench = async () => {
  const stage = await openChats();
  try {
    const { free, limited } = await measured(stage);
    const [without, with_] = [median(free), median(limited)];
    return [
      {
        what: 'A limited channel of Slack: what it adds to the wait of the others',
        ...atMost(GOAL_MS, with_ - without, 'ms'),
        more: `from a question to its card ${with_.toFixed(0)} ms with it, ${without.toFixed(0)} ms without; ratio ${(with_ / without).toFixed(2)}`,
      },
    ];
  } finally {
    await stage.stop();
  }
};
