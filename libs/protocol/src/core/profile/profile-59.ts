/** Says a surface's stream in the words of AG-UI 0.0.59: less, never more, and never another order. */
import { contentToText, type AguiEvent, type Message, type RunAgentInput } from '../agui.js';
import { isPlain, knownOnly } from '../known-material.js';
import { RUN_ERRORS, type RunErrorCode } from '../run-error-codes.js';

/** What peers name who cannot say their version in an input: `?profile=0.0.59`. */
export const PROFILE_59 = '0.0.59';

/** Whoever speaks 1.0 says so; those before it never did. */
export const speaks59 = ({ protocolVersion }: Pick<RunAgentInput, 'protocolVersion'>): boolean =>
  protocolVersion === undefined;

/** What must be remembered of a stream to go on with it. */
export interface Stream59 {
  /** Its run was told as failed although it was cancelled; a second failure would be one too many. */
  readonly toldFailed: boolean;
}

const beginStream59: Stream59 = { toldFailed: false };

export interface Said59 {
  readonly stream: Stream59;
  /** Absent: there are no words for it. The same object where nothing had to change. */
  readonly event?: AguiEvent;
}

type Parts = Exclude<Parameters<typeof contentToText>[0], string | undefined>;
type Plain = Readonly<Record<string, unknown>>;

const isFile = (part: unknown): boolean =>
  isPlain(part) && isPlain(part.source) && part.source.type === 'file';

const partsOf = (item: object): Parts | undefined => {
  const { content } = item as { readonly content?: unknown };
  return Array.isArray(content) ? (content as Parts) : undefined;
};

/** The item with its list of parts as a text. */
const inText = <T extends object>(item: T): T => {
  const parts = partsOf(item);
  return parts === undefined ? item : { ...item, content: contentToText(parts) };
};

const withoutFiles = <T extends object>(item: T): T => {
  const parts = partsOf(item);
  return parts?.some(isFile) ? { ...item, content: parts.filter((part) => !isFile(part)) } : item;
};

/** Only users could say more than text, and no file of a provider's. */
const messageIn59 = (message: Message): Message =>
  message.role === 'tool' ? inText(message) : withoutFiles(message);

/** The same list where nothing had to change. */
export const messagesIn59 = (messages: readonly Message[]): readonly Message[] => {
  const said = messages.map(messageIn59);
  return said.some((message, nth) => message !== messages[nth]) ? said : messages;
};

const withMessages = <T extends Plain>(holder: T): T => {
  const messages = holder.messages as readonly Message[];
  const said = messagesIn59(messages);
  return said === messages ? holder : { ...holder, messages: said };
};

const startedIn59 = (event: AguiEvent): AguiEvent => {
  if (!isPlain(event.input)) return event;
  const input = withMessages(event.input);
  const isWhole = Array.isArray(input.tools) && Array.isArray(input.context);
  if (input === event.input && isWhole) return event;
  return { ...event, input: isWhole ? input : { tools: [], context: [], ...input } };
};

/** Outcomes were closed: any member more is refused. */
const OUTCOME_MEMBERS: Readonly<Record<string, string>> = {
  interrupt: 'interrupts',
  suspended: 'interruptIds',
};

const outcomeIn59 = (event: AguiEvent): AguiEvent => {
  const { outcome } = event;
  if (!isPlain(outcome)) return event;
  const member = OUTCOME_MEMBERS[String(outcome.type)];
  const kept = ['type', ...(member !== undefined && member in outcome ? [member] : [])];
  if (Object.keys(outcome).length === kept.length) return event;
  return { ...event, outcome: Object.fromEntries(kept.map((key) => [key, outcome[key]])) };
};

const CANCELLED: RunErrorCode = 'hub/cancelled';

/** There was no word for it: a stopped run must not pass for a finished one, so it is told as one that failed. */
const cancelledIn59 = ({ timestamp, rawEvent, metadata, usage }: AguiEvent): AguiEvent => {
  const rest = Object.entries({ timestamp, rawEvent, metadata, usage }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(rest), type: 'RUN_ERROR', message: RUN_ERRORS[CANCELLED], code: CANCELLED };
};

const isCancelled = ({ type, outcome }: AguiEvent): boolean =>
  type === 'RUN_FINISHED' && isPlain(outcome) && outcome.type === 'cancelled';

const WORDS: ReadonlyMap<string, (event: AguiEvent) => AguiEvent> = new Map([
  ['RUN_STARTED', startedIn59],
  ['RUN_FINISHED', outcomeIn59],
  ['SUBAGENT_FINISHED', outcomeIn59],
  ['MESSAGES_SNAPSHOT', withMessages],
  ['TOOL_CALL_RESULT', inText],
]);

export const in59 = (stream: Stream59, event: AguiEvent): Said59 => {
  const sifted = knownOnly(event);
  if (sifted === undefined) return { stream };
  if (stream.toldFailed && event.type === 'RUN_ERROR') return { stream };
  if (isCancelled(event)) return { stream: { toldFailed: true }, event: cancelledIn59(event) };
  const now = event.type === 'RUN_STARTED' ? beginStream59 : stream;
  return { stream: now, event: WORDS.get(event.type)?.(sifted) ?? sifted };
};

/** The same for texts: one that had to change in nothing stays as it was written. */
export const textsIn59 = (): ((json: string) => readonly string[]) => {
  let stream = beginStream59;
  return (json) => {
    const event = JSON.parse(json) as AguiEvent;
    const said = in59(stream, event);
    stream = said.stream;
    if (said.event === undefined) return [];
    return [said.event === event ? json : JSON.stringify(said.event)];
  };
};
