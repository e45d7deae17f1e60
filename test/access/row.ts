/** One line of the table of who may do what: an action, the doors it is asked for at, and how each person is answered. */
import { randomUUID } from 'node:crypto';
import type { RefusalCode } from '@triptych/protocol';
import type { Asked } from './ask.js';
import type { Tokens } from './people.js';
import type { Kind, Things } from './stage.js';

export type Surface = 'customer' | 'reviewer' | 'operator';
export const SURFACES: readonly Surface[] = ['customer', 'reviewer', 'operator'];

export interface Said {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Row {
  readonly what: string;
  /** What kind of thread the things are of. */
  readonly of: Kind;
  /** What it names that may be a secret; absent: nothing. */
  readonly names?: 'thread' | 'task';
  /** The route as the hub declares it, and the request. */
  readonly http?: { readonly door: string; readonly asked: (things: Things) => Asked };
  readonly frame?: (things: Things, tokens: Tokens) => Said;
  /** An input for `/ws/agui`. */
  readonly plain?: (things: Things) => { readonly agent: string; readonly input: object };
  /** The surfaces whose sockets are meant; absent: all. */
  readonly on?: readonly Surface[];
  /** Names of people by how they are answered. Everybody is named once. */
  readonly answers: Readonly<Partial<Record<RefusalCode | 'ok', string>>>;
  /** What is not there is made, so that nobody can be answered as if it were not. */
  readonly makes?: true;
  /** What comes back is a list: who may know of the thing finds it there, and nobody else. */
  readonly lists?: true;
}

type Answers = Row['answers'];

const at = (template: string, things: Things): string =>
  template
    .replaceAll(':thread', things.thread)
    .replaceAll(':task', things.task)
    .replaceAll(':run', things.run)
    .replaceAll(':batch', things.batch)
    .replaceAll(':agent', things.agent);

export const get = (
  door: string,
  of: Kind,
  answers: Answers,
  more: Partial<Row> & { readonly query?: string } = {},
): Row => {
  const { query = '', ...rest } = more;
  const path = (things: Things): string => `${at(door, things)}${query}`;
  return {
    what: `GET ${door}${query} of ${of}`,
    of,
    http: { door: `GET ${door}`, asked: (things) => ({ path: path(things) }) },
    answers,
    ...rest,
  };
};

export const post = (
  door: string,
  of: Kind,
  answers: Answers,
  { body, ...more }: Partial<Row> & { readonly body: (things: Things) => unknown },
): Row => ({
  what: `POST ${door} of ${of}`,
  of,
  http: {
    door: `POST ${door}`,
    asked: (things) => ({ path: at(door, things), body: body(things), method: 'POST' }),
  },
  answers,
  ...more,
});

/** What is asked of a task, by HTTP and by frame. */
export const task = (
  command: string,
  of: Kind,
  answers: Answers,
  body: (things: Things) => object = () => ({}),
): Row => {
  const said = (things: Things): object => ({ rev: things.rev, ...body(things) });
  const verb = (body({ hash: '' } as Things) as { verb?: string }).verb ?? '';
  return {
    what: `${command} ${verb} of ${of}`,
    of,
    names: 'task',
    http: {
      door: 'POST /v1/approvals/:task/:command',
      asked: (things) => ({ path: `/v1/approvals/${things.task}/${command}`, body: said(things) }),
    },
    frame: (things) => ({ event: `task.${command}`, data: { taskId: things.task, ...said(things) } }),
    answers,
  };
};

export const decide = (verb: string, of: Kind, answers: Answers, more: object = {}): Row =>
  task('decide', of, answers, ({ hash }) => ({ verb, proposalHash: hash, ...more }));

/** A run, by HTTP, by frame and by the plain socket. */
export const run = (
  what: string,
  of: Kind,
  answers: Answers,
  { input, agent, ...more }: Partial<Row> & { input: (things: Things) => object; agent?: string },
): Row => {
  const whole = (things: Things) => {
    const runId = randomUUID();
    const given = { threadId: things.thread, runId, protocolVersion: '1.0', tools: [], context: [] };
    return { ...given, messages: [], ...input(things) };
  };
  const agentOf = (things: Things): string => agent ?? things.agent;
  return {
    what: `run ${what} of ${of}`,
    of,
    http: {
      door: 'POST /v1/agents/:agent/run',
      asked: (things) => ({ path: `/v1/agents/${agentOf(things)}/run`, body: whole(things) }),
    },
    frame: (things) => ({ event: 'run', data: { agentId: agentOf(things), ...whole(things) } }),
    plain: (things) => ({ agent: agentOf(things), input: whole(things) }),
    answers,
    ...more,
  };
};

export const frame = (
  event: string,
  of: Kind,
  answers: Answers,
  { data, ...more }: Partial<Row> & { data?: (things: Things, tokens: Tokens) => Said['data'] } = {},
): Row => ({
  what: `${event} of ${of}${more.on ? ` on ${more.on.join()}` : ''}`,
  of,
  frame: (things, tokens) => ({ event, data: data?.(things, tokens) ?? {} }),
  answers,
  ...more,
});
