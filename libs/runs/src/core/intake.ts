/** Decides what of a client's run input counts: its new user messages, answers to calls of its tools, the state it may write, and little else. */
import { anyGlobMatches } from '@triptych/access';
import { applyPatch, modelBytes, ok, refuse } from '@triptych/protocol';
import { forgedIn, type Brought } from './brought.js';
import { checkImages, type ImageLimits } from './image-limits.js';
import { stateWrites } from './state-writes.js';
import type { Context, JsonPatch, Message, Model, Result, RunAgentInput, Tool } from '@triptych/protocol';

export interface IntakeRules {
  /** The messages the thread knows already. */
  readonly known: readonly Message[];
  /** To calls of the client's own tools; they come first. */
  readonly answers: readonly Message[];
  /** Calls that messages answer which are not the client's to answer. */
  readonly foreign: readonly string[];
  /** The thread's state now. */
  readonly state: unknown;
  /** The same as the caller was shown it. */
  readonly shown: unknown;
  /** JSON Pointers under which the caller may change the state; `['']` is all of it. */
  readonly writable: readonly string[];
  /** Globs of `forwardedProps` keys and frontend tool names the agent accepts. */
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  /** Tool names the policy speaks of; never a client's. */
  readonly isPolicyTool: (name: string) => boolean;
  readonly imageLimits: ImageLimits;
}

export interface Intake {
  readonly messages: readonly Message[];
  readonly statePatch: JsonPatch;
  readonly tools: readonly Tool[];
  readonly context: readonly Context[];
  readonly forwardedProps?: unknown;
  /** What was left out, for the record. */
  readonly dropped: readonly Brought[];
}

const isSideDoor = (key: string): boolean => key === 'command' || key.startsWith('__proxied');

/** undefined: they pass; else the key that does not. */
const propsRefused = (props: object, accept: readonly string[]): string | undefined =>
  Object.keys(props).find((key) => isSideDoor(key) || !anyGlobMatches(accept, key));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const newUserMessages = (messages: readonly Message[], known: readonly Message[]): Message[] => {
  const seen = new Set(known.map(({ id }) => id));
  return messages.filter((message) => {
    if (message.role !== 'user' || seen.has(message.id)) return false;
    seen.add(message.id);
    return true;
  });
};

/** Only the words and parts count: everything else a client writes beside them would travel to the agent. */
const wordsOf = ({ id, content }: Message): Message => ({ id, role: 'user', content }) as Message;

const WORDS: ReadonlySet<string> = new Set(['id', 'role', 'content']);
const besideWords = (message: Message, index: number): readonly string[] =>
  message.role === 'user'
    ? Object.keys(message).flatMap((key) => (WORDS.has(key) ? [] : [`/messages/${index}/${key}`]))
    : [];

const mayBring = ({ acceptTools, isPolicyTool }: IntakeRules, name: string): boolean =>
  anyGlobMatches(acceptTools, name) && !isPolicyTool(name);

const droppedOf = (
  input: RunAgentInput,
  rules: IntakeRules,
  ignored: readonly string[],
): readonly Brought[] => {
  const ids = new Set(rules.known.map(({ id }) => id));
  const where = [
    ...ignored.map((pointer) => `/state${pointer}`),
    ...input.tools.flatMap(({ name }, index) => (mayBring(rules, name) ? [] : [`/tools/${index}`])),
    ...input.messages.flatMap((message, index) => (ids.has(message.id) ? [] : besideWords(message, index))),
  ];
  const brought: readonly Brought[] = [
    { kind: 'input-dropped', where },
    { kind: 'forged-history', where: forgedIn(input.messages, rules.known) },
    { kind: 'forged-result', where: rules.foreign },
  ];
  return brought.filter(({ where: places }) => places.length > 0);
};

const checkProps = (props: unknown, accept: readonly string[]): Result<true> => {
  if (props === undefined || props === null) return ok(true);
  const pointer = '/forwardedProps';
  if (!isObject(props)) return refuse('INVALID_INPUT', { details: { pointer } });
  const bad = propsRefused(props, accept);
  if (bad === undefined) return ok(true);
  const message = 'forwardedProps holds a key this agent does not accept.';
  return refuse('FORBIDDEN', { message, details: { pointer: `${pointer}/${bad}` } });
};

export const takeInput = (input: RunAgentInput, rules: IntakeRules): Result<Intake> => {
  const { forwardedProps, context } = input;
  const props = checkProps(forwardedProps, rules.acceptProps);
  if (!props.ok) return props;
  const messages = [...rules.answers, ...newUserMessages(input.messages, rules.known).map(wordsOf)];
  const images = checkImages(messages, rules.imageLimits);
  if (!images.ok) return images;
  const tools = input.tools.filter(({ name }) => mayBring(rules, name));
  const { patch, ignored } = stateWrites(input.state, rules);
  return ok({
    messages,
    statePatch: patch,
    tools,
    context,
    ...(forwardedProps === undefined ? {} : { forwardedProps }),
    dropped: droppedOf(input, rules, ignored),
  });
};

/** With what it adds the thread would be larger than it may. An input that adds nothing is none of its size's matter. */
export const growsTooLarge = (model: Model, { messages, statePatch }: Intake, maxBytes: number): boolean => {
  if (messages.length === 0 && statePatch.length === 0) return false;
  const patched = applyPatch(model.state, statePatch);
  const state = patched.ok ? patched.value : model.state;
  return modelBytes({ ...model, messages: [...model.messages, ...messages], state }) > maxBytes;
};
