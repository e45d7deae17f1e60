import type { InputBlock, ModalView } from '@slack/types';
import type { TaskView } from '@triptych/protocol';
import { viewFaults } from '../../../../../test/fakes/slack/view-rules.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { taskWith } from '../../../test/slack-task.js';
import { formFor, modalFor, type ModalAct } from './modal.js';
import { errorsIn, readForm } from './read-form.js';

const FROM = { value: 't1.b.1.3.seal', channel: 'C0DESK' };
const LINK = 'https://hub.example/reviewer?task=b.1';

const viewOf = (act: ModalAct, task: Partial<TaskView>, showsAll = true): ModalView =>
  modalFor(act, { task: taskWith(task), from: FROM, link: LINK, showsAll });
const inputsOf = ({ blocks }: ModalView): readonly InputBlock[] =>
  blocks.filter((block): block is InputBlock => block.type === 'input');

const question = (responseSchema: Record<string, unknown> | undefined): Partial<TaskView> => ({
  reason: 'input_required',
  ...(responseSchema ? { responseSchema } : {}),
});
const asked = (properties: Record<string, unknown>, required: readonly string[] = []) =>
  question({ type: 'object', properties, required });

const EVERY_KIND = asked(
  {
    note: { type: 'string', minLength: 2, maxLength: 100, title: 'Note', description: 'What you think' },
    level: { enum: ['low', 'high', 3, null] },
    sure: { type: 'boolean' },
    amount: { type: 'integer', minimum: 1, maximum: 10 },
    rate: { type: 'number' },
    day: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
  },
  ['note', 'amount'],
);

const state = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([block, value]) => [block, { in: value }]));

describe('a modal in Slack', () => {
  verifies('BRG-34', 'asks for each kind of value by the input that is made for it', () => {
    const view = viewOf('respond', EVERY_KIND);
    expect(inputsOf(view).map(({ element }) => element.type)).toEqual([
      'plain_text_input',
      'static_select',
      'radio_buttons',
      'number_input',
      'number_input',
      'datepicker',
      'multi_static_select',
    ]);
    expect(inputsOf(view).map(({ optional }) => optional)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(viewFaults(view)).toEqual([]);
    expect(JSON.parse(view.private_metadata ?? '')).toEqual(FROM);
  });

  verifies('BRG-34', 'asks a plain question in one field, and why in another', () => {
    expect(inputsOf(viewOf('respond', question(undefined)))).toHaveLength(1);
    expect(inputsOf(viewOf('respond', question({ type: 'boolean' })))).toHaveLength(1);
    const reject = viewOf('reject', {});
    expect(inputsOf(reject)).toMatchObject([{ optional: true, label: { text: 'Reason' } }]);
    expect(viewFaults(reject)).toEqual([]);
  });

  verifies('BRG-34', 'sends to the console what it could not ask for whole', () => {
    const elsewhere = [
      asked({ nested: { type: 'object', properties: {} } }),
      asked({ either: { anyOf: [{ type: 'string' }, { type: 'number' }] } }),
      asked({ a: { type: 'string' } }, ['b']),
      asked({ many: { enum: Array.from({ length: 101 }, (_, nth) => nth) } }),
      asked(Object.fromEntries(Array.from({ length: 95 }, (_, nth) => [`p${nth}`, { type: 'string' }]))),
      question({ type: 'object', properties: { a: { type: 'string' } }, if: {} }),
      question({ type: 'array', items: { type: 'string' } }),
    ];
    for (const task of elsewhere) {
      const view = viewOf('respond', task);
      expect(inputsOf(view)).toEqual([]);
      expect(JSON.stringify(view.blocks)).toContain(LINK);
      expect(viewFaults(view)).toEqual([]);
    }
  });

  verifies('BRG-34', 'stays within the limits of Slack whatever a schema is called', () => {
    const long = 'x'.repeat(5_000);
    const view = viewOf('respond', {
      ...asked({ [long]: { enum: [long], title: long, description: long } }),
      message: long,
    });
    expect(viewFaults(view)).toEqual([]);
  });

  verifies(
    'BRG-35',
    'is read by the form it was drawn from: what was left empty is not in the answer',
    () => {
      const form = formFor('respond', taskWith(EVERY_KIND))!;
      const values = state({
        'f.0': { type: 'plain_text_input', value: 'fine' },
        'f.1': { type: 'static_select', selected_option: { value: '2' } },
        'f.2': { type: 'radio_buttons', selected_option: { value: 'false' } },
        'f.3': { type: 'number_input', value: '7' },
        'f.4': { type: 'number_input', value: null },
        'f.5': { type: 'datepicker', selected_date: '2026-11-30' },
        'f.6': { type: 'multi_static_select', selected_options: [{ value: '0' }, { value: '2' }] },
      });
      const answer = { note: 'fine', level: 3, sure: false, amount: 7, day: '2026-11-30', tags: ['a', 'c'] };
      expect(readForm(form, values)).toEqual({ ok: true, answer });
      const one = formFor('respond', taskWith(question({ type: 'boolean' })))!;
      expect(readForm(one, state({ 'f.0': { selected_option: { value: 'true' } } }))).toEqual({
        ok: true,
        answer: true,
      });
    },
  );

  verifies('BRG-35', 'says beside each input what is wrong with it, whatever was sent', () => {
    const form = formFor('respond', taskWith(EVERY_KIND))!;
    const wrong = state({
      'f.1': { selected_option: { value: '9' } },
      'f.3': { value: '1.5' },
      'f.4': { value: 'many' },
    });
    expect(readForm(form, wrong)).toMatchObject({
      ok: false,
      errors: {
        'f.0': expect.any(String),
        'f.1': expect.any(String),
        'f.3': expect.any(String),
        'f.4': expect.any(String),
      },
    });
    for (const odd of [undefined, null, 7, [], { 'f.0': 1 }, { 'f.0': { in: 'x' } }])
      expect(readForm(form, odd)).toMatchObject({ ok: false });
    const details = {
      errors: [
        { pointer: '/amount', error: 'too much' },
        { pointer: '', error: 'odd' },
      ],
    };
    expect(errorsIn(form, details)).toEqual({ 'f.3': 'too much', 'f.0': 'odd' });
    const text = { type: 'string' };
    const alike = asked({ a: text, ab: text, 'a/b~c': text, d: text });
    const named = formFor('respond', taskWith(alike))!;
    const errors = ['/ab', '/a~1b~0c', '/d/0'].map((pointer) => ({ pointer, error: pointer }));
    expect(errorsIn(named, { errors })).toEqual({ 'f.1': '/ab', 'f.2': '/a~1b~0c', 'f.3': '/d/0' });
  });

  verifies(
    'BRG-56',
    'shows arguments to be edited as they are, and only where the place shows all of them',
    () => {
      const responseSchema = {
        properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
      };
      const flat: Partial<TaskView> = {
        responseSchema,
        proposal: { toolName: 'pay', args: { to: 'x', amount: 5, urgent: true } },
      };
      const view = viewOf('edit', flat);
      expect(inputsOf(view).map(({ element }) => element)).toMatchObject([
        { initial_value: 'x' },
        { initial_value: '5' },
        { initial_option: { value: 'true' } },
      ]);
      expect(viewFaults(view)).toEqual([]);
      expect(inputsOf(viewOf('edit', flat, false))).toEqual([]);
      const nested: Partial<TaskView> = {
        responseSchema,
        proposal: { toolName: 'pay', args: { to: { name: 'x' } } },
      };
      expect(inputsOf(viewOf('edit', nested))).toEqual([]);
      const long: Partial<TaskView> = {
        responseSchema,
        proposal: { toolName: 'pay', args: { to: 'x'.repeat(3_001) } },
      };
      expect(inputsOf(viewOf('edit', long))).toEqual([]);
    },
  );
});
