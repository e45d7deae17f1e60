/** Proves that event streams, the agents' and ours, survive every way a line can be written, dropped or asked for. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SURFACES, type AguiEvent } from '@triptych/protocol';
import { AMELIA, MO, until } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import type { Attached } from './event-source.js';
import { FieldStage, folded, STAGE_MS } from './stage.js';
import { frame, type Answer } from './told-agent.js';
import { finished, saidIn, started, wholeRun } from './words.js';

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage.stop(), STAGE_MS);

const saying = (thread: string, delta: string): readonly AguiEvent[] => wholeRun(thread, 'run-1', delta);

const readers = async (thread: string): Promise<number> => {
  const token = await stage.product.token(MO);
  const { items } = await stage.product.json<{ items: unknown[] }>(`/v1/threads/${thread}/subscribers`, {
    token,
  });
  return items.length;
};

describe('what an agent’s stream is made of', () => {
  verifies('AGT-8', 'SS-01: characters that only look like line ends stay in the text', async () => {
    const text = 'a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg\u001eh\ufeffi\r\n\tj\u0000k\u200bl';
    const seen = await stage.play('ss-01', saying('ss-01', text));
    for (const surface of SURFACES) {
      expect(saidIn(seen.live[surface].model)).toBe(text);
      expect(saidIn(seen.joined[surface])).toBe(text);
    }
    const screen = await stage.screen('ss-01', 'customer');
    expect(saidIn(await screen.until('ss-01', (model) => saidIn(model) !== ''))).toBe(text);
    await screen.close();
  });

  const bytesOf = (thread: string): string => saying(thread, 'hi 👍 there').map(frame).join('');
  const written: readonly (readonly [string, (thread: string) => readonly (string | Buffer)[]])[] = [
    ['CRLF', (t) => [bytesOf(t).replaceAll('\n', '\r\n')]],
    ['CR alone', (t) => [bytesOf(t).replaceAll('\n', '\r')]],
    [
      'CR and LF in two packets',
      (t) =>
        bytesOf(t)
          .replaceAll('\n', '\r\n')
          .split(/(?<=\r)/u),
    ],
    ['no space after the colon', (t) => [bytesOf(t).replaceAll('data: ', 'data:')]],
    ['one byte at a time', (t) => [...Buffer.from(bytesOf(t))].map((byte) => Buffer.from([byte]))],
    [
      'comments and other fields',
      (t) => [bytesOf(t).replaceAll('data:', ': hb\nevent: x\nid: 7\nretry: 5\ndata:')],
    ],
    ['comments between', (t) => [': hi\n\n', bytesOf(t).replaceAll('\n\n', '\n\n: ping\n\n'), ':\n\n']],
    ['no blank line at the end', (t) => [bytesOf(t).trimEnd()]],
    ['a mark of byte order', (t) => [Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(t)]],
    ['one event over several data lines', (t) => [bytesOf(t).replaceAll(',"', ',\ndata: "')]],
    ['blank lines in plenty', (t) => ['\n\n\n', bytesOf(t).replaceAll('\n\n', '\n\n\n\n\n')]],
    ['[DONE] after the end', (t) => [bytesOf(t), 'data: [DONE]\n\n']],
  ];
  for (const [nth, [how, pieces]] of written.entries())
    verifies('AGT-8', `SS-02: is read alike when written with ${how}`, async () => {
      const thread = `ss-02-${nth}`;
      const answer: Answer = async (response) => {
        response.socket?.setNoDelay(true);
        for (const piece of pieces(thread)) {
          response.write(piece);
          if (pieces(thread).length > 1) await new Promise(setImmediate);
        }
        response.end();
      };
      const { live } = await stage.play(thread, answer);
      for (const { model } of Object.values(live)) {
        expect(saidIn(model)).toBe('hi 👍 there');
        expect([model.run?.finished?.type, model.run?.error]).toEqual(['RUN_FINISHED', undefined]);
      }
    });

  verifies('PRO-1', 'SS-02: [DONE] in the middle is one clear error', async () => {
    const thread = 'ss-02-done';
    const seen = await stage.play(thread, (response) => {
      const [first = started(thread), ...rest] = saying(thread, 'never');
      response.end(`${frame(first)}data: [DONE]\n\n${rest.map(frame).join('')}`);
    });
    for (const { model } of Object.values(seen.live))
      expect(model.run?.error?.code).toBe('hub/protocol-violation');
    expect(seen.log.filter(({ refused }) => refused)).toMatchObject([{ event: '[DONE]' }]);
  });
});

describe('readers who leave', () => {
  /** A run that goes on until its test lets it end. */
  const openRun = (thread: string) => {
    let end = (): void => undefined;
    stage.agent.tell(thread, (response) => {
      response.write(frame(started(thread)));
      end = () => void response.end(frame(finished(thread)));
    });
    return () => end();
  };
  const openFiles = (): number => readdirSync(`/proc/${stage.product.pidOf('hub')}/fd`).length;

  verifies(
    'FAN-39',
    'SS-04: a thousand responses to runs that were dropped are let go, and the run goes on',
    async () => {
      const thread = 'ss-04';
      const end = openRun(thread);
      const token = await stage.product.token(AMELIA);
      const before = openFiles();
      const body = JSON.stringify({ threadId: thread, runId: 'run-1', messages: [], tools: [], context: [] });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const drop = async (): Promise<void> => {
        const away = new AbortController();
        const asked = { method: 'POST', body, headers, signal: away.signal };
        const response = await fetch(`${stage.product.url}/v1/agents/told/run`, asked);
        expect(response.status).toBe(200);
        await response.body?.getReader().read();
        away.abort();
      };
      await drop();
      for (let round = 0; round < 37; round += 1) await Promise.all(Array.from({ length: 27 }, drop));
      await until(async () => (await readers(thread)) === 0);
      await until(() => openFiles() < before + 27);
      end();
      const whole = await stage.run(thread, 'run-1');
      expect(whole.at(-1)?.type).toBe('RUN_FINISHED');
    },
    STAGE_MS,
  );

  verifies(
    'FAN-39',
    'SS-05: a hundred that leave a quiet thread are known to be gone, though nothing happens on it',
    async () => {
      const thread = 'ss-05';
      await stage.play(thread, saying(thread, 'hi'));
      const before = openFiles();
      const streams: Attached[] = [];
      for (let nth = 0; nth < 100; nth += 1)
        streams.push(await stage.attach(thread, SURFACES[nth % 3] ?? 'customer'));
      expect(await readers(thread)).toBe(100);
      await Promise.all(streams.map((stream) => stream.leave()));
      await until(async () => (await readers(thread)) === 0);
      await until(() => openFiles() < before + 20);
    },
  );
});

describe('where to go on from', () => {
  /** As no library would send it. */
  const raw = (lines: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(stage.product.url);
      const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      let text = '';
      socket.on('data', (bytes) => {
        text += String(bytes);
        if (text.includes('id: ') || /^HTTP\/1.1 4/u.test(text)) socket.destroy();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });

  verifies(
    'FAN-2',
    'SS-08: what is no position of the thread is answered with the whole, whatever it is',
    async () => {
      const thread = 'ss-08';
      await stage.play(thread, saying(thread, 'mine'));
      await stage.play('ss-08-other', saying('ss-08-other', 'theirs'));
      const others = await Promise.all(SURFACES.map((surface) => stage.snapshot('ss-08-other', surface)));
      const own = await Promise.all(SURFACES.map((surface) => stage.snapshot(thread, surface)));
      const epoch = own[2]?.pos.split(':')[0] ?? '';
      const odd = ['abc', '-1', '99999999999999999999', '0', '5', 'null', '*', `${epoch}:-1`, `${epoch}:1e3`];
      const ahead = [`${epoch}:99999999`, `${epoch}:99999999999999999999`, `ffffffff:2`, 'x'.repeat(5_000)];
      for (const surface of SURFACES) {
        const foreign = [...others, ...own.filter((_, nth) => SURFACES[nth] !== surface)].map(
          ({ pos }) => pos,
        );
        for (const lastEventId of ['', ...odd, ...ahead, ...foreign]) {
          const stream = await stage.attach(thread, surface, { lastEventId });
          expect(stream.response.status).toBe(200);
          await until(() => stream.lastId() !== undefined);
          expect([lastEventId, stream.response.headers.get('hub-recovered')]).toEqual([
            lastEventId,
            'snapshot',
          ]);
          expect(saidIn(folded(stream.events()))).toBe('mine');
          await stream.leave();
        }
      }
    },
    STAGE_MS,
  );

  verifies('FAN-2', 'SS-08: nor do line ends, repeats and queries in its place do harm', async () => {
    const thread = 'ss-08';
    const token = await stage.product.token(MO);
    const { pos } = await stage.snapshot(thread, 'operator');
    const get = (query: string, ...more: readonly string[]) =>
      raw([
        `GET /v1/threads/${thread}/events?surface=operator${query} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${token}`,
        ...more,
      ]);
    for (const more of [
      ['Last-Event-ID: a\r\nX-Other: b'],
      [`Last-Event-ID: ${pos}\nInjected: yes`],
      [`Last-Event-ID: ${pos}`, `Last-Event-ID: ${pos}`],
      ['Last-Event-ID: \u0001'],
    ]) {
      const answer = await get('', ...more);
      expect([more[0], /^HTTP\/1.1 (?:200|400) /u.test(answer)]).toEqual([more[0], true]);
      expect(answer).not.toContain('Injected');
    }
    for (const query of ['&after=abc', '&after=', '&after=1&after=2', '&after=%0d%0a', '&after[x]=1'])
      expect(await get(query)).toContain('hub-recovered: snapshot');
    expect(await stage.product.fetch('/health/live')).toMatchObject({ status: 200 });
  });

  verifies(
    'HUB-48',
    'SS-10: a run that is over is shown and ends, a thread that is not is 404, and nothing is 204',
    async () => {
      const thread = 'ss-10';
      await stage.play(thread, saying(thread, 'all of it'));
      expect((await stage.run(thread, 'run-1')).map(({ type }) => type)).toEqual(
        saying(thread, '').map(({ type }) => type),
      );
      const token = await stage.product.token(AMELIA);
      const body = (threadId: string) => ({ threadId, runId: 'c', messages: [], tools: [], context: [] });
      const connected = async (threadId: string) => {
        const path = '/v1/agents/told/connect';
        const response = await stage.product.fetch(path, { token, body: body(threadId) });
        const { date: _now, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, headers, text: await response.text() };
      };
      const shown = await connected(thread);
      expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/event-stream']);
      expect(shown.text).toContain('all of it');
      await stage.open('ss-10-fresh');
      for (const nothing of ['ss-10-fresh', 'ss-10-never'])
        expect(await connected(nothing)).toEqual({ ...shown, text: '' });
      for (const path of ['events', 'snapshot', 'runs/run-1', '']) {
        const missing = await stage.product.fetch(`/v1/threads/ss-10-never/${path}`, { token });
        expect([path, missing.status]).toEqual([path, 404]);
        expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
      }
      const nobody = await stage.product.fetch(`/v1/threads/${thread}/runs/never`, { token });
      expect(nobody.status).toBe(404);
      // An idle thread's attach stream stays open: there is more to come.
      const stream = await stage.attach(thread, 'customer');
      let over = false;
      void stream.over.then(() => (over = true));
      await pause(300);
      expect(over).toBe(false);
      await stream.leave();
    },
  );
});
