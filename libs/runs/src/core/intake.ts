/** Decides what of a client's run input counts: its new user messages, answers to calls of its tools, the state it may write, and little else. */
import { anyGlobMatches } from '@triptych/access';
import { applyPatch, modelBytes, ok, refuse } from '@triptych/protocol';
import { checkImages, type ImageLimits } from './image-limits.js';
import { stateWrites } from './state-writes.js';
import type { Context, JsonPatch, Message, Model, Result, RunAgentInput, Tool } from '@triptych/protocol';

export interface IntakeRules {
  /** Ids of messages the thread knows already. */
  readonly knownMessageIds: ReadonlySet<string>;
  /** To calls of the client's own tools; they come first. */
  readonly answers: readonly Message[];
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
  /** What was left out, in words for the record. */
  readonly dropped: readonly string[];
}

const isSideDoor = (key: string): boolean => key === 'command' || key.startsWith('__proxied');

/** undefined: they pass; else the key that does not. */
const propsRefused = (props: object, accept: readonly string[]): string | undefined =>
  Object.keys(props).find((key) => isSideDoor(key) || !anyGlobMatches(accept, key));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const newUserMessages = (messages: readonly Message[], known: ReadonlySet<string>): Message[] => {
  const seen = new Set(known);
  return messages.filter((message) => {
    if (message.role !== 'user' || seen.has(message.id)) return false;
    seen.add(message.id);
    return true;
  });
};

/** Only the words and parts count: everything else a client writes beside them would travel to the agent. */
const wordsOf = ({ id, content }: Message): Message => ({ id, role: 'user', content }) as Message;

const droppedWords = (
  input: RunAgentInput,
  taken: { answers: readonly Message[]; tools: number; ignored: readonly string[] },
): string[] => {
  const dropped: string[] = [];
  if (taken.ignored.length > 0) dropped.push(`state:${taken.ignored.length}`);
  if (input.tools.length > taken.tools) dropped.push(`tools:${input.tools.length - taken.tools}`);
  const answers = new Set(taken.answers.map(({ id }) => id));
  const others = input.messages.filter(({ role, id }) => role !== 'user' && !answers.has(id)).length;
  if (others > 0) dropped.push(`messages:${others}`);
  return dropped;
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
  const messages = [...rules.answers, ...newUserMessages(input.messages, rules.knownMessageIds).map(wordsOf)];
  const images = checkImages(messages, rules.imageLimits);
  if (!images.ok) return images;
  const tools = input.tools.filter(
    ({ name }) => anyGlobMatches(rules.acceptTools, name) && !rules.isPolicyTool(name),
  );
  const { patch, ignored } = stateWrites(input.state, rules);
  return ok({
    messages,
    statePatch: patch,
    tools,
    context,
    ...(forwardedProps === undefined ? {} : { forwardedProps }),
    dropped: droppedWords(input, { ...rules, tools: tools.length, ignored }),
  });
};

/** With what it adds the thread would be larger than it may. An input that adds nothing is none of its size's matter. */
export const growsTooLarge = (model: Model, { messages, statePatch }: Intake, maxBytes: number): boolean => {
  if (messages.length === 0 && statePatch.length === 0) return false;
  const patched = applyPatch(model.state, statePatch);
  const state = patched.ok ? patched.value : model.state;
  return modelBytes({ ...model, messages: [...model.messages, ...messages], state }) > maxBytes;
};
