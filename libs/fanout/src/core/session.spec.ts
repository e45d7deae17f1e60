/** Proves how what comes in over a socket is judged, and what a session's age asks for. */
import { MAX_DEPTH } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { readClientFrame } from './client-frame.js';
import { born, EXPIRY_WARNING_MS, heard, HEARTBEAT_MS, lookAt, renewed } from './liveness.js';
import { orderKeyOf, readOwnFrame } from './own-frames.js';
import { newIntake, SESSION_LIMITS, takeFrame, type Intake } from './session.js';

const take = (intake: Intake, text: string | undefined, now = 0, bytes = text?.length ?? 1) =>
  takeFrame(intake, { text, bytes, now });

describe('intake', () => {
  verifies('FAN-27', 'what is no JSON object closes at once (WS-01)', () => {
    for (const text of ['null', '[]', '42', '"x"', 'not json', '{"a":', undefined]) {
      const { verdict } = take(newIntake(0), text);
      expect(verdict).toMatchObject({ do: 'close', reason: 'MISUSE', refusal: { code: 'INVALID_INPUT' } });
    }
  });

  verifies('FAN-27', 'unknown names are refused, ten malformed frames within a minute close', () => {
    const unknown = take(newIntake(0), '{"event":"nope","id":"1"}').verdict;
    expect(unknown).toMatchObject({ do: 'refuse', id: '1', refusal: { code: 'INVALID_INPUT' } });
    let intake = newIntake(0);
    const dos: string[] = [];
    for (let nth = 0; nth < 10; nth += 1) {
      const taken = take(intake, '{"event":7}', nth * 6_000);
      intake = taken.intake;
      dos.push(taken.verdict.do);
    }
    expect(dos).toEqual([...Array<string>(9).fill('refuse'), 'close']);
    let slow = newIntake(0);
    for (let nth = 0; nth < 30; nth += 1) {
      const taken = take(slow, '{"event":7}', nth * 7_000);
      slow = taken.intake;
      expect(taken.verdict.do).toBe('refuse');
    }
  });

  verifies('FAN-27', 'a frame is its name, an id of at most 64 characters and an object', () => {
    const pointers = [
      ['{"event":"ping","id":5}', '/id'],
      [`{"event":"ping","id":"${'x'.repeat(65)}"}`, '/id'],
      ['{"event":"ping","data":[]}', '/data'],
      ['{"event":"ping","data":null}', '/data'],
      ['{}', '/event'],
      [`{"event":"ping","data":{"a":${'['.repeat(80)}${']'.repeat(80)}}}`, ''],
    ];
    for (const [text, pointer] of pointers)
      expect(readClientFrame(text!, MAX_DEPTH)).toMatchObject({ kind: 'malformed', pointer });
    const good = readClientFrame(`{"event":"ping","id":"${'x'.repeat(64)}"}`, MAX_DEPTH);
    expect(good).toMatchObject({ kind: 'frame', frame: { event: 'ping', data: {} } });
    expect(readClientFrame('{"event":"run","data":{"text":"[[[[[[\\"{{{"}}', MAX_DEPTH)).toMatchObject({
      kind: 'frame',
    });
  });

  verifies('FAN-27', 'what nests too deep is refused by its id, wherever that stands', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const deep = nested(1_000_000);
    for (const text of [
      `{"event":"run","id":"a","data":${deep}}`,
      `{"data":${deep},"id":"a"}`,
      `{"id" : "a", "data":{"id":"b","x":${deep}}}`,
      `{"data":{"id":"b"},"more":["id","c"],"event":"id","text":"\\"{[\\\\","id":"a","x":${deep}}`,
    ])
      expect(readClientFrame(text, MAX_DEPTH)).toEqual({ kind: 'malformed', id: 'a', pointer: '' });
    for (const text of [deep, `{"data":${deep}}`, `{"id":5,"data":${deep}}`, `{"id":"","x":${deep}}`])
      expect(readClientFrame(text, MAX_DEPTH)).toEqual({ kind: 'malformed', pointer: '' });
    const carrying = (levels: number) => `{"event":"ping","data":{"a":${nested(levels)}}}`;
    expect(readClientFrame(carrying(10), 10).kind).toBe('frame');
    expect(readClientFrame(carrying(11), 10).kind).toBe('malformed');
  });

  verifies('FAN-27', 'no text whatever breaks it (WS-02)', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (text) => take(newIntake(0), text).verdict.do !== undefined,
      ),
    );
    expect(take(newIntake(0), '['.repeat(1_000_000)).verdict.do).not.toBe('handle');
  });

  verifies('FAN-28', 'a burst of 200, then 50 a second; who does not stop is closed', () => {
    let intake = newIntake(0);
    const verdicts: string[] = [];
    const send = (now: number): void => {
      const taken = take(intake, '{"event":"ping","id":"p"}', now);
      intake = taken.intake;
      verdicts.push(taken.verdict.do === 'handle' ? 'ok' : `${taken.verdict.do}`);
    };
    for (let nth = 0; nth < 200; nth += 1) send(0);
    expect(new Set(verdicts)).toEqual(new Set(['ok']));
    send(0);
    expect(verdicts.at(-1)).toBe('refuse');
    for (let nth = 0; nth < 51; nth += 1) send(1_000);
    expect(verdicts.slice(201).filter((verdict) => verdict === 'ok').length).toBeGreaterThanOrEqual(49);
    for (let nth = 0; nth < 250; nth += 1) send(1_000);
    expect(verdicts.at(-1)).toBe('close');
    expect(take(intake, '{"event":"ping","id":"p"}', 1_000).verdict).toMatchObject({
      reason: 'TOO_FAST',
      id: 'p',
      refusal: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
    });
  });

  verifies('FAN-35', 'only a run may be large', () => {
    const big = SESSION_LIMITS.frameBytes + 1;
    const close = take(newIntake(0), '{"event":"subscribe","data":{}}', 0, big).verdict;
    expect(close).toMatchObject({ do: 'close', reason: 'FRAME_TOO_BIG' });
    expect(take(newIntake(0), '{"event":"run","data":{}}', 0, big).verdict.do).toBe('handle');
  });
});

describe('own frames', () => {
  const read = (event: string, data: object) => {
    const frame = readClientFrame(JSON.stringify({ event, data }), MAX_DEPTH);
    return frame.kind === 'frame' ? readOwnFrame(frame.frame) : frame;
  };
  verifies('FAN-27', 'what they carry is checked, and the fault named', () => {
    expect(read('subscribe', {})).toEqual({ kind: 'fault', pointer: '/data/threadId' });
    expect(read('subscribe', { threadId: 't', from: 5 })).toEqual({ kind: 'fault', pointer: '/data/from' });
    expect(read('ack', { threadId: 't' })).toEqual({ kind: 'fault', pointer: '/data/pos' });
    expect(read('subscribe', { threadId: 'a\nb' })).toMatchObject({ kind: 'fault' });
    expect(read('task.decide', {})).toEqual({ kind: 'handled', event: 'task.decide' });
  });

  verifies('FAN-30', 'frames about one thing wait for each other, others do not', () => {
    const key = (event: string, data: object) => orderKeyOf({ event, data } as never);
    expect(key('run', { threadId: 't' })).toBe(key('subscribe', { threadId: 't' }));
    expect(key('task.claim', { taskId: 'k' })).toBe(key('task.decide', { taskId: 'k' }));
    expect(key('inbox.subscribe', {})).toBe(key('inbox.unsubscribe', {}));
    expect(key('ping', {})).not.toBe(key('auth', {}));
  });
});

describe('liveness', () => {
  const quiet = { unsent: 0, taken: 0 };

  verifies('FAN-32', 'a heartbeat each 25 s; a whole one without a sign of life is the end (WS-07)', () => {
    let life = born(0, Number.POSITIVE_INFINITY);
    const look = (now: number, more = quiet) => {
      const looked = lookAt(life, { now, ...more });
      life = looked.life;
      return looked.acts.map((act) => act.do);
    };
    expect(look(HEARTBEAT_MS - 1)).toEqual([]);
    expect(look(HEARTBEAT_MS)).toEqual(['beat']);
    life = heard(life);
    expect(look(2 * HEARTBEAT_MS)).toEqual(['beat']);
    expect(look(3 * HEARTBEAT_MS)).toEqual(['terminate']);
  });

  verifies('FAN-32', 'who takes bytes is alive, though its answer waits behind them', () => {
    let life = born(0, Number.POSITIVE_INFINITY);
    for (let now = 1_000; now <= 10 * HEARTBEAT_MS; now += 1_000) {
      const { life: next, acts } = lookAt(life, { now, unsent: 5_000_000, taken: Math.floor(now / 20_000) });
      life = next;
      expect(acts.map((act) => act.do)).not.toContain('terminate');
      expect(acts.map((act) => act.do)).not.toContain('close');
    }
  });

  verifies(
    'FAN-33',
    'warns once before the token ends, at once if it is late, and starts over when renewed',
    () => {
      let life = born(0, EXPIRY_WARNING_MS + 5_000);
      const acts = (now: number) => {
        const looked = lookAt(heard(life), { now, ...quiet });
        life = looked.life;
        return looked.acts.filter((act) => act.do !== 'beat');
      };
      expect(acts(4_000)).toEqual([]);
      expect(acts(5_000)).toEqual([{ do: 'warn', at: EXPIRY_WARNING_MS + 5_000 }]);
      expect(acts(6_000)).toEqual([]);
      life = renewed(life, 200_000);
      expect(acts(EXPIRY_WARNING_MS + 6_000)).toEqual([]);
      expect(acts(141_000)).toEqual([{ do: 'warn', at: 200_000 }]);
      expect(acts(200_000)).toEqual([{ do: 'close', reason: 'UNAUTHENTICATED' }]);
      expect(lookAt(born(0, 1_000), { now: 0, ...quiet }).acts).toEqual([{ do: 'warn', at: 1_000 }]);
    },
  );

  verifies('FAN-21', 'a socket that takes nothing for 30 s is closed, whatever it reads', () => {
    let life = born(0, Number.POSITIVE_INFINITY);
    const acts: string[] = [];
    for (let now = 1_000; now <= 31_000; now += 1_000) {
      const looked = lookAt(heard(life), { now, unsent: 10, taken: 0 });
      life = looked.life;
      acts.push(...looked.acts.map((act) => (act.do === 'close' ? act.reason : act.do)));
    }
    expect(acts).toContain('SLOW');
  });
});
