/** What follows an approval: the run that carries it is told under the card, as far as the channel may see it. */
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import type { ServerResponse } from 'node:http';
import { frame } from '../field/told-agent.js';
import { TEAM, type Message } from '../fakes/slack/world.js';
import { verifies } from '../spec/verifies.js';
import { CHANNEL, OPEN_CHANNEL, SlackDesk } from './slack-desk.js';

const UP_MS = 120_000;
const TRY_MS = 300_000;

const RULES = `
    - { id: pay, match: { tool: pay }, chat: true }
`;
const IBAN = 'CH9300762011623852957';

let desk: SlackDesk;
beforeAll(async () => {
  desk = await SlackDesk.start({ rules: RULES, routed: true, progress: true, workers: 2 });
}, UP_MS);
afterAll(async () => {
  await desk?.stop();
}, UP_MS);

const asks = (threadId: string): readonly AguiEvent[] => {
  const [runId, toolCallId] = [`${threadId}-r`, `${threadId}-call`];
  return [
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'pay' },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify({ amount: 5, iban: IBAN }) },
    { type: 'TOOL_CALL_END', toolCallId },
    {
      type: 'RUN_FINISHED',
      threadId,
      runId,
      outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call', toolCallId }] },
    },
  ];
};

/** An agent that goes on when it is let. */
class Resumed {
  private response: ServerResponse | undefined;
  private input: RunAgentInput | undefined;

  readonly answer = async (response: ServerResponse, input: RunAgentInput): Promise<void> => {
    [this.response, this.input] = [response, input];
    const { threadId, runId } = input;
    this.send({ type: 'RUN_STARTED', threadId, runId });
    return Promise.resolve();
  };

  send(...events: readonly AguiEvent[]): void {
    for (const event of events) this.response?.write(frame(event));
  }

  async begun(): Promise<void> {
    await until(() => this.input !== undefined);
  }

  asks(toolCallId: string): void {
    const { threadId, runId } = this.input!;
    const interrupts = [{ id: `${toolCallId}-i`, reason: 'tool_call', toolCallId }];
    this.end({ type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } });
  }

  end(event?: AguiEvent): void {
    const { threadId, runId } = this.input!;
    this.response?.end(frame(event ?? { type: 'RUN_FINISHED', threadId, runId }));
  }
}

const says = (messageId: string, ...deltas: readonly string[]): readonly AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];

const isCardOf = ({ metadata, channel }: Message, taskId: string, where: string): boolean =>
  channel === where && JSON.stringify(metadata ?? '').includes(`"${taskId}"`);

const cardIn = async (where: string, taskId: string): Promise<Message> => {
  const found = () => desk.slack.world.messages.find((message) => isCardOf(message, taskId, where));
  await until(() => found() !== undefined);
  return found()!;
};

const underIn = (card: Message): readonly Message[] =>
  desk.slack.world.messages.filter(
    ({ channel, threadTs }) => channel === card.channel && threadTs === card.ts,
  );
const textsOf = ({ text, blocks, tasks = [] }: Message): string =>
  [
    text,
    ...[...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/gu)].map(([, said]) => said),
    ...tasks.map(({ title, status }) => `${String(status)} ${String(title)}`),
  ].join(' | ');
const tells = (card: Message, words: string): Promise<unknown> =>
  until(() => underIn(card).some((message) => textsOf(message).includes(words)));

/** A task that was asked, in both channels. */
const asked = async (thread: string, resumed: Resumed) => {
  desk.office.told.tell(thread, asks(thread), resumed.answer);
  const [task] = await desk.office.run('told', thread);
  const taskId = task?.taskId ?? '';
  return { open: await cardIn(OPEN_CHANNEL, taskId), hiding: await cardIn(CHANNEL, taskId) };
};

const approved = async (thread: string, resumed: Resumed) => {
  const cards = await asked(thread, resumed);
  await desk.press('ann', cards.hiding.ts, 'approve');
  await resumed.begun();
  return cards;
};

describe('the run after an approval', () => {
  const look = { type: 'TOOL_CALL_START', toolCallId: 'look-1', toolCallName: 'look' };
  const looking = [look, { type: 'TOOL_CALL_END', toolCallId: 'look-1' }];
  const looked = { type: 'TOOL_CALL_RESULT', messageId: 'n', toolCallId: 'look-1', content: IBAN };

  verifies(
    'BRG-141',
    'is told under the card as it goes on, and how it ended',
    async () => {
      desk.slack.unknown.add('chat.startStream');
      const resumed = new Resumed();
      const { open, hiding } = await approved('goes-on', resumed);
      resumed.send(...looking);
      await tells(open, '… look');
      const paid = { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'goes-on-call' };
      resumed.send(
        { ...paid, content: `to ${IBAN}` },
        ...says('a', 'The money ', 'is on its way. <!channel>'),
      );
      await tells(open, 'The money is on its way.');
      resumed.send(looked);
      resumed.end();
      await Promise.all([open, hiding].map((card) => tells(card, 'The run is over.')));
      const [told, ...others] = underIn(open);
      expect(others).toEqual([]);
      expect(textsOf(told!)).toContain('✓ look\\n✓ pay');
      expect(textsOf(told!)).not.toContain(IBAN);
      expect(told!.blocks).toContainEqual({
        type: 'section',
        text: { type: 'plain_text', text: 'The money is on its way. <!channel>', emoji: false },
      });
      desk.slack.unknown.clear();
    },
    TRY_MS,
  );

  verifies(
    'BRG-149',
    'streams for whoever decided, and its stream ends with it',
    async () => {
      const resumed = new Resumed();
      const { open } = await approved('streams', resumed);
      resumed.send(...looking);
      await tells(open, 'in_progress look');
      expect(underIn(open)).toMatchObject([{ stream: { open: true } }]);
      resumed.send(...says('a', '*Looked* at <@U0BOB>. '));
      await tells(open, '\\*Looked\\* at &lt;@U0BOB&gt;.');
      resumed.send(looked, ...says('b', 'Asking again.'));
      const call = { toolCallId: 'again' };
      resumed.send(
        { type: 'TOOL_CALL_START', ...call, toolCallName: 'pay' },
        { type: 'TOOL_CALL_END', ...call },
      );
      resumed.asks('again');
      await tells(open, 'The agent asks again.');
      const [told, ...others] = underIn(open);
      expect(others).toEqual([]);
      expect(told).toMatchObject({
        text: '\\*Looked\\* at &lt;@U0BOB&gt;. \n\nAsking again.',
        tasks: [
          { title: 'look', status: 'complete' },
          { title: 'pay', status: 'pending' },
        ],
        stream: { open: false },
      });
      const [start] = desk.slack.callsOf('chat.startStream');
      expect(start?.args).toMatchObject({ recipient_team_id: TEAM, recipient_user_id: 'U0ANN' });
    },
    TRY_MS,
  );

  verifies(
    'BRG-148',
    'is told whole, and once, where streams end before it does and answers are lost',
    async () => {
      const resumed = new Resumed();
      desk.slack.faults.next('chat.startStream', 'drop-reply');
      desk.slack.faults.next('chat.appendStream', 'drop-reply');
      const { open, hiding } = await approved('lost', resumed);
      resumed.send(...looking, ...says('a', 'First. '));
      await Promise.all([tells(open, 'First.'), tells(hiding, 'look')]);
      for (const message of [...underIn(open), ...underIn(hiding)])
        if (message.stream) message.stream.open = false;
      resumed.send(...says('b', 'Second.'));
      await tells(open, 'Second.');
      resumed.end();
      await Promise.all([open, hiding].map((card) => tells(card, 'The run is over.')));
      expect([underIn(open).length, underIn(hiding).length]).toEqual([1, 1]);
      expect(textsOf(underIn(open)[0]!).match(/First|Second/gu)).toEqual(['First', 'Second']);
    },
    TRY_MS,
  );

  verifies(
    'BRG-142',
    'is told without the words of the agent where the channel hides a part of the arguments',
    async () => {
      const resumed = new Resumed();
      const { open, hiding } = await approved('hides', resumed);
      resumed.send(...says('a', `Sent to ${IBAN}.`));
      resumed.end({ type: 'RUN_ERROR', message: `No such account: ${IBAN}` });
      await Promise.all([tells(open, `Sent to ${IBAN}.`), tells(hiding, 'The run failed.')]);
      expect(underIn(hiding).map(textsOf).join(' ')).toContain('What the agent says is not shown here.');
      const calls = desk.slack.calls.filter(({ args }) => args['channel'] === CHANNEL);
      expect(JSON.stringify(calls.map(({ args }) => args))).not.toContain(IBAN);
    },
    TRY_MS,
  );

  verifies(
    'BRG-144',
    'is told once though answers are lost, and goes on though the worker who told it dies',
    async () => {
      const resumed = new Resumed();
      const { open, hiding } = await asked('dies', resumed);
      desk.slack.faults.next('chat.startStream', 'drop-reply');
      await desk.press('ann', hiding.ts, 'approve');
      await resumed.begun();
      resumed.send(...says('a', 'First.'));
      await tells(open, 'First.');
      const { workers } = desk.office.house;
      await Promise.all(workers.map((worker) => worker.process.kill()));
      await Promise.all(workers.map((worker) => worker.restart()));
      await Promise.all([tells(open, 'The run failed.'), tells(hiding, 'The run failed.')]);
      expect([underIn(open).length, underIn(hiding).length]).toEqual([1, 1]);
      expect(textsOf(underIn(open)[0]!)).toContain('First.');
    },
    TRY_MS,
  );
});
