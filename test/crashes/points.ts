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

/** What goes on meanwhile: reviewers decide, nobody does, or the customer answers by the run door. */
export type Tale = 'reviewed' | 'expiring' | 'answered';

export interface CrashPoint {
  readonly name: string;
  readonly victim: 'hub' | 'worker';
  readonly at: AtStore | AtAgent;
  readonly tale: Tale;
  /** `unknown`: the agent may have acted, so that a person must look. */
  readonly ends: 'done' | 'unknown';
  /** Resumes its agent has heard of in the end. */
  readonly heard: 0 | 1;
  /** How often it was ready: again, where a dispatch was undone that nobody had heard of. */
  readonly readied: 1 | 2;
}

const HAPPY = { tale: 'reviewed', ends: 'done', heard: 1, readied: 1 } as const;
const UNSURE = { tale: 'reviewed', ends: 'unknown', heard: 1, readied: 1 } as const;

const before = (words: RegExp): AtStore => ({ kind: 'store', words, passes: false });
const after = (words: RegExp): AtStore => ({ kind: 'store', words, passes: true });
const news = (action: string): RegExp => new RegExp(`"action":"${action}"`, 'u');
const asked = (stage: Stage): AtAgent => ({ kind: 'agent', stage, resumed: false });
const answered = (stage: Stage): AtAgent => ({ kind: 'agent', stage, resumed: true });

const INBOX = /tt:inbox:/u;
const JOB = /rs-[0-9a-f]{16}-1/u;
/** Keys of the one script that seals. */
const SEAL = /:chain\r\n[^]*:marks\r\n/u;
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
  worker('sent mark | call', after(SENT_MARK), { ends: 'unknown', heard: 0 }),
  worker('answer: called', answered('called'), UNSURE),
  worker('answer: headers | first event', answered('opened'), UNSURE),
  worker('first event | its record', { ...before(news('running')), holds: 'begun' }, UNSURE),
  worker('record of the first event |', { ...after(news('running')), holds: 'begun' }, UNSURE),
  worker('answer: midway', answered('midway'), UNSURE),
  worker('last event | its record', before(news('done')), UNSURE),
  worker('record of the last event |', after(news('done'))),
  worker('| expiry', before(news('expired')), { tale: 'expiring' }),
  worker('expiry | job', after(news('expired')), { tale: 'expiring' }),
  worker('records | seal', before(SEAL)),
  worker('seal |', after(SEAL)),
];

/** As asked for by a part of the name; `all` is all. */
export const pointsNamed = (part: string): readonly CrashPoint[] => {
  const found = part === 'all' ? POINTS : POINTS.filter(({ name }) => name.includes(part));
  if (found.length === 0)
    throw new Error(`No point "${part}"; there are: ${POINTS.map(({ name }) => name).join(', ')}.`);
  return found;
};
