/** Proves how work, its log and its end behave. */
import { once, EventEmitter } from 'node:events';
import { verifies } from '../../../../test/spec/verifies.js';
import { inBackground } from '../core/in-background.js';
import { every } from './every.js';
import { createLog } from './logger.js';
import { shutdownList } from './shutdown.js';

const logTo = () => {
  const lines: Record<string, unknown>[] = [];
  const written = new EventEmitter();
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    written.emit('line');
  };
  return { lines, written, log: createLog({ level: 'info', name: 'hub', destination: { write } }) };
};

describe('log', () => {
  verifies('PLT-13', 'a line is one event name with fields; errors have their stack', () => {
    const { lines, log } = logTo();
    log.with({ thread: 't' }).info('task.decided', { seq: 3 });
    log.debug('too.quiet');
    log.error('run.failed', { error: new Error('boom') });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      level: 'info',
      process: 'hub',
      event: 'task.decided',
      thread: 't',
      seq: 3,
    });
    expect(lines[1]).toMatchObject({ level: 'error', event: 'run.failed' });
    expect(JSON.stringify(lines[1])).toContain('lifecycle.spec');
  });

  verifies('PLT-19', 'an error leaves what it failed on behind, wherever it stands on the line', () => {
    const { lines, log } = logTo();
    const parsing = (() => {
      try {
        return JSON.parse('{"iban": S3CRET}') as Error;
      } catch (error) {
        return error as Error;
      }
    })();
    const failures = [
      Object.assign(new Error('ERR no such key'), { code: 'ERR', command: { args: ['S3CRET'] } }),
      new Error("ERR unknown command 'EVIL', with args beginning with: 'S3CRET' 'more' "),
      new Error('outer', { cause: Object.assign(new Error('inner'), { command: { args: ['S3CRET'] } }) }),
      Object.assign(new AggregateError([Object.assign(new Error('one'), { at: 'S3CRET' })]), { x: 'S3CRET' }),
      parsing,
    ];
    for (const error of failures) {
      log.error('one', { error });
      log.warn('two', { why: error });
      log.with({ error }).info('three');
    }
    expect(lines).toHaveLength(3 * failures.length);
    expect(JSON.stringify(lines)).not.toContain('S3CRET');
    expect(lines[0]).toMatchObject({ error: { code: 'ERR', message: 'ERR no such key' } });
    expect(lines.at(-1)).toMatchObject({ error: { message: expect.stringContaining('Unexpected token') } });
  });

  verifies('PLT-14', 'a failure in the background is reported by its name', async () => {
    const { lines, log, written } = logTo();
    const line = once(written, 'line');
    inBackground(log, 'relay wake-up', Promise.reject(new Error('no')));
    await line;
    expect(lines[0]).toMatchObject({ event: 'background.failed', work: 'relay wake-up' });
  });
});

describe('shutdown', () => {
  verifies('PLT-7', 'steps run in reverse, once, whoever asks', async () => {
    const { log } = logTo();
    const order: string[] = [];
    const shutdown = shutdownList(log);
    for (const name of ['redis', 'sessions', 'doors']) shutdown.add(name, () => void order.push(name));
    await Promise.all([shutdown.run(), shutdown.run()]);
    expect(order).toEqual(['doors', 'sessions', 'redis']);
  });

  verifies('PLT-7', 'a step that fails or hangs does not keep the others', async () => {
    const { log, lines } = logTo();
    const order: string[] = [];
    const shutdown = shutdownList(log, 20);
    shutdown.add('redis', () => void order.push('redis'));
    shutdown.add('hangs', () => new Promise(() => undefined));
    shutdown.add('fails', () => Promise.reject(new Error('no')));
    await shutdown.run();
    expect(order).toEqual(['redis']);
    expect(lines.map(({ event, step }) => [event, step])).toEqual([
      ['shutdown.step-failed', 'fails'],
      ['shutdown.step-abandoned', 'hangs'],
    ]);
  });

  verifies('PLT-7', 'a heartbeat returns its stop', async () => {
    const beats = new EventEmitter();
    let count = 0;
    const stop = every(1, () => {
      count += 1;
      beats.emit('beat');
    });
    await once(beats, 'beat');
    stop();
    const seen = count;
    await new Promise((resolve) => setImmediate(resolve));
    expect(count).toBe(seen);
  });
});
