/** Pages in a real Chromium, with a watch on what keeps them from answering. */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { onPath } from '../../scripts/redis-server.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const VIEWPORT = { width: 1_440, height: 900 };
/** The browser tells of a long task a little after it. */
const SETTLE_MS = 300;
/** What is not shown by then was lost. */
const LOST_MS = 60_000;

/** Undefined: there is none on this machine. */
export const chromiumPath = () =>
  process.env.CHROMIUM_PATH || onPath('chromium', 'chromium-browser', 'google-chrome');

export const openBrowser = () => chromium.launch({ executablePath: chromiumPath(), args: FLAGS });

/** Runs in the page before anything of its own. */
const watch = (token) => {
  if (token) globalThis.triptych = { getToken: async () => token };
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      globalThis.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
};

/** Looks once a frame, at the last few that the selector finds; answers with the time since the navigation. */
const drawn = ([selector, text, withinMs]) =>
  new Promise((done, fail) => {
    const began = performance.now();
    const look = () => {
      const found = [...document.querySelectorAll(selector)].slice(-8);
      if (found.some(({ textContent }) => textContent.includes(text))) return done(performance.now());
      if (performance.now() - began < withinMs) return requestAnimationFrame(look);
      return fail(new Error(`${selector} with "${text}" did not come`));
    };
    look();
  });

const workedMs = async (cdp) => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
};

const heapBytes = async (cdp) => {
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
};

/** Of what happened since: the longest long task, all of them together, and the main thread's processor time, in ms. */
const watching = async (page, cdp) => {
  const from = await page.evaluate(() => performance.now());
  const worked = await workedMs(cdp);
  return async () => {
    await pause(SETTLE_MS);
    const work = (await workedMs(cdp)) - worked;
    const tasks = await page.evaluate(
      (since) => globalThis.longTasks.filter((t) => t.startTime >= since),
      from,
    );
    const each = tasks.map(({ duration }) => duration);
    return { longest: Math.max(0, ...each), sum: each.reduce((sum, ms) => sum + ms, 0), work };
  };
};

/** In a context of its own, as whoever the token says. */
export const openWatched = async (browser, url, token) => {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  // Processor time, not time on the wall: what others have of the machine meanwhile is no matter.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(watch, token);
  await page.goto(url);
  return {
    page,
    shown: (selector, text = '') => page.evaluate(drawn, [selector, text, LOST_MS]),
    watching: () => watching(page, cdp),
    /** Since its navigation. */
    longestSoFar: () =>
      page.evaluate(() => Math.max(0, ...globalThis.longTasks.map((task) => task.duration))),
    heapBytes: () => heapBytes(cdp),
    close: () => context.close(),
  };
};
