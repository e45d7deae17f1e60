/** Tells what goes wrong in a queue: its knocks are never needed, but somebody should know that they fail. */
import type { Log } from '@triptych/platform';
import type { Worker } from 'bullmq';

export const tellTroubles = (worker: Worker, log: Log): void => {
  const { name: queue } = worker;
  worker.on('failed', (job, error) => log.warn('queue.failed', { queue, job: job?.id, error }));
  worker.on('stalled', (job) => log.warn('queue.stalled', { queue, job }));
  // Without a listener the process would die of it.
  worker.on('error', (error) => log.warn('queue.error', { queue, error }));
};
