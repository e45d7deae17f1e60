/** Decides what of a client's run input counts: its new user messages, the state it may write, and little else. */
import { diffJson, ok, refuse } from '@triptych/protocol';
import type { Context, JsonPatch, Message, Result, RunAgentInput, Tool } from '@triptych/protocol';

export interface IntakeRules {
  /** Ids of messages the thread knows already. */
  readonly knownMessageIds: ReadonlySet<string>;
  /** The thread's state now. */
  readonly state: unknown;
  /** JSON Pointers under which the caller may change the state; `['']` is all of it. */
  readonly writable: readonly string[];
  /** Globs of `forwardedProps` keys and frontend tool names the agent accepts. */
  readonly acceptProps: readonly string[];
  readonly acceptTools: readonly string[];
  /** Tool names the policy speaks of; never a client's. */
  readonly isPolicyTool: (name: string) => boolean;
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

const globToPattern = (glob: string): RegExp =>
  new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'u');
const matchesAny = (globs: readonly string[], name: string): boolean =>
  globs.some((glob) => globToPattern(glob).test(name));

const isSideDoor = (key: string): boolean => key === 'command' || key.startsWith('__proxied');

const propsRefused = (props: unknown, accept: readonly string[]): string | undefined => {
  if (props === undefined || props === null) return undefined;
  if (typeof props !== 'object' || Array.isArray(props)) return '';
  return Object.keys(props).find((key) => isSideDoor(key) || !matchesAny(accept, key));
};

const isWritable = (path: string, writable: readonly string[]): boolean =>
  writable.some((pointer) => pointer === '' || path === pointer || path.startsWith(`${pointer}/`));

/** Absent, null and {} say nothing; an absent pointer deletes nothing; a differing value under `write` counts. */
const statePatchFor = (given: unknown, rules: IntakeRules): { patch: JsonPatch; ignored: number } => {
  if (typeof given !== 'object' || given === null || Object.keys(given).length === 0)
    return { patch: [], ignored: 0 };
  const base = typeof rules.state === 'object' && rules.state !== null ? rules.state : {};
  const asked = diffJson(base, given).filter(
    (operation) => operation.op === 'add' || operation.op === 'replace',
  );
  const patch = asked.filter((operation) => isWritable(operation.path, rules.writable));
  return { patch, ignored: asked.length - patch.length };
};

const newUserMessages = (messages: readonly Message[], known: ReadonlySet<string>): Message[] => {
  const seen = new Set(known);
  return messages.filter((message) => {
    if (message.role !== 'user' || seen.has(message.id)) return false;
    seen.add(message.id);
    return true;
  });
};

/** Client metadata would travel to the agent with the message; only the words and parts count. */
const wordsOf = (message: Message): Message => {
  const { metadata: _metadata, ...rest } = message;
  return rest as Message;
};

const droppedWords = (
  input: RunAgentInput,
  taken: { messages: number; tools: number; ignored: number },
): string[] => {
  const dropped: string[] = [];
  if (taken.ignored > 0) dropped.push(`state:${taken.ignored}`);
  if (input.tools.length > taken.tools) dropped.push(`tools:${input.tools.length - taken.tools}`);
  const others = input.messages.filter((message) => message.role !== 'user').length;
  if (others > 0) dropped.push(`messages:${others}`);
  return dropped;
};

export const takeInput = (input: RunAgentInput, rules: IntakeRules): Result<Intake> => {
  const bad = propsRefused(input.forwardedProps, rules.acceptProps);
  if (bad !== undefined)
    return refuse('FORBIDDEN', {
      message: 'forwardedProps holds a key this agent does not accept.',
      details: { pointer: `/forwardedProps/${bad}` },
    });
  const messages = newUserMessages(input.messages, rules.knownMessageIds).map(wordsOf);
  const tools = input.tools.filter(
    (tool) => matchesAny(rules.acceptTools, tool.name) && !rules.isPolicyTool(tool.name),
  );
  const { patch, ignored } = statePatchFor(input.state, rules);
  return ok({
    messages,
    statePatch: patch,
    tools,
    context: input.context,
    ...(input.forwardedProps === undefined ? {} : { forwardedProps: input.forwardedProps }),
    dropped: droppedWords(input, { messages: messages.length, tools: tools.length, ignored }),
  });
};
