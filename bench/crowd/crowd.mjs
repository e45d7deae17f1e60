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

/** Reader after reader takes the next of `threads`, or of `places`: a thread and the position to come back by. */
const join = async ({ sockets, threads, places = threads.map((threadId) => ({ threadId })), ...where }) => {
  leave();
  const parsers = new Map(places.map(({ threadId }) => [threadId, readingOnce()]));
  while (crowd.length < sockets) {
    const count = Math.min(OPEN_AT_ONCE, sockets - crowd.length);
    const some = Array.from({ length: count }, (_, n) => places[(crowd.length + n) % places.length]).map(
      (place) => new Reader({ ...where, ...place }, parsers.get(place.threadId)),
    );
    crowd.push(...some);
    await Promise.all(some.map((one) => one.isJoined));
  }
  return { faults: faultsOf(crowd) };
};

const leave = () => {
  for (const one of crowd) one.leave();
  crowd = [];
};

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** Waits until all are done; every reader must have every frame in order and end with the whole text. */
const report = async ({ deltas }) => {
  await Promise.all(crowd.map((one) => one.isDone));
  const whole = wholeText(deltas);
  const wrong = crowd.filter(({ fold }) => unstamped(fold.text) !== whole).length;
  const faults = [...faultsOf(crowd), ...(wrong > 0 ? [`${wrong} readers ended with another text`] : [])];
  const frames = sum(crowd.map(({ fold }) => fold.frames));
  const latencies = Float64Array.from(crowd.flatMap((one) => one.latencies)).toSorted();
  const at = (share) => latencies[Math.floor((latencies.length - 1) * share)];
  leave();
  return { frames, faults, latency: { count: latencies.length, p50: at(0.5), p99: at(0.99) } };
};

answerWith({ join, report, leave });
isReady();
