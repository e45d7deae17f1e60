/** Starts the worker. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { bootProcess, explainRefusal } from '@triptych/assembly';
import { WorkerModule } from './worker.module.js';

try {
  const parts = await bootProcess('worker', process.env);
  const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(parts), {
    logger: false,
    abortOnError: false,
  });
  app.enableShutdownHooks();
  parts.log.info('worker.ready', { pid: process.pid });
  // The launcher waits for this word; started by hand there is nobody to tell.
  process.send?.('ready');
} catch (error) {
  process.exitCode = explainRefusal(error, (text) => process.stderr.write(text));
  process.exit();
}
