/** A process that does nothing but append, by the product's own log on one connection, as a hub does. */
import { ensureBuilt } from '../../scripts/build.mjs';
import { answerWith, isReady } from './asked.mjs';

ensureBuilt();
const { redisEventLog } = await import('../../dist/libs/event-log/src/index.js');
const { connectRedis, createLog } = await import('../../dist/libs/platform/src/index.js');

const url = process.argv[2];
const log = createLog({ level: 'warn', name: 'bench' });
const eventLog = redisEventLog({
  redis: await connectRedis(url, 'commands', { log }),
  subscriber: await connectRedis(url, 'subscriber', { log }),
  newEpoch: () => '0000abcd',
  log,
});

/** `inFlight` writers, each on one thread after the other; an append is sent when the one before is stored. */
const append = async ({ name, appends, inFlight, perThread, events }) => {
  let next = 0;
  const fill = async (thread, count) => {
    for (let n = 1; n <= count; n++) {
      const outcome = await eventLog.append({ thread, events });
      if (outcome.status !== 'stored' || outcome.last !== n * events.length)
        throw new Error(`append ${n} of ${thread}: ${JSON.stringify(outcome)}`);
    }
  };
  const writer = async () => {
    for (let from = next; from < appends; from = next) {
      next += perThread;
      await fill(`${name}-${from}`, Math.min(perThread, appends - from));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: inFlight }, writer));
  return (appends * 1_000) / (performance.now() - began);
};

answerWith({ append });
isReady();
