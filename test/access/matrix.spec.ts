/** Tries the table of who may do what at every door of the running product, person by person. */
import { threadKey } from '@triptych/platform';
import { until } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { type Answered, isLine, Line } from './ask.js';
import { type Cell, cellsOf, codeFor, isBlind, isNo, Lines } from './cells.js';
import { EVERYBODY, namesIn } from './people.js';
import type { Row } from './row.js';
import { AccessStage, type Kind, NOTHING, STAGE_MS, type Things } from './stage.js';
import { traceOf } from './store-trace.js';
import { AGENT_ROWS, KNOWS, OPENINGS, TABLE } from './table/index.js';

let stage: AccessStage;
let lines: Lines;
let things: Readonly<Record<Kind, Things>>;
beforeAll(async () => {
  stage = await AccessStage.start();
  lines = new Lines(stage);
  const kinds = ['pay', 'deploy', 'question', 'unruled', 'idle', 'running', 'pushed'] as const;
  const made = await Promise.all(kinds.map(async (kind) => [kind, await stage.make(kind)] as const));
  things = Object.fromEntries(made) as Record<Kind, Things>;
  // Who pushed is looked after until the run is over.
  await until(async () => (await stage.redis.zcard('tt:pushed')) === 0);
}, STAGE_MS);
afterAll(async () => {
  await lines?.close();
  await stage?.stop();
}, STAGE_MS);

/** What operators are told of the asking: findings, and the tally that bounds them. */
const isFinding = (key: string): boolean => key.endsWith(':findings') || key.endsWith(':brought');

/** Of what is kept: all but findings and the lease of the run that goes on meanwhile. */
const kept = async (): Promise<object> => {
  const tag = /\{.*?\}/u.exec(threadKey(things.running.thread, 'thread'))?.[0];
  if (tag === undefined) throw new Error('a key without a tag');
  const trace = await traceOf(stage.redis);
  return Object.fromEntries(Object.entries(trace).filter(([key]) => !key.includes(tag) && !isFinding(key)));
};

const textOf = ({ said }: Answered): string => (JSON.parse(said) as { text?: string }).text ?? said;

interface Tried {
  readonly who: string;
  readonly door: string;
  readonly code: string;
  /** How it would be answered if it were not there, where that must be the same. */
  readonly asNothing?: string;
  readonly said?: string;
  readonly mute?: boolean;
}

/** What is made when it is not there has no other name to compare with: then the words of any NOT_FOUND. */
const ofNothing = async (cell: Cell): Promise<string | undefined> => {
  const { row, code, door } = cell;
  if (!row.makes || code !== 'NOT_FOUND') return (await cell.ask(NOTHING(things[row.of]))).said;
  if (door.startsWith('/ws/')) return undefined;
  return textOf(await stage.ask(cell.who, { path: '/v1/threads/never-was' }));
};

/** ACC-72: a no without its reason. */
const isMute = ({ said }: Answered): boolean => said.includes('You may not do this.');

const tried = async (cell: Cell): Promise<Tried> => {
  const { who, door, row } = cell;
  const answered = await cell.ask(things[row.of]);
  const found = { who, door, code: answered.code, ...(isMute(answered) ? { mute: true } : {}) };
  if (!isBlind(cell)) return found;
  const asNothing = await ofNothing(cell);
  if (asNothing === undefined) return found;
  const said = row.makes && cell.code === 'NOT_FOUND' ? textOf(answered) : answered.said;
  return { ...found, asNothing, said };
};

const wanted = ({ who, door, code }: Cell, { asNothing }: Tried): Tried => ({
  who,
  door,
  code,
  ...(asNothing === undefined ? {} : { asNothing, said: asNothing }),
});

const nameOf = ({ what, http, frame, plain }: Row): string =>
  `${what} (${[http?.door, frame && 'frame', plain && '/ws/agui'].filter(Boolean).join(', ')})`;

describe('who may not', () => {
  for (const row of TABLE)
    verifies('HUB-76', nameOf(row), async () => {
      const cells = cellsOf(stage, lines, row).filter(isNo);
      const before = await kept();
      const answers = await Promise.all(cells.map(tried));
      expect(answers).toEqual(cells.map((cell, nth) => wanted(cell, answers[nth]!)));
      expect(await kept()).toEqual(before);
    });

  for (const { path, answers } of OPENINGS)
    verifies('HUB-76', `opening ${path}`, async () => {
      const before = await kept();
      for (const who of EVERYBODY) {
        const opened = await Line.open(stage.product.url, path, stage.tokens[who]);
        const code = isLine(opened) ? 'ok' : opened.code;
        expect({ who, code }).toEqual({ who, code: codeFor(answers, who) });
        if (isLine(opened)) await opened.close();
      }
      expect(await kept()).toEqual(before);
    });

  for (const { event, of, data, names, answers } of AGENT_ROWS)
    verifies('HUB-76', `${event} of ${of} (/ws/agent)`, async () => {
      const before = await kept();
      for (const [code, who] of Object.entries(answers).flatMap(([code, text]) =>
        namesIn(text).map((name) => [code, name] as const),
      )) {
        const line = await lines.on('/ws/agent', who);
        const token = stage.tokens.rival ?? '';
        const answered = await line.ask(event, data(things[of], token));
        expect({ who, code: answered.code }).toEqual({ who, code });
        if (!names || namesIn(KNOWS[names][of] ?? '').includes(who)) continue;
        const nothing = await line.ask(event, data(NOTHING(things[of]), token));
        expect(answered.said).toBe(nothing.said);
      }
      if (!('INVALID_INPUT' in answers)) expect(await kept()).toEqual(before);
    });
});

describe('who starts no runs', () => {
  const NO_STARTERS = ['candidate', 'supervisor', 'auditor', 'admin', 'told', 'engine', 'nobody'] as const;

  verifies(
    'HUB-80',
    'hears so, whether or not there is such a thread, and the agent hears nothing',
    async () => {
      const { heard } = stage.agent;
      const before = heard.length;
      const asked = (threadId: string) => ({
        path: '/v1/agents/told/run',
        body: { threadId, runId: 'r', messages: [], tools: [], context: [] },
      });
      for (const who of NO_STARTERS)
        for (const threadId of [things.idle.thread, things.running.thread, 'never-was'])
          expect({ who, threadId, code: (await stage.ask(who, asked(threadId))).code }).toEqual({
            who,
            threadId,
            code: 'FORBIDDEN',
          });
      expect(heard).toHaveLength(before);
    },
  );
});

describe('a list', () => {
  for (const row of TABLE.filter(({ lists }) => lists))
    verifies('HUB-77', `${nameOf(row)} holds what its reader may know of, and nothing else`, async () => {
      const cells = cellsOf(stage, lines, row).filter(({ code }) => code === 'ok');
      for (const cell of cells) {
        const { said } = await cell.ask(things[row.of]);
        const id = things[row.of][row.names ?? 'thread'];
        const { who, door } = cell;
        expect({ who, door, holds: said.includes(id) }).toEqual({ who, door, holds: !isBlind(cell) });
      }
    });
});

/** What changes a thing is done to one of its own. */
const changes = ({ http, names }: Row): boolean =>
  names !== undefined && http?.door.startsWith('POST') === true;

describe('who may', () => {
  for (const row of TABLE)
    verifies(
      'HUB-76',
      `${nameOf(row)}: yes`,
      async () => {
        for (const cell of cellsOf(stage, lines, row).filter((one) => !isNo(one))) {
          const { who, door, code } = cell;
          const answered = await cell.ask(changes(row) ? await stage.make(row.of) : things[row.of]);
          expect({ who, door, code: answered.code }).toEqual({ who, door, code });
        }
      },
      STAGE_MS,
    );
});
