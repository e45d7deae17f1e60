/** The readers, in a process of their own: opens connections, checks that each misses nothing, tells what came. */
import { answerWith, isReady } from '../kit/asked.mjs';
import { wholeText } from '../kit/script.mjs';
import { unstamped } from './fold.mjs';
import { Reader } from './reader.mjs';
import { readingOnce } from './reading.mjs';

/** Connections opened at once: more only queue in the accept backlog. */
const OPEN_AT_ONCE = 50;
const FAULTS_SHOWN = 5;

let crowd = [];

const faultsOf = (readers) => readers.flatMap(({ fold }) => fold.faults).slice(0, FAULTS_SHOWN);

const inGroups = async (readers, size, work) => {
  for (let from = 0; from < readers.length; from += size)
    await Promise.all(readers.slice(from, from + size).map(work));
};

/** New readers, reader after reader on the next of `threads`. */
const join = async ({ sockets, threads, ...where }) => {
  leave();
  const parsers = threads.map(readingOnce);
  crowd = Array.from({ length: sockets }, (_, n) => {
    const nth = n % threads.length;
    return new Reader(threads[nth], where, parsers[nth]);
  });
  await inGroups(crowd, OPEN_AT_ONCE, (one) => one.join());
  return { faults: faultsOf(crowd) };
};

const hangUp = () => {
  for (const one of crowd) one.leave();
};

const leave = () => {
  hangUp();
  crowd = [];
};

/** All of them come back where they were, `atOnce` of them in the same moment, until each has as much as there is. */
const comeBack = async ({ atOnce, deltas }) => {
  const { length } = wholeText(deltas);
  const began = performance.now();
  await inGroups(crowd, atOnce, (one) => {
    const joined = one.join();
    one.listen(length);
    return joined;
  });
  const joinedMs = performance.now() - began;
  await Promise.all(crowd.map((one) => one.isDone));
  return { joinedMs, wholeMs: performance.now() - began };
};

/** The first `count` readers ask for a second thread, hear that it begins, and then take nothing more. */
const stall = async ({ count, threadId }) => {
  await Promise.all(crowd.slice(0, count).map((one) => one.alsoRead(threadId)));
  for (const one of crowd.slice(0, count)) one.stall();
};

const resume = () => {
  for (const one of crowd) one.resume();
};

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

const latencyOf = (readers) => {
  const latencies = Float64Array.from(readers.flatMap((one) => one.latencies)).toSorted();
  const at = (share) => latencies[Math.floor((latencies.length - 1) * share)];
  return { count: latencies.length, p50: at(0.5), p99: at(0.99) };
};

/** Waits until all are done; every reader must have every frame in order and end with the whole text. */
const report = async ({ deltas, stay = false, skip = 0 }) => {
  const judged = crowd.slice(skip);
  await Promise.all(judged.map((one) => one.isDone));
  const whole = wholeText(deltas);
  const wrong = judged.filter(({ fold }) => unstamped(fold.text) !== whole).length;
  const faults = [...faultsOf(judged), ...(wrong > 0 ? [`${wrong} readers ended with another text`] : [])];
  const found = { frames: sum(judged.map(({ fold }) => fold.frames)), faults, latency: latencyOf(judged) };
  if (!stay) leave();
  return found;
};

const faults = () => ({ faults: faultsOf(crowd) });

answerWith({ join, report, faults, stall, resume, hangUp, comeBack, leave });
isReady();
