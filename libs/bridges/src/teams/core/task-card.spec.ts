/** Cards of Teams: the same task and viewer, the same card, within bounds, with nothing of the agent's that works. */
import fc from 'fast-check';
import { cardFaults } from '../../../../../test/fakes/teams/card-rules.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { ANN, decidedTask, EVERYBODY, taskOf, TERMS, textOn } from '../../../test/teams-task.js';
import type { Action, AdaptiveCard } from './adaptive-card.js';
import { bytesOf, MAX_CARD_BYTES, taskCard } from './task-card.js';
import type { Viewer } from './viewer.js';

const buttons = (actions: readonly Action[] = []): readonly Action[] =>
  actions.flatMap((action) =>
    action.type === 'Action.ShowCard' ? [action, ...buttons(action.card.actions)] : [action],
  );
const verbsOn = ({ actions }: AdaptiveCard): readonly string[] =>
  buttons(actions).flatMap((action) => (action.type === 'Action.Execute' ? [action.verb] : []));

const MEAN =
  'done <!channel> <at>Ann</at> [bank](https://evil.example) **bold** {{DATE(2026-01-01T00:00:00Z)}} & <b>';
const TURNED = 'pay \u202e000,5\u202c\u200b to\u2066\ud800';

const VIEWERS: readonly Viewer[] = [{ kind: 'reader' }, EVERYBODY, ANN, { ...ANN, told: 'It has changed.' }];

describe('cards of Teams', () => {
  verifies('BRG-64', 'everybody sees where it stands, and a decider what they may do', () => {
    const [all, own] = [taskCard(taskOf(), EVERYBODY, TERMS), taskCard(taskOf(), ANN, TERMS)];
    expect(verbsOn(all)).toEqual(['hub.refresh']);
    expect(verbsOn(taskCard(taskOf(), { kind: 'reader' }, TERMS))).toEqual([]);
    expect(verbsOn(own)).toEqual(['hub.approve', 'hub.reject', 'hub.claim']);
    expect(taskCard(taskOf(), ANN, TERMS)).toEqual(own);
    expect(textOn(all)).toContain('amount: 2,000,000');
  });

  verifies('BRG-64', 'what is no longer open has no button but the way to the console', () => {
    const over = [decidedTask, taskOf({ state: 'expired' }), taskOf({ state: 'superseded' })];
    for (const task of [...over, { ...decidedTask, state: 'held' as const }])
      for (const viewer of VIEWERS) {
        const card = taskCard(task, viewer, TERMS);
        expect(card.actions?.map(({ type }) => type)).toEqual(['Action.OpenUrl']);
        expect(card.refresh).toBeUndefined();
      }
    expect(textOn(taskCard(decidedTask, EVERYBODY, TERMS))).toContain(
      'Approved by ann · 30 Nov 2026, 12:01 UTC',
    );
  });

  verifies('BRG-65', 'threat 11, CH-07: words of agents and arguments are shown as they are written', () => {
    const args = { amount: 5, note: MEAN, [MEAN]: TURNED, deep: [{ note: TURNED }] };
    const task = taskOf({ message: MEAN, requester: TURNED, proposal: { toolName: MEAN, args } });
    for (const viewer of VIEWERS) {
      const card = taskCard(task, viewer, TERMS);
      const ours = card.body.filter(({ type }) => type === 'TextBlock');
      // Whatever knows Markdown holds our words alone.
      expect(JSON.stringify(ours)).not.toMatch(/evil|channel|at>/u);
      expect(textOn(card)).toContain(
        '<!channel> <at>Ann</at> [bank](https://evil.example) **bold** { {DATE(',
      );
      expect(textOn(card)).toContain('pay \\u202e000,5\\u202c\\u200b to\\u2066\\ud800');
      expect(JSON.stringify(card)).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]|\{\{DATE/u);
      expect(JSON.stringify(card)).not.toContain('msteams');
    }
  });

  verifies('BRG-65', 'threat 11: the amount is that of the arguments, whatever the agent says of it', () => {
    const card = taskCard(taskOf({ message: 'amount: 5' }), EVERYBODY, TERMS);
    expect(textOn(card)).toContain('amount: 2,000,000');
    expect(textOn(card)).toContain('The agent says: amount: 5');
    const edited = taskOf({ edit: { by: 'bob', at: 0, args: { amount: 7 } } });
    expect(textOn(taskCard(edited, EVERYBODY, TERMS))).toMatch(/amount: 7[\s\S]*Edited by: Bob Baker/u);
  });

  verifies(
    'BRG-66',
    'CH-05, CH-06: whatever is proposed, the card fits into a message and can be decided',
    () => {
      const big = [
        'a'.repeat(1_000_000),
        '<>&"\\\u202e'.repeat(2_000),
        '😀'.repeat(20_000),
        '\u0000'.repeat(9_000),
      ];
      const tasks = big.flatMap((text) =>
        (['pending', 'closed'] as const).map((state) =>
          taskOf({
            ...{ state, message: text, requester: text, agentId: text },
            proposal: { toolName: text, args: { [text]: text, b: [text] } },
          }),
        ),
      );
      for (const task of tasks)
        for (const viewer of VIEWERS) {
          const card = taskCard(task, viewer, TERMS);
          expect(bytesOf(card)).toBeLessThanOrEqual(MAX_CARD_BYTES);
          expect(textOn(card)).toContain('the rest is in the console');
          const isTheirs = task.state === 'pending' && viewer.kind === 'person';
          expect(verbsOn(card).includes('hub.approve')).toBe(isTheirs);
        }
    },
  );

  verifies('BRG-66', 'a question too large for a card is answered in the console', () => {
    const choice = {
      type: 'string',
      enum: Array.from({ length: 100 }, (_, n) => `choice number ${n} of many more`),
    };
    const properties = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`field ${n}`, choice]));
    const task = taskOf({ reason: 'input_required', responseSchema: { type: 'object', properties } });
    const card = taskCard(task, { kind: 'person', may: ['respond'] }, TERMS);
    expect(bytesOf(card)).toBeLessThanOrEqual(MAX_CARD_BYTES);
    expect(card.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open in the console', url: TERMS.link }]);
  });

  verifies(
    'BRG-68',
    'CH-06, CH-12: every button has a verb, and holds a name of the task and nothing else',
    () => {
      const schema = { type: 'object', properties: { why: { type: 'string' } } };
      const may = ['approve', 'reject', 'respond', 'claim', 'undo', 'edit'] as const;
      const card = taskCard(taskOf({ responseSchema: schema }), { kind: 'person', may }, TERMS);
      for (const action of buttons(card.actions)) {
        if (action.type !== 'Action.Execute') continue;
        expect(action.verb).toMatch(/^hub\.(?:approve|reject|respond|claim|refresh)$/u);
        expect(action.data).toEqual({ t: TERMS.value });
        expect(action.fallback?.data).toEqual({ t: TERMS.value, verb: action.verb });
      }
      expect(verbsOn(card)).toEqual(['hub.approve', 'hub.reject', 'hub.respond', 'hub.claim']);
    },
  );

  verifies('BRG-69', 'at most 60 people have a view of their own', () => {
    const refreshFor = Array.from({ length: 90 }, (_, n) => `29:${n}`);
    const { refresh } = taskCard(taskOf(), { kind: 'everybody', refreshFor }, TERMS);
    expect(refresh?.userIds).toEqual(refreshFor.slice(0, 60));
    expect(refresh?.action).toMatchObject({ verb: 'hub.refresh', data: { t: TERMS.value } });
    expect(taskCard(taskOf(), { kind: 'everybody', refreshFor: [] }, TERMS).refresh).toBeUndefined();
  });

  verifies('BRG-66', 'a card of any task is one that Teams takes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    const tasks = fc.record({
      message: text,
      proposal: fc.record({ toolName: text, args: fc.jsonValue() }),
      requester: text,
      state: fc.constantFrom('pending', 'claimed', 'voting', 'closed', 'expired'),
    });
    fc.assert(
      fc.property(tasks, fc.constantFrom(...VIEWERS), (over, viewer) => {
        const card = taskCard(taskOf(over as object), viewer, TERMS);
        expect(cardFaults(JSON.parse(JSON.stringify(card)))).toEqual([]);
        expect(bytesOf(card)).toBeLessThanOrEqual(MAX_CARD_BYTES);
      }),
    );
  });
});
