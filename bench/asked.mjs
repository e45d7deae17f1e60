/** A child process that answers questions: `ask(what, with)` over its channel. */
import { fork } from 'node:child_process';

export const forkAsked = (file) => {
  const child = fork(new URL(file, import.meta.url));
  const waiting = new Map();
  let lastId = 0;
  child.on('message', ({ id, answer }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  child.once('exit', (code) => {
    if (code) throw new Error(`${file} ended with ${code}`);
  });
  return {
    pid: child.pid,
    ready: new Promise((ready) => waiting.set('ready', ready)),
    ask: (what, argument) =>
      new Promise((answered) => {
        const id = ++lastId;
        waiting.set(id, answered);
        child.send({ id, what, with: argument });
      }),
    stop: () => child.kill(),
  };
};
