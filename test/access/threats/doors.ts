/** One thing asked by each door that takes it. */
import { randomUUID } from 'node:crypto';
import { type Answered, isLine, Line } from '../ask.js';
import type { Name } from '../people.js';
import type { Surface } from '../row.js';
import { type AccessStage, STAGE_MS } from '../stage.js';

/** A test whose name begins with the numbers of what it answers. */
export const tries = (name: string, body: () => Promise<void>): void => it(name, body, STAGE_MS);

/** `frame`: on the socket of the surface that the person has. */
export const RUN_DOORS = ['http', 'frame', 'plain'] as const;
export type RunDoor = (typeof RUN_DOORS)[number];

export const SURFACE_OF: Readonly<Partial<Record<Name, Surface>>> = {
  owner: 'customer',
  other: 'customer',
  foreignOwner: 'customer',
  twin: 'reviewer',
  candidate: 'reviewer',
  outsider: 'reviewer',
  supervisor: 'reviewer',
  stranger: 'reviewer',
  foreignCandidate: 'reviewer',
  operator: 'operator',
  foreignOperator: 'operator',
};

const lineOf = async (stage: AccessStage, who: Name, path: string): Promise<Line> => {
  const line = await Line.open(stage.product.url, path, stage.tokens[who]);
  if (!isLine(line)) throw new Error(line.said);
  return line;
};

export const byFrame = async (
  stage: AccessStage,
  who: Name,
  asked: { readonly event: string; readonly data: object },
): Promise<Answered> => {
  const line = await lineOf(stage, who, `/ws/${SURFACE_OF[who]}`);
  const answered = await line.ask(asked.event, asked.data);
  await line.close();
  return answered;
};

/** A run's input by one of the three doors that take it. */
export const askRun = async (
  stage: AccessStage,
  who: Name,
  { door, ...more }: { readonly door: RunDoor; readonly threadId: string; readonly [more: string]: unknown },
): Promise<Answered> => {
  const input = {
    ...{ runId: randomUUID(), protocolVersion: '1.0', messages: [], tools: [], context: [] },
    ...more,
  };
  if (door === 'http') return stage.ask(who, { path: '/v1/agents/told/run', body: input });
  if (door === 'frame') return byFrame(stage, who, { event: 'run', data: { agentId: 'told', ...input } });
  const line = await lineOf(stage, who, '/ws/agui?agent=told');
  const answered = await line.tell(input);
  await line.close();
  return answered;
};

export const resolved = (interruptId: string, payload: unknown = { approved: true }) => ({
  resume: [{ interruptId, status: 'resolved', payload }],
});

export interface Decided {
  readonly task: string;
  readonly rev: number;
  readonly hash: string;
}

/** A decision on a task, by HTTP and by frame. */
export const askDecide = (
  stage: AccessStage,
  who: Name,
  { task, rev, hash }: Decided,
  { door = 'http', ...more }: { readonly door?: 'http' | 'frame'; readonly [more: string]: unknown } = {},
): Promise<Answered> => {
  const body = { verb: 'approve', rev, proposalHash: hash, ...more };
  return door === 'http'
    ? stage.ask(who, { path: `/v1/approvals/${task}/decide`, body })
    : byFrame(stage, who, { event: 'task.decide', data: { taskId: task, ...body } });
};
