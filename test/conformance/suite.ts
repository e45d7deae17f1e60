/** The hub all cases share, and the ways a case is put to it. */
import { randomUUID } from 'node:crypto';
import type { AguiEvent } from '@triptych/protocol';
import type { Person } from '@triptych/testkit';
import type { Message } from '@ag-ui/client';
import { frames, type Answer } from './loopback-agent.js';
import type { Reading } from './reading.js';
import { Stand, type ThreadRecord } from './stand.js';
import type { RunNames } from './words.js';

let shared: Stand | undefined;

export const raiseStand = async (): Promise<void> => {
  shared = await Stand.start();
};
export const strikeStand = async (): Promise<void> => {
  await shared?.stop();
};
export const stand = (): Stand => {
  if (!shared) throw new Error('The stand is not up.');
  return shared;
};

/** The numbers of all cases that are tests here. */
export const numbers: string[] = [];

/** Generous: the machine may be busy with much else. */
const CASE_MS = 60_000;

/** One numbered case of the list that this suite must cover. */
export const caseOf = (number: number | string, sentence: string, body: () => Promise<void>): void => {
  numbers.push(String(number));
  it(`case ${number}: ${sentence}`, body, CASE_MS);
};

/** An event as an agent writes it: a text is sent byte for byte. */
export type Sent = string | object;
export type Stream = (run: RunNames) => readonly Sent[];

export interface Played extends RunNames {
  readonly owner: Person;
  readonly token: string;
  /** The texts the agent sent. */
  readonly texts: readonly string[];
  /** The operator who asked, with the stock client. */
  readonly live: Reading;
  /** The thread's customer, who looks on. */
  readonly customer: Reading;
  readonly record: ThreadRecord;
}

export const TERMINALS: ReadonlySet<string> = new Set(['RUN_FINISHED', 'RUN_ERROR']);
const ends = ({ sent }: Reading): number => sent.filter(({ type }) => TERMINALS.has(type)).length;

export interface Setting extends RunNames {
  readonly owner: Person;
  readonly token: string;
}

/** A thread of a customer, and an operator who will run it. */
export const newThread = async (): Promise<Setting> => {
  const threadId = `case-${randomUUID()}`;
  const owner = stand().someone('customer');
  const token = await stand().token(stand().someone('operator'));
  await stand().openThread(threadId, owner, token);
  return { threadId, runId: `run-${randomUUID()}`, owner, token };
};

const textOf = (event: Sent): string => (typeof event === 'string' ? event : JSON.stringify(event));

export interface Given {
  readonly messages?: readonly Message[];
  readonly state?: unknown;
  /** Instead of one event a frame. */
  readonly answer?: (texts: readonly string[]) => Answer;
}

/** The agent sends these events; an operator runs it, the customer looks on, and both read to the end. */
export const play = async (
  stream: Stream,
  { answer = frames, ...given }: Given = {},
  on?: Setting,
): Promise<Played> => {
  const setting = on ?? (await newThread());
  const { threadId, runId, owner, token } = setting;
  const texts = stream({ threadId, runId }).map(textOf);
  stand().agent.will(threadId, answer(texts));
  const customer = stand().attach({ threadId, token: await stand().token(owner) });
  await customer.opened;
  const before = ends(customer);
  const live = stand().run({ threadId, runId, token, ...given });
  await live.ended;
  await customer.until(() => ends(customer) - before >= ends(live));
  await customer.leave();
  const record = await stand().record(threadId);
  return { ...setting, texts, live, customer, record };
};

const isOpening = (text: string): boolean => (JSON.parse(text) as AguiEvent).type === 'RUN_STARTED';

/** The hub puts its own input on RUN_STARTED, so of these the rest is compared. */
const withoutInput = (text: string): unknown => {
  const { input: _own, ...rest } = JSON.parse(text) as AguiEvent;
  return rest;
};
export const wireTexts = (texts: readonly string[]): unknown[] =>
  texts.map((text) => (isOpening(text) ? withoutInput(text) : text));

const codesOf = (reading: Reading): unknown[] =>
  reading.sent.filter(({ type }) => type === 'RUN_ERROR').map(({ code }) => code);

/** Both clients took their whole stream. */
export const expectLegal = async ({ live, customer }: Played): Promise<void> => {
  expect([await live.ended, await customer.ended]).toEqual([undefined, undefined]);
};

/** Taken, kept and handed on as it was written; `as`: what is kept where it is not the agent's own text. */
export const expectPass = async (played: Played, as: readonly Sent[] = played.texts): Promise<void> => {
  await expectLegal(played);
  const texts = as.map(textOf);
  expect(played.record.refused).toEqual([]);
  expect(wireTexts(played.live.sentTexts)).toEqual(wireTexts(texts));
  expect(played.record.stored.map(({ event }) => withoutInput(JSON.stringify(event)))).toEqual(
    texts.map(withoutInput),
  );
};

/** Refused at ingest: what came before is handed on, nothing after it is, and the operator is told the rule. */
export const expectRefused = async (
  played: Played,
  { rule, after, code = 'hub/protocol-violation' }: { rule: string; after: readonly string[]; code?: string },
): Promise<void> => {
  await expectLegal(played);
  const types = ({ sent }: Reading): string[] => sent.map(({ type }) => type);
  expect(types(played.live)).toEqual([...after, 'RUN_ERROR']);
  expect(codesOf(played.live)).toEqual([code]);
  expect(codesOf(played.customer)).toEqual([code]);
  expect(played.record.refused.map((refused) => refused.rule)).toEqual([rule]);
};

/** Whoever joins when all is said ends with what one who was there has, on both surfaces. */
export const expectJoined = async ({ threadId, token, owner, live, customer }: Played): Promise<void> => {
  const look = (reading: Reading): Promise<Error | undefined> =>
    reading.until(() => reading.text.includes('id: ')).then(() => reading.leave());
  const late = stand().attach({ threadId, token });
  const lateCustomer = stand().attach({ threadId, token: await stand().token(owner) });
  expect([await look(late), await look(lateCustomer)]).toEqual([undefined, undefined]);
  expect(late.model).toEqual(live.model);
  expect(lateCustomer.model).toEqual(customer.model);
};
