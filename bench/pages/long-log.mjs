/** The console before a log of 100,000 events: opened, at its first event, at its last, and half way. */
import { atMost } from '../kit/table.mjs';
import { scaled } from '../kit/settings.mjs';
import { tellThread } from './tell.mjs';
import { openWatched } from './watched.mjs';

const EVENTS = scaled(100_000);
const A_RUN = 5_000;
/** A slow machine is content with what it has told by then; the rows say how much that was. */
const TELL_MS = 60_000;
const GOAL = { taskMs: 200, rows: 200, requests: 8 };
const ROWS = '.log .lr:not(.h)';
const MIB = 2 ** 20;

const counted = (limit, count) => ({ figure: String(count), goal: `≤ ${limit}`, met: count <= limit });

const lastSeq = () => Number([...document.querySelectorAll('.log .lr[id^="row-e"]')].at(-1).id.slice(5));

/** What was asked of the log, and what came back without its headers, decoded. */
const loads = () => {
  const pages = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/log?'));
  return { requests: pages.length, bytes: pages.reduce((sum, page) => sum + page.decodedBodySize, 0) };
};

/** `act` leads to the event; until its row is there. */
const step = async ({ page, ...watched }, seq, act) => {
  const seen = await watched.watching();
  const began = performance.now();
  await act(page);
  await watched.shown(`#row-e${seq}`);
  const took = performance.now() - began;
  return { took, rows: await page.locator(ROWS).count(), ...(await seen()) };
};

const press = (key) => (page) => page.locator('.log').press(key);
const goTo = (seq) => async (page) => {
  await page.locator('.goto input').fill(String(seq));
  await page.locator('.goto input').press('Enter');
};

/** The least that can be done with a page of the log: it is fetched, and each event appended as text. */
const plainPage = async ({ hub, browser, tokens }, threadId, after) => {
  const { page, longestSoFar, close } = await openWatched(browser, `${hub.url}/health/ready`);
  const took = await page.evaluate(
    async ([path, authorization]) => {
      const began = performance.now();
      const { items } = await (await fetch(path, { headers: { authorization } })).json();
      for (const item of items) document.body.append(JSON.stringify(item));
      return performance.now() - began;
    },
    [`/v1/threads/${threadId}/log?after=${after}&limit=200`, `Bearer ${tokens.operator}`],
  );
  const longest = await longestSoFar();
  await close();
  return { took, longest };
};

const look = async (given, threadId) => {
  const url = `${given.hub.url}/operator?thread=${threadId}`;
  const watched = await openWatched(given.browser, url, given.tokens.operator);
  const took = await watched.shown(ROWS);
  await watched.shown('.log .lr .ty', 'RUN_FINISHED');
  const last = await watched.page.evaluate(lastSeq);
  const opened = {
    took,
    longest: await watched.longestSoFar(),
    rows: await watched.page.locator(ROWS).count(),
  };
  const half = Math.round(last / 2);
  const steps = {
    opened,
    Home: await step(watched, 1, press('Home')),
    End: await step(watched, last, press('End')),
    'half way': await step(watched, half, goTo(half)),
  };
  const found = { steps, last, heap: await watched.heapBytes(), ...(await watched.page.evaluate(loads)) };
  await watched.close();
  return { ...found, plain: await plainPage(given, threadId, last - 200) };
};

const rowsOf = ({ steps, last, heap, requests, bytes, plain }, seconds) => {
  const all = Object.entries(steps);
  const each = (tell) => all.map(([name, found]) => `${name} ${tell(found)}`).join(', ');
  const slowest = Math.max(...all.map(([, found]) => found.longest));
  const mostRows = Math.max(...all.map(([, found]) => found.rows));
  const took = ({ took: ms }) => `${ms.toFixed(0)} ms`;
  const work = all.flatMap(([name, { work: ms }]) => (ms === undefined ? [] : `${name} ${ms.toFixed(0)} ms`));
  const longest = ({ longest: ms }) => `${ms.toFixed(0)} ms`;
  const what = `A log of ${last.toLocaleString('en')} events in the console`;
  return [
    {
      what: `${what}: from the navigation to the first rows`,
      figure: took(steps.opened),
      more: `then until the row is there: ${each(took)}; a plain page fetches and appends the newest in ${took(plain)}; the thread was told in ${seconds.toFixed(0)} s`,
    },
    {
      what: `${what}: longest task`,
      ...atMost(GOAL.taskMs, slowest, 'ms'),
      more: `${each(longest)}; the plain page ${longest(plain)}; processor of the main thread: ${work.join(', ')}`,
    },
    {
      what: `${what}: rows in the document`,
      ...counted(GOAL.rows, mostRows),
      more: `${each(({ rows }) => rows)}; heap after it all ${(heap / MIB).toFixed(1)} MiB`,
    },
    {
      what: `${what}: pages of it that were fetched`,
      ...counted(GOAL.requests, requests),
      more: `${(bytes / 1024).toFixed(0)} KiB in all, for four places and the names of two threads`,
    },
  ];
};

export const longLog = async (given) => {
  const began = performance.now();
  const threadId = await tellThread(given, { events: EVENTS, aRun: A_RUN, withinMs: TELL_MS });
  const seconds = (performance.now() - began) / 1_000;
  return rowsOf(await look(given, threadId), seconds);
};
