import type { TaskView } from '@triptych/protocol';
import { blocksFaults, MAX_MESSAGE_BLOCKS } from '../../../../../test/fakes/slack/block-rules.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { AT, taskWith } from '../../../test/slack-task.js';
import { slackCard, type CardOf } from './card.js';

const VALUE = `t1.b.1.3.${'x'.repeat(32)}`;
const cardOf = (task: Partial<TaskView> = {}, more: Partial<CardOf> = {}) =>
  slackCard({
    task: taskWith(task),
    names: { amelia: 'Amelia Hartmann', tove: 'Tove Lindqvist' },
    chat: true,
    link: 'https://hub.example/reviewer?task=b.1',
    value: VALUE,
    ...more,
  });

type Card = ReturnType<typeof cardOf>;
interface Button {
  readonly action_id: string;
  readonly value?: string;
  readonly confirm?: unknown;
}
const buttonsOf = ({ blocks }: Card): readonly Button[] =>
  blocks.flatMap((block) => (block.type === 'actions' ? (block.elements as readonly Button[]) : []));
const actsOf = (card: Card): readonly string[] => buttonsOf(card).map(({ action_id }) => action_id);
const textsOf = (value: unknown): readonly { readonly type: string; readonly text: string }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own =
    'text' in value && typeof value.text === 'string' ? [value as { type: string; text: string }] : [];
  return [...own, ...Object.values(value).flatMap(textsOf)];
};
const saidIn = (card: Card): string =>
  textsOf(card.blocks)
    .map(({ text }) => text)
    .join('\n');
const faultsOf = ({ blocks }: Card): readonly string[] => blocksFaults(blocks, MAX_MESSAGE_BLOCKS);

const EVIL =
  'done <!channel> <@U1> <https://evil.example|https://bank.example> & <b> *bold* `x` ```\n@here \u202Eevil\u200B';

describe('a card in Slack', () => {
  verifies(
    'BRG-30',
    'shows what is asked, by whom, with which arguments, until when, and where it stands',
    () => {
      const card = cardOf();
      const said = saidIn(card);
      for (const part of [
        'Approval needed: openAccount',
        'Amelia Hartmann',
        'onboarding',
        'advisors',
        '"iban": "CH93"',
        'Waiting for a decision',
      ])
        expect(said).toContain(part);
      expect(said).toContain(`<!date^${(AT + 900_000) / 1_000}^`);
      expect(faultsOf(card)).toEqual([]);
    },
  );

  verifies('BRG-30', 'calls people by their subjects where nothing else is known, whatever these are', () => {
    for (const subject of ['constructor', '__proto__', 'toString']) {
      const decision = { kind: 'approved', by: [subject], at: AT } as const;
      const card = cardOf({ requester: subject, edit: { by: subject, at: AT, args: {} } });
      expect(saidIn(card)).toContain(`Requested by\n${subject}`);
      expect(JSON.stringify(buttonsOf(card)[0]?.confirm)).toContain(`requested by ${subject}.`);
      expect(saidIn(cardOf({ state: 'decided', decision }))).toContain(`Approved by ${subject}.`);
      expect(JSON.stringify(card)).not.toMatch(/native code|object Object/u);
    }
  });

  verifies('BRG-30', 'is the same for the same task', () => {
    expect(cardOf()).toEqual(cardOf());
  });

  verifies(
    'BRG-30',
    'stays within the limits of Slack however long anything is, once escaped too (CH-05, CH-06)',
    () => {
      const long = '<&>'.repeat(400_000);
      const tasks: Partial<TaskView>[] = [
        { proposal: { toolName: 'shell', args: { cmd: '<>&'.repeat(967) } } },
        {
          proposal: { toolName: long, args: { prompt: long } },
          message: long,
          requester: long,
          groups: [long],
        },
        { proposal: { toolName: 'x', argsText: long } },
        { proposal: { args: { emoji: '😀'.repeat(3_000) } }, edit: { by: long, at: AT, args: { x: long } } },
        { state: 'closed', decision: { kind: 'rejected', by: [long], at: AT, reason: long } },
      ];
      for (const task of tasks) {
        const card = cardOf(task);
        expect(faultsOf(card)).toEqual([]);
        expect(card.text.length).toBeLessThanOrEqual(300);
        expect(actsOf(card)).toContain('tt.open');
      }
      expect(saidIn(cardOf(tasks[0]))).toContain('Cut short here');
    },
  );

  verifies(
    'BRG-31',
    'shows the words of others letter by letter: nobody is called, nothing is linked or hidden (threat 11, CH-07)',
    () => {
      const args = { [EVIL]: EVIL };
      const card = cardOf(
        { message: EVIL, requester: EVIL, groups: [EVIL], agentId: EVIL, proposal: { toolName: EVIL, args } },
        { names: {} },
      );
      for (const { type, text } of textsOf(card.blocks)) {
        expect(text).not.toMatch(/[\u202e\u200b]/u);
        if (type !== 'mrkdwn') continue;
        // In markup nothing but our own date may open a bracket, and the fence is closed by us alone.
        expect(text.replaceAll(/<!date\^[^>]*>/gu, '')).not.toMatch(/<|>(?!$)/u);
        expect(text.split('```')).toHaveLength(text.includes('```') ? 3 : 1);
      }
      expect(card.text).not.toMatch(/[<>]/u);
      expect(saidIn(card)).toContain('\\u202e');
      expect(faultsOf(card)).toEqual([]);
    },
  );

  verifies(
    'BRG-33',
    'takes its figures from the parsed arguments and the edit, never from the words of the agent (threat 11)',
    () => {
      const card = cardOf({ message: 'Only 5 francs.', edit: { by: 'tove', at: AT, args: { amount: 7 } } });
      expect(saidIn(card)).toContain('amount\n2000000');
      expect(saidIn(card)).toContain('"amount": 7');
      expect(saidIn(card)).toContain('Edited by Tove Lindqvist');
    },
  );

  verifies('BRG-32', 'has the buttons that this task takes, each with a seal and no argument (CH-06)', () => {
    expect(actsOf(cardOf())).toEqual(['tt.approve', 'tt.reject', 'tt.claim', 'tt.open']);
    const editable = { properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } };
    expect(actsOf(cardOf({ responseSchema: editable }))).toContain('tt.edit');
    const yesOnly = { properties: { approved: { const: true } } };
    expect(actsOf(cardOf({ responseSchema: yesOnly }))).not.toContain('tt.reject');
    const question = { reason: 'input_required', responseSchema: { type: 'object', properties: {} } };
    expect(actsOf(cardOf(question))).toEqual(['tt.respond', 'tt.claim', 'tt.open']);
    const [approve] = buttonsOf(cardOf());
    expect(approve).toMatchObject({ value: VALUE, confirm: expect.anything() });
    for (const { action_id, value } of buttonsOf(cardOf()))
      expect(value).toBe(action_id === 'tt.open' ? undefined : VALUE);
  });

  verifies('BRG-32', 'has no button that could not act: not in a chat, claimed, decided or over', () => {
    expect(actsOf(cardOf({}, { chat: false }))).toEqual(['tt.claim', 'tt.open']);
    const claim = { by: 'tove', until: AT, maxUntil: AT };
    expect(actsOf(cardOf({ state: 'claimed', claim }))).toEqual(['tt.approve', 'tt.reject', 'tt.open']);
    for (const state of ['held', 'decided', 'dispatched', 'closed', 'expired', 'superseded'] as const)
      expect(actsOf(cardOf({ state }))).toEqual(['tt.open']);
  });

  verifies('BRG-30', 'says who has it, who has voted, who decided and what came of it', () => {
    const claim = { by: 'tove', until: AT, maxUntil: AT };
    expect(saidIn(cardOf({ state: 'claimed', claim }))).toContain('Claimed by Tove Lindqvist.');
    const votes = [{ by: 'tove', verb: 'approve' as const, at: AT }];
    expect(saidIn(cardOf({ state: 'voting', votes, quorum: { needed: 2, have: 1 } }))).toContain(
      '1 of 2 votes: Tove Lindqvist approved.',
    );
    const batch = { batchId: 'b', state: 'done' as const, open: 0, total: 1 };
    const decision = { kind: 'rejected' as const, by: ['tove'], at: AT, reason: 'too much' };
    const over = saidIn(cardOf({ state: 'closed', decision, batch }));
    expect(over).toContain('Rejected by Tove Lindqvist. The agent was told.');
    expect(over).toContain('Reason: too much');
    expect(saidIn(cardOf({ state: 'expired' }))).toContain('nobody decided in time');
  });
});
