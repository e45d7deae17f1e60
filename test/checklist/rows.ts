/** The rows of the checklist about state, questions and answers, rights, surfaces and the trail: which test proves each. */

/** A test's file, and words that its name holds. */
export type Proof = readonly [file: string, words: string];

export interface ChecklistRow {
  readonly row: number;
  readonly item: string;
  readonly proofs: readonly Proof[];
}

const row = (nth: number, item: string, ...proofs: readonly Proof[]): ChecklistRow => ({
  row: nth,
  item,
  proofs,
});

const PLAYED = 'test/checklist/decisions.spec.ts';
const FIELD = 'test/field/interrupts.spec.ts';
const RACES = 'test/races/with-the-machinery.ts';
const PEOPLE = 'test/races/between-people.ts';
const STORY = 'test/journeys/onboarding.spec.ts';
const DECIDE = 'libs/approvals/src/core/decide.spec.ts';
const RULING = 'libs/access/src/core/ruling.spec.ts';
const DESK = 'apps/web/src/reviewer/core/desk-rules.spec.ts';
const CARDS = 'apps/web/src/customer/cards/card-facts.spec.ts';
const TALK = 'apps/web/src/customer/core/read-conversation.spec.ts';
const TRAIL = 'libs/approvals/src/core/trail.spec.ts';
const GATES = 'libs/approvals/src/shell/gates.spec.ts';

export const ROWS: readonly ChecklistRow[] = [
  row(48, 'a client writes state under the pointers it may write', [
    'libs/runs/src/core/intake.spec.ts',
    'takes state under the write pointers only',
  ]),
  row(49, 'a surface is told only what its policy lists', [
    'libs/access/src/core/view/state.spec.ts',
    'is always the projection of the full state',
  ]),
  row(
    50,
    'a snapshot at the start, after a loss and before a question',
    ['libs/fanout/src/adapters/socket-session.spec.ts', 'a socket gets a snapshot, then what happens'],
    [STORY, 'who joins late has the same messages'],
  ),
  row(51, 'a field has one writer; what a client writes is stored as the hub’s own', [
    'libs/runs/src/core/state-writes.spec.ts',
    'counts on the first run too',
  ]),
  row(52, 'a snapshot of messages keeps what only clients keep', [
    'libs/protocol/src/core/model/model-step.spec.ts',
    'case 79: replace:false leaves an activity',
  ]),
  row(
    53,
    'snapshots come before a question, or who joins has the hub’s; an agent that omits its own is found out',
    [STORY, 'who joins late has the same messages, state and open questions'],
    ['libs/protocol/src/core/judge/streams.spec.ts', 'warns of questions before which no snapshot'],
  ),
  row(
    54,
    'events may be lost, what is shown is built anew',
    [STORY, 'who joins late has the same messages, state and open questions'],
    ['test/chaos/kills.spec.ts', 'a screen that stays through the death of its hub ends whole'],
  ),
  row(55, 'deltas are merged for slow readers', [
    'libs/fanout/src/core/merge.spec.ts',
    'adjacent deltas of one id become one',
  ]),
  row(56, 'what is known is not streamed anew', [
    'libs/client/src/core/thread-track.spec.ts',
    'whatever is lost, repeated or cut',
  ]),
  row(57, 'nothing waits in memory or on a connection', [
    'test/deadlines/thirty-days.spec.ts',
    'a parked task outlives restarts of all',
  ]),
  row(58, 'an interrupt is whole, and a list of them not empty', [PLAYED, 'row 58:']),
  row(59, 'unknown reasons fall back to message and schema', [PLAYED, 'row 59:']),
  row(
    60,
    'an approval shows action, target, parameters and what is at stake',
    ['apps/web/src/reviewer/core/values.spec.ts', 'arguments are rows with readable names'],
    ['apps/web/src/reviewer/core/stake.spec.ts', 'a large sum or several approvals ask once more'],
  ),
  row(61, 'a clarification is a form', [
    'apps/web/src/shared/shared-rules.spec.ts',
    'few options are all shown',
  ]),
  row(62, 'what waits too long goes to others', [
    'libs/approvals/src/core/due.spec.ts',
    'row 62: a question that waits is for more groups',
  ]),
  row(63, 'who takes over answers for it, edits or decides, and is on record', [GATES, 'rows 63 and 124:']),
  row(64, 'what was asked, who decided what, and what came of it are one record', [
    'libs/approvals/src/shell/gates.spec.ts',
    'leaves one record a task with what was asked',
  ]),
  row(65, 'a resume is a new run of the same thread', [
    STORY,
    'reviewer edits and approves, the customer’s screen goes on',
  ]),
  row(66, 'ids are of the interrupted run', [PLAYED, 'row 66:']),
  row(67, 'all open interrupts are answered, or nothing is sent', [FIELD, 'IN-03:']),
  row(68, 'while questions are open an input needs answers', [RACES, 'a message while a batch is open']),
  row(69, 'an identical resume is safe to repeat', [PLAYED, 'row 69:']),
  row(70, 'a payload is judged by its schema first', [PLAYED, 'row 70:']),
  row(71, 'what is over cannot be answered, only abandoned', [PLAYED, 'row 71:']),
  row(72, 'a refusal is a payload; giving up has none', [PLAYED, 'row 72:']),
  row(
    73,
    'refused, abandoned and timed out are three ends',
    [DESK, 'expired, cancelled and replaced are three ends'],
    [TRAIL, 'a decision is told as it changed the task'],
  ),
  row(
    74,
    'edited arguments replace all of them, where the schema offers it',
    [FIELD, 'IN-15:'],
    [STORY, 'the agent acts on what was approved'],
  ),
  row(75, 'nothing is submitted twice', [PEOPLE, 'the same person twice'], [DESK, 'says who, what and when']),
  row(76, 'approved is not done', [DESK, 'approved is not done'], [TALK, 'done needs the result']),
  row(
    77,
    'approval comes before the deed; who asks afterwards is found out',
    ['libs/runs/src/shell/gate-watch.spec.ts', 'raises an alarm when its result comes'],
    ['libs/approvals/src/shell/gates.spec.ts', 'leave a record when a call was made all the same'],
  ),
  row(
    78,
    'open questions survive a reload and are listed',
    ['test/journeys/hub-agent.spec.ts', 'waits for a reviewer: refused meanwhile, connected'],
    ['test/crashes/points.ts', 'event with its tasks |'],
  ),
  row(79, 'a pause of a month', ['test/deadlines/thirty-days.spec.ts', 'row 79:']),
  row(80, 'the process decides to wait, not the model', ['test/journeys/routed-calls.spec.ts', 'row 80:']),
  row(115, 'shown is not allowed', [PLAYED, 'row 115:'], ['test/access/threats/others.ts', 'threat 1:']),
  row(
    116,
    'every decision is untrusted input',
    ['test/hostile/doors.spec.ts', 'of every kind left to chance are no fault of ours'],
    ['test/journeys/doors.spec.ts', 'answers bad bodies with their code and leaves no trace'],
  ),
  row(
    117,
    'who may decide: role, group, tenant, limits',
    ['libs/access/src/core/can.spec.ts', 'a vote beyond a role’s limit is forbidden'],
    ['test/access/whole-table.spec.ts', 'says of everybody how they are answered, once'],
  ),
  row(118, 'tokens are checked when a stream begins, again, and while it lasts', [
    'test/journeys/revoked.spec.ts',
    'loses all that is open, mid-run',
  ]),
  row(119, 'redacted until revealed with a reason', [
    'test/journeys/reveal.spec.ts',
    'is shown to a reviewer who says why, and recorded',
  ]),
  row(120, 'no reasoning for who has no right to it', [
    STORY,
    'no byte for the customer tells what the policy hides',
  ]),
  row(
    121,
    'registered components only',
    [CARDS, 'a kind this version does not know is a fallback'],
    ['apps/web/src/shared/markdown/agent-markdown.spec.ts', 'only links to the web and to mail are links'],
  ),
  row(122, 'no code in events', [
    'apps/web/src/shared/markdown/agent-markdown.spec.ts',
    'HTML stays the characters it is made of',
  ]),
  row(
    123,
    'separation of duties',
    [DECIDE, 'four eyes: whoever asked'],
    [DECIDE, 'approve waits for its quorum'],
  ),
  row(124, 'what comes of a task that was taken over names the person', [GATES, 'rows 63 and 124:']),
  row(125, 'one stream, three surfaces', [STORY, 'each surface is shown its part']),
  row(126, 'a customer is told honestly that something is reviewed', [
    TALK,
    'a placeholder is a wait with what is known of it',
  ]),
  row(127, 'a decision from the queue goes on at the customer’s', [
    STORY,
    'reviewer edits and approves, the customer’s screen goes on',
  ]),
  row(
    128,
    'the operator’s log is the log',
    ['libs/fanout/src/rooms-on-redis.spec.ts', 'the operator sees the log itself'],
    ['libs/event-log/test/contract/storing.ts', 'texts come back byte for byte'],
  ),
  row(130, 'steps are counted', [
    'apps/web/src/customer/core/customer-rules.spec.ts',
    'is counted in the steps there are',
  ]),
  row(
    131,
    'a tool call can be looked at from its beginning to its result',
    ['apps/web/src/operator/core/log-rules.spec.ts', 'holds each event once and in order'],
    [TALK, 'done needs the result'],
  ),
  row(132, 'an unknown component shows what it is', [
    CARDS,
    'a kind this version does not know is a fallback',
  ]),
  row(133, 'props are judged', [CARDS, 'facts that do not fit leave the card out']),
  row(134, 'surfaces side by side', [
    'test/journeys/console.spec.ts',
    'shows three surfaces of one conversation, each with keys of its own',
  ]),
  row(135, 'state is shown as structure', [
    'test/journeys/state-look.spec.ts',
    'a record of forty members is shown as one',
  ]),
  row(
    136,
    'the stream is a projection of what is stored',
    ['test/chaos/kills.spec.ts', 'hub and Redis die together'],
    ['test/journeys/kept.spec.ts', 'joins on every surface as one who was always there'],
  ),
  row(137, 'a crash anywhere is recovered from', ['test/crashes/crashes.spec.ts', 'every screen is whole']),
  row(138, 'paused durably', ['test/deadlines/thirty-days.spec.ts', 'row 79:']),
  row(
    139,
    'records come by themselves',
    [TRAIL, 'a change that nobody wrote into the history is told all the same'],
    ['libs/approvals/src/contract.ts', 'a step that wins leaves its records'],
  ),
  row(140, 'why this went to review', [RULING, 'says what was tested and found']),
  row(
    141,
    'rules are data, and old questions keep their version',
    ['libs/assembly/src/watch-policy.spec.ts', 'comes into force, and who listens is told once'],
    ['libs/approvals/src/core/open-batch.spec.ts', 'the ruling that of the policy then'],
  ),
  row(142, 'what is kept of a log is the thread', [
    'libs/event-log/src/snapshots.spec.ts',
    'a snapshot and what comes after it are the thread',
  ]),
  row(143, 'who tampered shows', [
    'libs/audit/src/core/verify.spec.ts',
    'that was written anew with hashes that agree shows at the next checkpoint',
  ]),
];

/** Rows that no test proves yet, and what is missing. */
export const OPEN: ReadonlyMap<number, string> = new Map([
  [
    129,
    'surfaces are three by contract, with sockets, roles and rights of their own: none is made by configuration',
  ],
]);
