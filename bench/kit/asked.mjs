/** A child process that answers questions: `ask(what, with)` over its channel. */
import { fork } from 'node:child_process';

export const forkAsked = (file, ...args) => {
  const child = fork(new URL(`../${file}`, import.meta.url), args);
  const waiting = new Map();
  let lastId = 0;
  const ended = new Promise((_, fail) => {
    child.once('exit', (code) => code && fail(new Error(`${file} ended with ${code}`)));
  });
  child.on('message', ({ id, answer, failed }) => {
    waiting.get(id)?.[failed === undefined ? 'answered' : 'failed'](failed ? new Error(failed) : answer);
    waiting.delete(id);
  });
  const wait = (id) =>
    Promise.race([new Promise((answered, failed) => waiting.set(id, { answered, failed })), ended]);
  return {
    pid: child.pid,
    ready: wait('ready'),
    ask: (what, argument) => {
      const id = ++lastId;
      child.send({ id, what, with: argument });
      return wait(id);
    },
    stop: () => child.kill(),
  };
};

/** The other end: answers with what `does[what]` gives; leaves with its parent. */
export const answerWith = (does) => {
  const reply = async ({ id, what, with: argument }) => {
    const answer = await does[what](argument);
    process.send({ id, answer });
  };
  process.on('message', (question) => {
    reply(question).catch((error) => process.send({ id: question.id, failed: String(error.stack) }));
  });
  process.once('disconnect', () => process.exit(0));
};

export const isReady = (answer) => process.send({ id: 'ready', answer });
