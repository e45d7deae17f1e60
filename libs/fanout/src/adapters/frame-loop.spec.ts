/** One contract for the frames of every socket, whoever it is for. */
import { ok, refuse } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { handlers, startAgent, start, stopAll } from '../../test/session-stand.js';
import type { SocketClient } from '../../test/socket-client.js';
import { SESSION_LIMITS, type SessionLimits } from '../core/session.js';
import type { Answered } from '../shell/frame-answers.js';

afterEach(stopAll);

interface Door {
  readonly client: SocketClient;
  /** A frame that is answered by `answer`, with what it carries. */
  readonly asked: string;
}

type Answer = (data: Readonly<Record<string, unknown>>) => Promise<Answered<unknown>>;

const doors: Readonly<Record<string, (answer: Answer, limits?: SessionLimits) => Promise<Door>>> = {
  'of a surface': async (answer, limits = SESSION_LIMITS) => {
    const { client } = await start({ handlers: handlers({ cancel: answer }), limits });
    return { client, asked: 'cancel' };
  },
  'of an agent': async (answer, limits = SESSION_LIMITS) => {
    const { client } = await startAgent({ answer: ({ data }) => answer(data), limits });
    return { client, asked: 'run.take' };
  },
};

const fine: Answer = async () => ok({});

describe.each(Object.entries(doors))('a socket %s', (_whose, open) => {
  verifies('FAN-67', 'is told where in the frame it sent the reason of a refusal stands', async () => {
    const { client, asked } = await open(async ({ at, ...data }) =>
      refuse('INVALID_INPUT', { details: { pointer: at, ...data } }),
    );
    for (const [at, pointer] of [
      ['/threadId', '/data/threadId'],
      ['/events/3/a~1b', '/data/events/3/a~1b'],
      ['', '/data'],
    ])
      expect(await client.ask(asked, { at, rule: 'r' })).toMatchObject({
        event: 'refused',
        data: { details: { pointer, rule: 'r' } },
      });
    expect((await client.ask(asked, { rule: 'r' })).data.details).toEqual({ rule: 'r' });
    expect((await client.ask('nope')).data).toMatchObject({ details: { pointer: '/event' } });
    client.send({ event: asked, id: 'a', data: [] });
    client.send({ event: asked, id: 7 });
    expect((await client.next('refused', 5)).data).toMatchObject({ details: { pointer: '/data' } });
    expect((await client.next('refused', 6)).data).toMatchObject({ details: { pointer: '/id' } });
  });

  verifies('FAN-67', 'is answered in order about one thread, and not kept waiting by another', async () => {
    const gates = new Map<unknown, () => void>();
    const { client, asked } = await open(async ({ threadId, nth }) => {
      if (nth === 0) await new Promise<void>((resolve) => gates.set(threadId, resolve));
      return ok({ threadId, nth });
    });
    for (const nth of [0, 1])
      client.send({ event: asked, id: `slow-${nth}`, data: { threadId: 'slow', nth } });
    expect(await client.ask(asked, { threadId: 'quick', nth: 1 })).toMatchObject({ event: 'reply' });
    gates.get('slow')!();
    await client.next('reply', 2);
    expect(client.frames.flatMap(({ id = '' }) => (id.startsWith('slow') ? [id] : []))).toEqual([
      'slow-0',
      'slow-1',
    ]);
  });

  verifies('FAN-71', 'is bounded in bytes, and lets the largest frames pass', async () => {
    const { client, asked } = await open(fine, {
      ...SESSION_LIMITS,
      frameBytes: 1_000,
      runFrameBytes: 1_000,
    });
    const pad = 'x'.repeat(900);
    for (let nth = 0; nth < 4; nth += 1)
      expect(await client.ask(asked, { pad })).toMatchObject({ event: 'reply' });
    expect((await client.ask(asked, { pad })).data).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 'RATE_BYTES' },
    });
    for (let nth = 0; nth < 5; nth += 1) client.send({ event: asked, data: { pad } });
    expect(await client.closing()).toBe(4429);
  });

  verifies('FAN-71', 'is not pinged without end', async () => {
    const { client, asked } = await open(fine, { ...SESSION_LIMITS, framesPerSecond: 1, framesBurst: 5 });
    for (let nth = 0; nth < 4; nth += 1) client.socket.ping();
    expect(await client.ask(asked)).toMatchObject({ event: 'reply' });
    for (let nth = 0; nth < 6; nth += 1) client.socket.ping();
    expect(await client.closing()).toBe(4429);
  });

  verifies(
    'FAN-67',
    'has bounds: what waits, how fast it comes, how large it is, how often it is wrong',
    async () => {
      const stuck: Answer = () => new Promise(() => undefined);
      const many = { ...SESSION_LIMITS, framesBurst: 1_000, frameBytes: 2_000 };
      const waiting = await open(stuck, many);
      for (let nth = 0; nth < 257; nth += 1) waiting.client.send({ event: waiting.asked, id: `w${nth}` });
      expect(await waiting.client.next('refused')).toMatchObject({
        id: 'w256',
        data: { code: 'RATE_LIMITED' },
      });
      waiting.client.send({ event: waiting.asked, data: { pad: 'x'.repeat(2_000) } });
      expect(await waiting.client.closing()).toBe(1009);

      const fast = await open(fine, { ...SESSION_LIMITS, framesPerSecond: 1, framesBurst: 3 });
      for (let nth = 0; nth < 3; nth += 1) await fast.client.ask(fast.asked);
      expect((await fast.client.ask(fast.asked)).data).toMatchObject({
        code: 'RATE_LIMITED',
        details: { limit: 'RATE_FRAMES' },
      });
      for (let nth = 0; nth < 5; nth += 1) fast.client.send({ event: fast.asked });
      expect(await fast.client.closing()).toBe(4429);

      const broken = await open(fine);
      for (let nth = 0; nth < 10; nth += 1) broken.client.send({ event: broken.asked, data: 7 });
      expect(await broken.client.closing()).toBe(4400);
      expect(broken.client.frames.filter(({ event }) => event === 'refused')).toHaveLength(10);
      expect(broken.client.frames.at(-1)).toMatchObject({
        event: 'closing',
        data: { code: 4400, next: 'fix' },
      });
    },
  );
});
