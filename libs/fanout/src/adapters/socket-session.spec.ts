/** Proves the socket's side of the contract over real sockets. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ok, refuse, StoreAway, type Result, type ThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { handlers, start, stopAll } from '../../test/session-stand.js';
import { settled, THREAD } from '../../test/stand.js';
import { note, text } from '../../test/story.js';
import { SESSION_LIMITS } from '../core/session.js';

afterEach(stopAll);

describe('frames', () => {
  verifies('FAN-26', 'ready comes first and says who one is', async () => {
    const { client } = await start();
    expect(client.frames[0]).toMatchObject({
      event: 'ready',
      data: { session: 's0', surface: 'customer', subject: 'ann', heartbeatMs: 25_000 },
    });
  });

  verifies('FAN-26', 'one answer a frame with an id; none without', async () => {
    const refusing = handlers({ cancel: async () => refuse('NOT_FOUND') });
    const { client } = await start({ handlers: refusing });
    expect(await client.ask('run', { threadId: 'x' })).toMatchObject({
      event: 'reply',
      data: { did: 'run' },
    });
    expect(await client.ask('cancel', {})).toMatchObject({
      event: 'refused',
      data: { code: 'NOT_FOUND', next: 'stop' },
    });
    client.send({ event: 'task.claim', data: { taskId: 't' } });
    client.send({ event: 'ping' });
    await client.next('pong');
    expect(await client.ask('ping')).toMatchObject({ event: 'reply' });
    expect(client.frames.filter((frame) => frame.id !== undefined)).toHaveLength(3);
  });

  verifies('FAN-26', 'a refusal that is the last word comes before the good-bye', async () => {
    const last = handlers({
      auth: async () => ({ ...refuse('FORBIDDEN'), thenClose: 'FORBIDDEN' as const }),
    });
    const { client } = await start({ handlers: last });
    client.send({ event: 'auth', id: 'a' });
    expect(await client.closing()).toBe(4403);
    expect(client.frames.slice(1)).toMatchObject([
      { event: 'refused', id: 'a', data: { code: 'FORBIDDEN' } },
      { event: 'closing', data: { code: 4403 } },
    ]);
  });

  verifies('FAN-26', 'what fails is refused without innards, and reported', async () => {
    const broken = handlers({
      run: async () => {
        throw new Error('secret detail');
      },
      cancel: async () => {
        throw new StoreAway('gone');
      },
    });
    const { client, failures } = await start({ handlers: broken });
    const answer = await client.ask('run', {});
    expect(answer).toMatchObject({
      event: 'refused',
      data: { code: 'INTERNAL', details: { correlationId: 's0-1' } },
    });
    expect(client.texts.join()).not.toContain('secret detail');
    expect(failures).toHaveLength(1);
    expect(await client.ask('cancel', {})).toMatchObject({
      data: { code: 'STORE_UNAVAILABLE', retryAfterMs: 1_000 },
    });
  });

  verifies('FAN-26', 'a close is announced with its code and what to do next', async () => {
    const { client, session } = await start();
    session.close('RESTART', 400);
    expect(await client.closing()).toBe(1012);
    expect(client.frames.at(-1)).toEqual({
      event: 'closing',
      data: { code: 1012, next: 'retry', retryAfterMs: 400 },
    });
    session.send('pong', {});
    session.close('RESTART');
  });

  verifies('FAN-27', 'a text that is no object, and a binary frame, end the session', async () => {
    for (const frame of ['[]', 'not json', Buffer.from('{"event":"ping"}')]) {
      const { client } = await start();
      client.send(frame);
      expect(await client.closing()).toBe(4400);
      expect(client.frames.slice(1).map(({ event }) => event)).toEqual(['refused', 'closing']);
    }
  });

  verifies('FAN-27', 'one answer for each fault, and the tenth is the last', async () => {
    const { client } = await start();
    expect(await client.ask('nope')).toMatchObject({ event: 'refused', data: { code: 'INVALID_INPUT' } });
    for (let nth = 0; nth < 9; nth += 1)
      expect(await client.ask('subscribe', {})).toMatchObject({
        data: { details: { pointer: '/data/threadId' } },
      });
    client.send('{"event":1}');
    expect(await client.closing()).toBe(4400);
  });

  verifies('FAN-28', 'too fast is refused first, then closed', async () => {
    const { client } = await start();
    for (let nth = 0; nth < 402; nth += 1) client.send({ event: 'ping', id: `p${nth}` });
    expect(await client.closing()).toBe(4429);
    const refused = client.frames.filter(({ event }) => event === 'refused');
    expect(refused[0]).toMatchObject({ id: 'p200', data: { code: 'RATE_LIMITED', next: 'retry' } });
  });

  verifies('FAN-35', 'too big closes with 1009, by name and by the line', async () => {
    const { client } = await start();
    client.send({ event: 'subscribe', data: { threadId: 'x'.repeat(1_100_000) } });
    expect(await client.closing()).toBe(1009);
    const other = await start();
    other.client.send(JSON.stringify({ event: 'run', data: { text: 'x'.repeat(2_100_000) } }));
    expect(await other.client.closing()).toBe(1009);
  });

  verifies('FAN-35', 'work that piles up is refused', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const slow = handlers({ auth: async () => (await opened, ok({})) });
    const { client } = await start({ handlers: slow, limits: { ...SESSION_LIMITS, framesBurst: 1_000 } });
    for (let nth = 0; nth < 300; nth += 1) client.send({ event: 'auth', id: `a${nth}` });
    const refused = await client.next('refused');
    expect(refused).toMatchObject({ id: 'a256', data: { code: 'RATE_LIMITED' } });
    open();
    await client.until(() =>
      client.frames.filter(({ event }) => event === 'reply').length === 256 ? true : undefined,
    );
  });
});

describe('threads', () => {
  verifies(
    'FAN-6',
    'a socket gets a snapshot, then what happens, and comes back by its position',
    async () => {
      const { client, log, server, time } = await start();
      const reply = await client.ask('subscribe', { threadId: THREAD });
      expect(reply.data).toMatchObject({ recovered: 'snapshot' });
      expect(await client.next('snapshot')).toMatchObject({
        data: { pos: reply.data['pos'], reason: 'join' },
      });
      log.write(THREAD, [note(1)]);
      const { data } = await client.next('agui');
      client.socket.terminate();
      log.write(THREAD, [text('a', 'x')]);
      time.advance(25);
      const back = await server.connect();
      const again = await back.ask('subscribe', { threadId: THREAD, from: data['pos'] });
      expect(again.data).toMatchObject({ recovered: 'replay' });
      const missed = await back.next('agui');
      expect(missed.data).toMatchObject({
        prev: data['pos'],
        pos: again.data['pos'],
        events: [text('a', 'x')],
      });
    },
  );

  verifies('FAN-29', 'asking five times delivers one copy (RR-07)', async () => {
    const { client, log } = await start();
    const release = log.holdReads();
    const asking = [1, 2, 3, 4, 5].map(() => client.ask('subscribe', { threadId: THREAD }));
    await settled();
    release();
    const replies = await Promise.all(asking);
    expect(replies.filter(({ data }) => 'recovered' in data)).toHaveLength(1);
    expect(new Set(replies.map(({ data }) => data['pos'])).size).toBe(1);
    log.write(THREAD, [note(1)]);
    await client.next('agui');
    await client.ask('ping');
    expect(client.frames.filter(({ event }) => event === 'snapshot' || event === 'agui')).toHaveLength(2);
  });

  verifies('FAN-29', 'no more threads than allowed; leaving one makes room', async () => {
    const { client } = await start({ limits: { ...SESSION_LIMITS, threadsPerSocket: 2 } });
    const ask = (threadId: string) => client.ask('subscribe', { threadId });
    const [one, two, three] = await Promise.all([ask('a'), ask('b'), ask('c')]);
    expect([one.event, two.event, three.event]).toEqual(['reply', 'reply', 'refused']);
    await client.ask('unsubscribe', { threadId: 'a' });
    expect((await ask('c')).event).toBe('reply');
    expect((await ask('b')).event).toBe('reply');
  });

  verifies('FAN-30', 'another position rewinds, with nothing in between', async () => {
    const { client, log, time } = await start();
    await client.ask('subscribe', { threadId: THREAD });
    const begin = (await client.next('snapshot')).data['pos'];
    for (const value of [1, 2, 3]) {
      log.write(THREAD, [note(value)]);
      time.advance(25);
    }
    const held = (await client.next('agui', 2)).data['pos'];
    expect((await client.ask('subscribe', { threadId: THREAD, from: held })).data).toEqual({ pos: held });
    const asking = client.ask('subscribe', { threadId: THREAD, from: begin });
    for (const value of [4, 5, 6]) {
      log.write(THREAD, [note(value)]);
      time.advance(25);
    }
    const reply = await asking;
    expect(reply.data).toMatchObject({ recovered: 'replay' });
    await client.until(() => (client.frames.at(-1)?.data['pos'] === reply.data['pos'] ? true : undefined));
    const after = client.frames.slice(client.frames.indexOf(reply) + 1);
    expect(after[0]).toMatchObject({ event: 'agui', data: { prev: begin } });
    expect(after.flatMap(({ data }) => data.events ?? [])[0]).toEqual(note(1));
  });

  verifies('FAN-31', 'the reply to a run comes before any of its frames', async () => {
    const on = await start({
      handlers: handlers({
        run: async () => {
          on.log.write(THREAD, [{ type: 'RUN_STARTED', threadId: THREAD, runId: 'r' }]);
          await settled();
          return ok({ threadId: THREAD, runId: 'r' });
        },
      }),
    });
    await on.client.ask('subscribe', { threadId: THREAD });
    const reply = await on.client.ask('run', { threadId: THREAD });
    const frame = await on.client.next('agui');
    expect(on.client.frames.indexOf(reply)).toBeLessThan(on.client.frames.indexOf(frame));
  });

  verifies('FAN-34', 'who may not read gets no position and no frame', async () => {
    const { client, log } = await start({ mayRead: async () => refuse('NOT_FOUND') });
    expect(await client.ask('subscribe', { threadId: THREAD })).toMatchObject({
      data: { code: 'NOT_FOUND' },
    });
    expect(log.reads).toBe(0);
  });

  /** Rights that a test takes away; an answer may be held back. */
  const rights = () => {
    const lost = new Set<string>();
    let gate = Promise.resolve();
    const mayRead = async (thread: ThreadId): Promise<Result<unknown>> => {
      const verdict = lost.has(thread) ? refuse('NOT_FOUND') : ok(true);
      await gate;
      return verdict;
    };
    const holdAnswers = (): (() => void) => {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    };
    return { lost, mayRead, holdAnswers };
  };

  verifies('FAN-34', 'access lost ends delivery, of that thread alone', async () => {
    const { lost, mayRead } = rights();
    const { client, session, log, time } = await start({ mayRead });
    for (const threadId of [THREAD, 'kept']) await client.ask('subscribe', { threadId });
    lost.add(THREAD);
    await session.judge();
    expect((await client.next('unsubscribed')).data).toEqual({ threadId: THREAD, code: 'NOT_FOUND' });
    expect(session.threads).toEqual(['kept']);
    log.write(THREAD, [note(1)]);
    log.write('kept' as ThreadId, [note(2)]);
    time.advance(25);
    expect(await client.next('agui')).toMatchObject({ data: { threadId: 'kept' } });
    expect(client.frames.filter(({ event }) => event === 'agui')).toHaveLength(1);
  });

  verifies('FAN-34', 'a subscribe under way is judged by what holds when it is done', async () => {
    for (const stage of ['judged', 'joining'] as const) {
      const { lost, mayRead, holdAnswers } = rights();
      const { client, session, log, rooms } = await start({ mayRead });
      const release = stage === 'judged' ? holdAnswers() : log.holdReads();
      const asking = client.ask('subscribe', { threadId: THREAD });
      await client.ask('ping');
      lost.add(THREAD);
      await session.judge();
      release();
      expect(await asking).toMatchObject({ event: 'refused', data: { code: 'NOT_FOUND' } });
      expect(client.frames.some(({ event }) => event === 'snapshot' || event === 'agui')).toBe(false);
      expect([session.threads, rooms.readersOf(THREAD)]).toEqual([[], []]);
    }
  });

  verifies('FAN-34', 'what cannot be judged is not shown: the session ends', async () => {
    let away = false;
    const mayRead = async (): Promise<Result<unknown>> => {
      if (away) throw new StoreAway('gone');
      return ok(true);
    };
    const { client, session, failures } = await start({ mayRead });
    await client.ask('subscribe', { threadId: THREAD });
    away = true;
    await session.judge();
    expect(await client.closing()).toBe(4503);
    expect([session.threads, failures]).toEqual([[], []]);
  });

  verifies('FAN-39', 'a socket that closes leaves its threads, also while it joins (WS-07)', async () => {
    const { client, log, rooms } = await start();
    const release = log.holdReads();
    client.send({ event: 'subscribe', data: { threadId: THREAD } });
    await client.ask('ping');
    client.socket.terminate();
    await settled();
    release();
    await settled();
    expect(rooms.readersOf(THREAD)).toEqual([]);
  });
});

describe('a life', () => {
  verifies('FAN-32', 'a quiet thread says where it stands; a silent peer is dropped', async () => {
    const { client, time, session, rooms } = await start();
    const { data } = await client.ask('subscribe', { threadId: THREAD });
    const pong = once(client.socket, 'ping');
    time.advance(25_000);
    await pong;
    await client.ask('ping');
    time.advance(25_000);
    expect((await client.next('head')).data).toEqual({ threadId: THREAD, pos: data['pos'] });
    // The library answers pings by itself: from here on nothing reaches it any more.
    (client.socket as unknown as { _socket: Socket })._socket.pause();
    await settled();
    time.advance(25_000);
    await settled();
    time.advance(25_000);
    while (session.threads.length > 0) await settled();
    expect(rooms.readersOf(THREAD)).toEqual([]);
  });

  verifies('FAN-33', 'the token is about to end, then it has; a new one goes on', async () => {
    const { client, time, session } = await start({ expiresAt: 1_000_000 + 90_000 });
    time.advance(30_000);
    expect((await client.next('auth.expiring')).data).toEqual({ at: 1_090_000 });
    session.renew(1_200_000);
    for (let at = 0; at < 16; at += 1) {
      expect(client.closed).toBeUndefined();
      await client.ask('ping');
      time.advance(10_000);
    }
    time.advance(10_000);
    expect(await client.closing()).toBe(4401);
    expect(client.frames.at(-1)).toMatchObject({ event: 'closing', data: { code: 4401, next: 'reauth' } });
  });
});
