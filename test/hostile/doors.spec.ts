/** Proves that no bytes end the hub, that each door names what was wrong, and that honest sockets go on meanwhile. */
import { once } from 'node:events';
import { AMELIA, MO, TOVE, until, type Person, type Product } from '@triptych/testkit';
import { AGENT_FRAMES, CLIENT_FRAMES } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { Chance } from '../history/chance.js';
import { ENGINE, pushStage } from '../journeys/push-agent.js';
import { eventsIn, inputOf } from '../journeys/wire.js';
import { verifies } from '../spec/verifies.js';
import { BINARY, CLOSE, closeFrame, CONTINUED, frameOf, PING, PONG, rawSocket, TEXT } from './bytes.js';

const JOURNEY_MS = 120_000;
const SOCKETS = 40;
/** One fewer than malformed frames close a socket. */
const FRAMES = 9;
const BODIES = 150;

let stage: Awaited<ReturnType<typeof pushStage>>;
let product: Product;
let pid: number;
beforeAll(async () => {
  stage = await pushStage({ env: { RATE_RUNS: '100000', MAX_SOCKETS_PER_SUBJECT: '1000' } });
  product = stage.product;
  pid = product.pidOf('hub');
}, JOURNEY_MS);
afterAll(async () => {
  await stage.stop();
}, JOURNEY_MS);

interface Door {
  readonly path: string;
  readonly person: Person;
  readonly protocol: string;
  readonly names: readonly string[];
}

const surface = (name: string, person: Person): Door => ({
  path: `/ws/${name}`,
  person,
  protocol: 'triptych.v1+json',
  names: CLIENT_FRAMES,
});

const DOORS: readonly Door[] = [
  surface('customer', AMELIA),
  surface('reviewer', TOVE),
  surface('operator', MO),
  { ...surface('agent', ENGINE), names: AGENT_FRAMES },
  { path: '/ws/agui?agent=cards', person: MO, protocol: 'ag-ui.v1+json', names: [] },
];
const isPlain = ({ names }: Door): boolean => names.length === 0;

const open = async ({ path, person, protocol }: Door) =>
  rawSocket(`${product.url}${path}`, await product.token(person), protocol);

/** An honest socket that is there before, and is answered after. */
const honest = async (door: Door) => {
  const headers = { authorization: `Bearer ${await product.token(door.person)}` };
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}${door.path}`, [door.protocol], {
    headers,
  });
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  await once(socket, 'open');
  const goesOn = async (): Promise<void> => {
    const asked = isPlain(door) ? inputOf(`honest-${Date.now()}`, 'hello') : { event: 'ping' };
    socket.send(JSON.stringify(asked));
    const answer = isPlain(door) ? 'RUN_FINISHED' : '"pong"';
    await until(() => heard.some((text) => text.includes(answer)));
    socket.close();
    expect(product.pidOf('hub')).toBe(pid);
  };
  return { goesOn };
};

const INVALID_UTF8 = Buffer.from([0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xcf, 0x83, 0xed, 0xa0, 0x80]);
const text = (payload: Buffer | string, more: object = {}) => frameOf({ opcode: TEXT, payload, ...more });

const WRONG: readonly (readonly [string, readonly Buffer[], number])[] = [
  ['a reserved bit', [text('{}', { rsv: 4 })], 1002],
  ['a second reserved bit', [text('{}', { rsv: 2 })], 1002],
  ['a third reserved bit', [text('{}', { rsv: 1 })], 1002],
  ['a reserved opcode', [frameOf({ opcode: 3 })], 1002],
  ['a reserved control opcode', [frameOf({ opcode: 11 })], 1002],
  ['a frame without a mask', [text('{}', { masked: false })], 1002],
  ['a ping in pieces', [frameOf({ opcode: PING, fin: false })], 1002],
  ['a ping of 126 bytes', [frameOf({ opcode: PING, payload: 'x'.repeat(126) })], 1002],
  ['a piece of nothing', [frameOf({ opcode: CONTINUED, payload: '{}' })], 1002],
  ['a message within another', [text('{', { fin: false }), text('}')], 1002],
  ['a close of one byte', [frameOf({ opcode: CLOSE, payload: 'x' })], 1002],
  ['a close code that nobody may send', [closeFrame(1005)], 1002],
  ['a close code that does not exist', [closeFrame(999)], 1002],
  ['a reason that is no text', [closeFrame(1000, INVALID_UTF8)], 1007],
  ['text that is none', [text(INVALID_UTF8)], 1007],
  [
    'text that is none in the end',
    [text('{', { fin: false }), frameOf({ opcode: CONTINUED, payload: INVALID_UTF8 })],
    1007,
  ],
  ['a frame larger than any', [text('{', { claims: 13n * 1024n * 1024n })], 1009],
  ['a length that no machine has', [text('{', { claims: 2n ** 62n })], 1009],
  ['binary', [frameOf({ opcode: BINARY, payload: '{}' })], 4400],
  ['text that is no JSON', [text('{')], 4400],
  ['JSON that is no object', [text('[]')], 4400],
  ['nothing wrong, and good-bye', [frameOf({ opcode: PONG }), closeFrame(1000)], 1000],
];

const anyFrame = (chance: Chance): Buffer =>
  frameOf({
    fin: chance.happens(0.8),
    rsv: chance.happens(0.1) ? chance.between(1, 7) : 0,
    opcode: chance.happens(0.3) ? chance.between(0, 15) : chance.one([TEXT, BINARY, PING, CONTINUED]),
    masked: chance.happens(0.9),
    payload: Buffer.from(
      Array.from({ length: chance.one([0, 1, 2, 125, 126, 70_000]) }, () => chance.between(0, 255)),
    ),
  });

/** A text of JSON, most of it legal, all of it odd. */
const anyJson = (chance: Chance, depth = 3): string => {
  if (depth === 0 || chance.happens(0.4))
    return chance.one([
      'null',
      'true',
      '0',
      '-0',
      '1e999',
      '-1',
      '9007199254740993',
      '""',
      '"\\ud800"',
      '"__proto__"',
      '"\\u0000"',
      '[]',
      '{}',
      '1.5',
      '"x"',
      `"${'y'.repeat(300)}"`,
      '['.repeat(70) + ']'.repeat(70),
    ]);
  const inner = (): string => anyJson(chance, depth - 1);
  if (chance.happens(0.3)) return `[${inner()},${inner()}]`;
  const key = (): string =>
    chance.one([
      '__proto__',
      'constructor',
      'threadId',
      'runId',
      'messages',
      'events',
      'data',
      'from',
      'state',
      'resume',
      'taskId',
      'producer',
      'agentId',
      'token',
      'filter',
      '',
      'toString',
    ]);
  return `{${[1, 2, 3].map(() => `"${key()}":${inner()}`).join(',')}}`;
};

const anyText = (chance: Chance, { names }: Door): string => {
  if (names.length === 0 || chance.happens(0.05)) return anyJson(chance);
  const event = chance.happens(0.95) ? `"${chance.one(names)}"` : anyJson(chance);
  return `{"event":${event},"id":"i${chance.between(0, 1e9)}","data":${anyJson(chance)}}`;
};

/** As sockets of surfaces and agents say it, and as the plain one does. */
const ANSWERED = /"(?:reply|refused)"/u;
const OUR_FAULT = /"(?:INTERNAL|hub\/internal)"/u;

describe.each(DOORS.map((door) => [door.path, door] as const))('%s', (_path, door) => {
  verifies(
    'HUB-85',
    'what the protocol forbids has its close code, and nobody else notices',
    async () => {
      const other = await honest(door);
      for (const [what, frames, code] of WRONG) {
        const socket = await open(door);
        socket.write(...frames);
        expect([what, (await socket.over).code]).toEqual([what, code]);
      }
      await other.goesOn();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-85',
    'bytes left to chance end in a code, or in the good-bye',
    async () => {
      const other = await honest(door);
      const ends = new Set<number | undefined>();
      for (let nth = 0; nth < SOCKETS; nth += 1) {
        const chance = new Chance(`bytes ${door.path} ${nth}`);
        const socket = await open(door);
        socket.write(
          ...Array.from({ length: chance.between(1, 8) }, () => anyFrame(chance)),
          closeFrame(1000),
        );
        const { code } = await socket.over;
        expect([chance.seed, [1000, 1002, 1007, 1009, 4400, 4429].includes(code ?? 0) || code]).toEqual([
          chance.seed,
          true,
        ]);
        ends.add(code);
      }
      // By its layers: what is no frame, and what is a frame and no text of ours.
      expect([...ends]).toEqual(expect.arrayContaining([1002, 4400]));
      await other.goesOn();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-86',
    'JSON left to chance is answered or refused, and no fault of ours',
    async () => {
      const other = await honest(door);
      const ends = new Set<number | undefined>();
      const said: string[] = [];
      for (let nth = 0; nth < SOCKETS; nth += 1) {
        const chance = new Chance(`json ${door.path} ${nth}`);
        const socket = await open(door);
        socket.write(...Array.from({ length: FRAMES }, () => text(anyText(chance, door))), closeFrame(1000));
        const { code, texts } = await socket.over;
        expect([chance.seed, [1000, 1009, 4400, 4403, 4429].includes(code ?? 0) || code]).toEqual([
          chance.seed,
          true,
        ]);
        expect([chance.seed, texts.filter((one) => OUR_FAULT.test(one))]).toEqual([chance.seed, []]);
        ends.add(code);
        said.push(...texts);
      }
      // What no handler was given proves nothing of handlers: most were read, judged and answered.
      expect([...ends]).toContain(isPlain(door) ? 4400 : 1000);
      if (!isPlain(door)) expect(said.filter((one) => ANSWERED.test(one))).not.toEqual([]);
      await other.goesOn();
    },
    JOURNEY_MS,
  );
});

describe('bodies', () => {
  verifies(
    'HUB-86',
    'of every kind left to chance are no fault of ours',
    async () => {
      const paths = [
        '/v1/threads',
        '/v1/tickets',
        '/v1/dev/token',
        '/v1/revocations',
        '/v1/agents/cards/run',
        '/v1/agents/cards/connect',
        '/v1/threads/x/events',
        '/v1/approvals/a.b.c/decide',
      ];
      const chance = new Chance('bodies');
      const statuses = new Map<string, Set<number>>();
      for (let nth = 0; nth < BODIES; nth += 1) {
        const path = chance.one(paths);
        const body = chance.happens(0.8)
          ? anyJson(chance, 4)
          : String.fromCharCode(...Array.from({ length: 50 }, () => chance.between(1, 255)));
        const headers = {
          authorization: `Bearer ${await product.token(chance.one([AMELIA, MO, ENGINE]))}`,
          'content-type': 'application/json',
        };
        const { status } = await fetch(`${product.url}${path}`, { method: 'POST', headers, body });
        expect([path, body, status < 500 || status]).toEqual([path, body, true]);
        statuses.set(path, (statuses.get(path) ?? new Set()).add(status));
      }
      // Behind each of these doors somebody was let in and had their body read.
      for (const path of ['/v1/threads', '/v1/tickets', '/v1/dev/token', '/v1/agents/cards/run'])
        expect([path, [...(statuses.get(path) ?? [])]]).toEqual([path, expect.arrayContaining([400])]);
      const run = await product.fetch('/v1/agents/cards/run', {
        token: await product.token(MO),
        body: inputOf('after', 'hello'),
      });
      expect(eventsIn(await run.text()).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
      expect(product.pidOf('hub')).toBe(pid);
    },
    JOURNEY_MS,
  );
});
