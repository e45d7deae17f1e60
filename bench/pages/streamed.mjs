/** Long tasks of the two pages that show text as it comes, while much is said in a long thread. */
import { randomUUID } from 'node:crypto';
import { scaled } from '../kit/settings.mjs';
import { atMost } from '../kit/table.mjs';
import { lastWordOf, runOf, wordsOf } from './script.mjs';
import { tell, tellThread } from './tell.mjs';
import { openWatched } from './watched.mjs';

const EVENTS = 10_000;
const A_RUN = 1_000;
const EVERY_MS = 10;
const STREAMED = scaled(1_000);
const GOAL_MS = 200;

/** Where its words are found. */
const PAGES = {
  customer: { what: "Customer's page", path: '/customer', words: '.cu-col .turn' },
  operator: { what: "Operator's console", path: '/operator', words: '.log .lr .sm' },
};

const onPage = async (given, threadId, role) => {
  const { path, words } = PAGES[role];
  const url = `${given.hub.url}${path}?thread=${threadId}`;
  const watched = await openWatched(given.browser, url, given.tokens[role]);
  await watched.shown(words, 'end of ');
  const opening = await watched.longestSoFar();
  const seen = await watched.watching();
  const runId = randomUUID();
  await tell(given, { threadId, runId, count: STREAMED, everyMs: EVERY_MS });
  await watched.shown(words, lastWordOf(runId));
  const found = await seen();
  await watched.close();
  return { ...found, opening };
};

const onPlain = async ({ browser, plain }) => {
  const watched = await openWatched(browser, plain.url);
  const seen = await watched.watching();
  const runId = randomUUID();
  await plain.tell(wordsOf(runOf({ runId }, STREAMED)), EVERY_MS);
  await watched.shown('body', lastWordOf(runId));
  const found = await seen();
  await watched.close();
  return found;
};

const ms = (value) => `${value.toFixed(0)} ms`;
const asText = ({ longest, sum, work }) =>
  `longest ${ms(longest)}, all long ones together ${ms(sum)}, processor of the main thread ${ms(work)}`;

const rowOf = (role, found, plain) => ({
  what: `${PAGES[role].what}, 100 events a second into a thread of ${EVENTS.toLocaleString('en')}: longest task`,
  ...atMost(GOAL_MS, found.longest, 'ms'),
  more: `${asText(found)}, ${(found.work / plain.work).toFixed(1)} times a plain page's, which appends the same texts: ${asText(plain)}; when the page was opened, longest ${ms(found.opening)}`,
});

export const streamed = async (given) => {
  const threadId = await tellThread(given, { events: EVENTS, aRun: A_RUN });
  const plain = await onPlain(given);
  const rows = [];
  for (const role of Object.keys(PAGES)) rows.push(rowOf(role, await onPage(given, threadId, role), plain));
  return rows;
};
