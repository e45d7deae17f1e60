/** The moments at which a process is killed, by name: what is true of the moment, and what must have become of it in the end. */
import type { Stage } from '../stand/asking-agent.js';

/** Dies with a piece on its way to the store: just before that arrives, or just after, and never hears what came of it. */
interface AtStore {
  readonly kind: 'store';
  readonly words: RegExp;
  readonly passes: boolean;
  /** The agent goes no further than this with its answer before the death, so that one piece does not tell it all. */
  readonly holds?: Stage;
}
/** Dies when a call to the agent has come so far. */
interface AtAgent {
  readonly kind: 'agent';
  readonly stage: Stage;
  readonly resumed: boolean;
}

/** What goes on meanwhile, told in `tales.ts`. */
export type Tale =
  'reviewed' | 'expiring' | 'answered' | 'held' | 'undone' | 'reopened' | 'retried' | 'closed' | 'voided';

export interface CrashPoint {
  readonly name: string;
  readonly victim: 'hub' | 'worker';
  readonly at: AtStore | AtAgent;
  readonly tale: Tale;
  /** `unknown`: the agent may have acted, so that a person must look. */
  readonly ends: 'done' | 'unknown';
  /** Resumes its agent has heard of in the end: two, where it had an answer sent back, or a person did. */
  readonly heard: 0 | 1 | 2;
  /** How often it was ready: again, where a dispatch was undone that nobody had heard of, or it was answered anew. */
  readonly readied: 1 | 2;
  /** Questions that were put to people once more. */
  readonly anew: 0 | 1;
  /** What was approved has been done, as far as is known. */
  readonly acted: boolean;
}

const HAPPY = { tale: 'reviewed', ends: 'done', heard: 1, readied: 1, anew: 0, acted: true } as const;
const UNSURE = { ends: 'unknown', acted: false } as const;
const REOPENED = { tale: 'reopened', heard: 2, readied: 2, anew: 1 } as const;
const VOIDED = { tale: 'voided', readied: 2, anew: 1 } as const;
const RETRIED = { tale: 'retried', heard: 2, readied: 2 } as const;
const CLOSED = { tale: 'closed', acted: false } as const;

const before = (words: RegExp): AtStore => ({ kind: 'store', words, passes: false });
const after = (words: RegExp): AtStore => ({ kind: 'store', words, passes: true });
const news = (action: string): RegExp => new RegExp(`"action":"${action}"`, 'u');
const asked = (stage: Stage): AtAgent => ({ kind: 'agent', stage, resumed: false });
const answered = (stage: Stage): AtAgent => ({ kind: 'agent', stage, resumed: true });

const INBOX = /tt:inbox:/u;
const JOB = /rs-[0-9a-f]{16}-1/u;
/** The one script that seals, when it has the end: sooner it would take a call under way with it. */
const SEAL = /:chain\r\n[^]*:marks\r\n[^]*batch\.done/u;
const SENT_MARK = /\$4\r\nsent\r\n\$1\r\n1\r\n/u;

const hub = (name: string, at: CrashPoint['at'], rest: Partial<CrashPoint> = {}): CrashPoint => ({
  ...{ name, victim: 'hub', at, ...HAPPY },
  ...rest,
});
const worker = (name: string, at: CrashPoint['at'], rest: Partial<CrashPoint> = {}): CrashPoint => ({
  ...{ name, victim: 'worker', at, ...HAPPY },
  ...rest,
});

export const POINTS: readonly CrashPoint[] = [
  hub('question: called', asked('called')),
  hub('question: first event', asked('begun')),
  hub('inbox entry | event with its tasks', after(INBOX)),
  hub('| event with its tasks', before(news('opened'))),
  hub('event with its tasks |', after(news('opened'))),
  hub('| vote', before(news('voted'))),
  hub('vote | quorum', after(news('voted'))),
  hub('| first decision', before(news('decided'))),
  hub('first decision | last decision', after(news('decided'))),
  hub('| last decision with its outbox line', before(news('ready'))),
  hub('outbox line | job', after(news('ready'))),
  hub('job |', after(JOB)),
  hub('answer by the run door | its run', after(news('ready')), { tale: 'answered' }),
  worker('job | dispatch', before(news('dispatching'))),
  worker('dispatch | sent mark', after(news('dispatching')), { readied: 2 }),
  worker('| sent mark', before(SENT_MARK), { readied: 2 }),
  worker('sent mark | call', after(SENT_MARK), { ...UNSURE, heard: 0 }),
  worker('answer: called', answered('called'), UNSURE),
  worker('answer: headers | first event', answered('opened'), UNSURE),
  worker('first event | its record', { ...before(news('running')), holds: 'begun' }, UNSURE),
  worker('record of the first event |', { ...after(news('running')), holds: 'begun' }, UNSURE),
  worker('answer: midway', answered('midway'), UNSURE),
  worker('last event | its record', before(news('done')), UNSURE),
  worker('record of the last event |', after(news('done'))),
  worker('| expiry', before(news('expired')), { tale: 'expiring' }),
  worker('expiry | job', after(news('expired')), { tale: 'expiring' }),
  hub('| hold', before(news('held')), { tale: 'held' }),
  hub('hold |', after(news('held')), { tale: 'held' }),
  worker('| end of hold', before(news('decided')), { tale: 'held' }),
  worker('end of hold | job', after(news('decided')), { tale: 'held' }),
  hub('| undo', before(news('undone')), { tale: 'undone' }),
  hub('undo |', after(news('undone')), { tale: 'undone' }),
  worker('| reopening', before(news('reopen')), REOPENED),
  worker('reopening |', after(news('reopen')), REOPENED),
  worker('| void', before(news('void')), VOIDED),
  worker('void |', after(news('void')), VOIDED),
  hub('| retry', before(news('retry')), RETRIED),
  hub('retry | job', after(news('retry')), RETRIED),
  hub('| mark-done', before(news('mark-done')), CLOSED),
  hub('mark-done |', after(news('mark-done')), CLOSED),
  worker('records | seal', before(SEAL)),
  worker('seal |', after(SEAL)),
];

/** As asked for by a part of the name; `all` is all. `share`: `2/3` is the second of three that are all of them together. */
export const pointsNamed = (part: string, share = '1/1'): readonly CrashPoint[] => {
  const found = part === 'all' ? POINTS : POINTS.filter(({ name }) => name.includes(part));
  const [nth = 1, of = 1] = share.split('/').map(Number);
  const own = found.filter((_, at) => at % of === nth - 1);
  if (own.length === 0)
    throw new Error(`No point "${part}"; there are: ${POINTS.map(({ name }) => name).join(', ')}.`);
  return own;
};
