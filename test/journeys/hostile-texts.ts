/** What somebody may write who wants a page to do their work: in every place an agent, a customer or a colleague can write in. */
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import type { Plans } from './quick-agent.js';

/** Where it would show that one of them was more than text: a mark on the window, a request, a link. */
const trap = (nth: number): string => `window.__xss=${nth}`;
const ELSEWHERE = 'https://elsewhere.invalid';

export const MARKUP = [
  `<img src=x onerror="${trap(1)}">`,
  `<script>${trap(2)}</script>`,
  `<svg/onload=${trap(3)}>`,
  `"><iframe srcdoc="<script>parent.${trap(4)}</script>"></iframe>`,
  `<details open ontoggle=${trap(5)}><summary>x</summary></details>`,
  `<style>@import url(${ELSEWHERE}/x.css);*{display:none}</style>`,
  `<base href="${ELSEWHERE}/"><form action="javascript:${trap(6)}"><button>go</button></form>`,
  `<math><mtext><style><img title="</style><img src=x onerror=${trap(7)}>">`,
  `{{constructor.constructor('${trap(8)}')()}} \${${trap(9)}}`,
] as const;

const LINKS = [
  `[open](javascript:${trap(11)})`,
  `[cased](JaVa\tScript:${trap(12)})`,
  `[entity](&#106;avascript&colon;${trap(13)})`,
  `[data](data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX194c3M9MTQ8L3NjcmlwdD4=)`,
  `[vb](vbscript:${trap(15)})`,
  `[file](file:///etc/passwd)`,
  `<javascript:${trap(16)}>`,
  `[ref][r]\n\n[r]: javascript:${trap(17)}`,
  `![seen](${ELSEWHERE}/pixel.png)`,
  `[![seen](${ELSEWHERE}/pixel2.png)](javascript:${trap(18)})`,
] as const;

/** The only ones that may lead anywhere. */
const GOOD_LINKS = '[web](https://example.test/web) and [mail](mailto:help@example.test)';

/** One of each in one text, for fields that hold one. */
export const FOUL = `${MARKUP[0]}${MARKUP[1]} ${LINKS[0]}`;
export const TITLE = `Attack ${FOUL}`;
export const COMMENT = `Comment ${FOUL}`;
export const REASON = `Reason ${FOUL}`;

const text = (id: string, deltas: readonly string[]): readonly AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
];

/** In two pieces, cut at every place in turn: no half of it may be taken for more than its whole. */
const cutEverywhere = (id: string, whole: string): readonly AguiEvent[] =>
  Array.from({ length: whole.length - 1 }, (_, nth) =>
    text(`${id}-${nth}`, [whole.slice(0, nth + 1), whole.slice(nth + 1)]),
  ).flat();

const letterByLetter = (id: string, whole: string): readonly AguiEvent[] => text(id, whole.split(''));

const call = (id: string, toolCallName: string, args: object): readonly AguiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName },
  ...JSON.stringify(args)
    .split('')
    .map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
  { type: 'TOOL_CALL_END', toolCallId: id },
];

const SCHEMA = {
  type: 'object',
  title: FOUL,
  description: FOUL,
  required: ['free'],
  properties: {
    free: { type: 'string', title: FOUL, description: FOUL, default: FOUL, examples: [FOUL] },
    choice: { type: 'string', title: FOUL, enum: [FOUL, 'other'] },
    oneOf: { title: FOUL, oneOf: [{ const: 'a', title: FOUL, description: FOUL }] },
    [FOUL]: { type: 'boolean', title: FOUL },
    sum: { type: 'number', title: FOUL },
  },
};

const card = (id: string, component: string, props: object): AguiEvent => ({
  type: 'CUSTOM',
  name: 'GENERATIVE_UI',
  value: { id, component, version: 1, props, text: FOUL },
});

const MONEY = { amount: 2_000_000, currency: FOUL, mandate: FOUL };
const CARDS: readonly AguiEvent[] = [
  card('c1', 'identity-result', {
    name: FOUL,
    status: 'verified',
    checks: [{ label: FOUL, status: 'passed' }],
  }),
  card('c2', 'allocation', { title: FOUL, ...MONEY, parts: [{ label: FOUL, percent: 100 }] }),
  card('c3', 'account-opened', { accountId: FOUL, status: 'open', ...MONEY }),
  card('c4', FOUL, { [FOUL]: FOUL }),
  { type: 'CUSTOM', name: FOUL, value: { [FOUL]: FOUL } },
];

const STATE = {
  application: { status: FOUL, progress: FOUL, amount: FOUL, mandate: FOUL, accountId: FOUL, [FOUL]: FOUL },
  refund: { status: FOUL, orderId: FOUL, currency: FOUL },
  trip: { [FOUL]: [FOUL, { [FOUL]: FOUL }] },
};

/** Everything but what is asked. */
const onslaught = ({ runId }: RunAgentInput): readonly AguiEvent[] => [
  { type: 'STATE_SNAPSHOT', snapshot: STATE },
  { type: 'STEP_STARTED', stepName: FOUL },
  { type: 'REASONING_START', messageId: `${runId}-r` },
  { type: 'REASONING_MESSAGE_START', messageId: `${runId}-r`, role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: `${runId}-r`, delta: FOUL },
  { type: 'REASONING_MESSAGE_END', messageId: `${runId}-r` },
  { type: 'REASONING_END', messageId: `${runId}-r` },
  ...call(`${runId}-t`, FOUL, { [FOUL]: FOUL, list: [FOUL] }),
  {
    type: 'TOOL_CALL_RESULT',
    messageId: `${runId}-tr`,
    toolCallId: `${runId}-t`,
    content: FOUL,
    role: 'tool',
  },
  ...call(`${runId}-v`, 'verifyIdentity', { name: FOUL }),
  {
    type: 'TOOL_CALL_RESULT',
    messageId: `${runId}-vr`,
    toolCallId: `${runId}-v`,
    content: JSON.stringify({ status: FOUL, [FOUL]: FOUL }),
    role: 'tool',
  },
  {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: `${runId}-a`,
    activityType: 'PLAN',
    content: { steps: [FOUL], [FOUL]: FOUL },
  },
  {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: `${runId}-g`,
    activityType: 'GENERATIVE_UI',
    content: { id: 'c5', component: 'growth', props: { note: FOUL }, text: FOUL },
  },
  ...CARDS,
  ...[...MARKUP, ...LINKS].flatMap((whole, nth) => letterByLetter(`${runId}-m${nth}`, whole)),
  ...cutEverywhere(`${runId}-cut1`, MARKUP[0]),
  ...cutEverywhere(`${runId}-cut2`, LINKS[0]),
  ...text(`${runId}-good`, [GOOD_LINKS]),
  { type: 'STEP_FINISHED', stepName: FOUL },
];

const review = (id: string, more: object) => ({
  ...{ id: `${id}-review`, reason: 'tool_call', toolCallId: id, message: FOUL },
  metadata: { [FOUL]: FOUL },
  ...more,
});
/** Arguments that may be edited, in a form whose every word is foul. */
const FORM = {
  responseSchema: {
    type: 'object',
    title: FOUL,
    required: ['approved'],
    properties: { approved: { type: 'boolean', title: FOUL }, editedArgs: SCHEMA },
  },
};
const QUESTION = { id: 'question', reason: 'input_required', message: FOUL, responseSchema: SCHEMA };

const asking =
  (form: object, ...more: readonly object[]) =>
  (input: RunAgentInput): readonly AguiEvent[] => {
    const { threadId, runId } = input;
    if (input.resume?.length)
      return [
        { type: 'RUN_STARTED', threadId, runId },
        { type: 'RUN_FINISHED', threadId, runId },
      ];
    const id = `${runId}-o`;
    const interrupts = [review(id, form), ...more];
    return [
      { type: 'RUN_STARTED', threadId, runId },
      ...onslaught(input),
      ...call(id, 'openAccount', {
        amount: 2_000_000,
        currency: 'EUR',
        mandate: FOUL,
        purpose: FOUL,
        [FOUL]: FOUL,
      }),
      { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } },
    ];
  };

const failing = (input: RunAgentInput): readonly AguiEvent[] => [
  { type: 'RUN_STARTED', threadId: input.threadId, runId: input.runId },
  ...onslaught(input),
  { type: 'RUN_ERROR', message: FOUL, code: FOUL },
];

export const FAILS = `Fails ${FOUL}`;
export const ASKS = `Asks ${FOUL}`;

/** What the agent answers to the words that name a plan; they are the conversation's title, too. */
export const HOSTILE_PLANS: Plans = {
  [TITLE]: asking(FORM),
  [ASKS]: asking(FORM, QUESTION),
  [FAILS]: failing,
};
