/** How soon every card of a task is right once it is decided on a page: Slack, Teams, an endpoint, a mailbox. */
import { setTimeout as pause } from 'node:timers/promises';
import { openChats, percentile, until } from './kit/chats.mjs';
import { settings } from './kit/settings.mjs';
import { call } from './kit/stage.mjs';
import { atMost } from './kit/table.mjs';
import { median } from './kit/turns.mjs';

const GOAL_MS = 2_000;
/** Places that were told something rest a second before the next. */
const REST_MS = 1_500;

const has = (value, text) => (JSON.stringify(value) ?? '').includes(text);

/** What a person finds of the task at each place, as text; undefined: nothing. */
const found = ({ slack, teams, chat, receiver, smtp }, { taskId }) => ({
  slack: slack.world.messagesIn('C0DESK').find((message) => has(message, taskId)),
  teams: teams.cards(chat).find(({ activity }) => has(activity, taskId)),
  webhook: [...receiver.messages.values()].findLast(({ data }) => data.taskId === taskId),
  mail: smtp.letters.findLast(({ text }) => text?.includes(taskId)),
});

const WAITS = {
  slack: ({ blocks }) => has(blocks, 'tt.approve'),
  teams: ({ activity }) => has(activity, 'Action.Execute'),
  webhook: ({ type }) => type === 'task.created',
  mail: ({ subject }) => subject.startsWith('Waiting'),
};
/** Who decided is there, and nothing that could be pressed; in Teams nobody's own view has a button either. */
const RIGHT = {
  slack: (card) => !WAITS.slack(card) && has(card.blocks, 'Ann Adviser'),
  teams: (card) =>
    !WAITS.teams(card) &&
    has(card.activity, 'Ann Adviser') &&
    !has([...card.views.values()], 'Action.Execute'),
  webhook: ({ type }) => type !== 'task.created',
  mail: ({ subject }) => !subject.startsWith('Waiting'),
};
const KINDS = Object.keys(RIGHT);

const round = async (stage) => {
  const [task] = await stage.ask(['everywhere']);
  const isAt = (kind, judge) => {
    const card = found(stage, task)[kind];
    return card !== undefined && judge[kind](card);
  };
  await Promise.all(KINDS.map((kind) => until(`a card in ${kind}`, () => isAt(kind, WAITS))));
  await stage.teams.settled();
  await pause(REST_MS);
  const { taskId, proposalHash, rev } = task;
  const began = performance.now();
  const body = { verb: 'approve', proposalHash, rev };
  await call(`${stage.hub.url}/v1/approvals/${taskId}/decide`, { token: stage.token, body });
  const took = await Promise.all(
    KINDS.map((kind) => until(`the end in ${kind}`, () => isAt(kind, RIGHT), began)),
  );
  await pause(REST_MS);
  return Object.fromEntries(KINDS.map((kind, n) => [kind, took[n]]));
};

export const bench = async () => {
  const stage = await openChats();
  try {
    const rounds = [];
    // The first only warms up.
    for (let nth = 0; nth <= settings.rounds; nth += 1) rounds.push(await round(stage));
    const counted = rounds.slice(1);
    const all = counted.map((each) => Math.max(...Object.values(each)));
    const each = KINDS.map((kind) => `${kind} ${median(counted.map((took) => took[kind])).toFixed(0)}`);
    return [
      {
        what: 'From a decision on a page until every card of the task is right: the slowest',
        ...atMost(GOAL_MS, Math.max(...all), 'ms'),
        more: `95th percentile ${percentile(all, 0.95).toFixed(0)} ms; medians in ms: ${each.join(', ')}`,
      },
    ];
  } finally {
    await stage.stop();
  }
};
