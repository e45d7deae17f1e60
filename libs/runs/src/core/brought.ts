/** What clients brought that does not count, as findings: what it was and where, never what it said. */
import { contentToText } from '@triptych/protocol';
import type { Message, Refusal, RunAgentInput, ThreadId } from '@triptych/protocol';
import { withinRoom, type Finding } from './findings.js';
import type { Rider } from './ports.js';

export type BroughtKind =
  'input-dropped' | 'forged-history' | 'forged-result' | 'side-door' | 'forged-resume';

/** Pointers into the input, or ids of messages, calls and interrupts. */
export interface Brought {
  readonly kind: BroughtKind;
  readonly where: readonly string[];
}

export interface BroughtBy {
  /** Whose it was. */
  readonly by: string;
  /** The run that began in spite of it. */
  readonly runId?: string;
}

/** Findings of one person that a thread keeps of a day: nobody pushes out what else was found. */
export const MAX_A_DAY = 50;
const DAY_MS = 86_400_000;
/** Places that one finding names. */
const MAX_PLACES = 20;
/** Characters of a place; its author chose them. */
const MAX_PLACE = 200;

const WORDS: Readonly<Record<BroughtKind, string>> = {
  'input-dropped': 'Parts of the input do not count and were left out.',
  'forged-history': 'Messages that this thread does not know, or knows otherwise, were left out.',
  'forged-result': 'Results of calls that are not a client’s to answer were left out.',
  'side-door': 'A forwarded key that the agent does not accept was refused.',
  'forged-resume': 'Answers to questions that are not open here, or not theirs to answer, were refused.',
};
const MORE = 'There is more of this person today; it is not kept.';

export const findingOf = ({ kind, where }: Brought, { by, runId }: BroughtBy): Finding => ({
  kind,
  message: WORDS[kind],
  ...(runId === undefined ? {} : { runId }),
  by,
  where: where.slice(0, MAX_PLACES).map((place) => place.slice(0, MAX_PLACE)),
  ...(where.length > 1 ? { count: where.length } : {}),
});

type UserMessage = Extract<Message, { role: 'user' }>;

const sameWords = (message: UserMessage, before: Message): boolean =>
  before.role === 'user' && contentToText(message.content) === contentToText(before.content);

const isNoClients = ({ role }: Message): boolean => role !== 'user' && role !== 'tool';

/** Ids of what was made up. RUN-43: what comes back under a known id is an echo, however much of it its reader was shown. */
export const forgedIn = (messages: readonly Message[], known: readonly Message[]): readonly string[] => {
  const knownById = new Map(known.map((message) => [message.id, message]));
  const isForged = (message: Message): boolean => {
    const before = knownById.get(message.id);
    return before ? message.role === 'user' && !sameWords(message, before) : isNoClients(message);
  };
  return messages.filter(isForged).map(({ id }) => id);
};

/** What a refused request tried; undefined: nothing but what it was told. */
export const triedBy = (input: RunAgentInput, { code, details }: Refusal): Brought | undefined => {
  const pointer = details?.pointer;
  if (code === 'FORBIDDEN' && typeof pointer === 'string') return { kind: 'side-door', where: [pointer] };
  if (code !== 'FORBIDDEN' && code !== 'UNKNOWN_INTERRUPT') return undefined;
  const answers = input.resume?.filter(({ status }) => status === 'resolved') ?? [];
  return answers.length === 0
    ? undefined
    : { kind: 'forged-resume', where: answers.map(({ interruptId }) => interruptId) };
};

export interface Tallied {
  readonly kept: readonly Finding[];
  /** To be kept for the next time, as text. */
  readonly tally: string;
}

interface Tally {
  /** As the last time left it: the day, and so many findings of it; '' before the first. */
  readonly held: string;
  readonly now: number;
  readonly by: string;
}

export const tallied = (found: readonly Finding[], { held, now, by }: Tally): Tallied => {
  const today = String(Math.floor(now / DAY_MS));
  const [day, count = '0'] = held.split(':');
  const had = day === today ? Number(count) : 0;
  const more: Finding = { kind: 'input-dropped', message: MORE, by };
  const kept = withinRoom(found, MAX_A_DAY - had, more);
  return { kept, tally: `${today}:${had + kept.length}` };
};

/** The port: what of a subject's findings a thread keeps. */
export interface BroughtBook {
  /** For the step that admits a run. */
  riders(thread: ThreadId, by: string, findings: readonly Finding[]): Promise<readonly Rider[]>;
  /** For a request that was refused. */
  keep(thread: ThreadId, by: string, findings: readonly Finding[]): Promise<void>;
}
