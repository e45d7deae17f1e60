/** Draws policies: what two surfaces see, hide, label and redact of anything a stream may hold. */
import { compilePolicy, type Policy } from '@triptych/access';
import fc from 'fast-check';

const TOOLS = ['lookup', 'look', 'pay', '*'];
const STEPS = ['plan', 'risk', 'one', 'two'];

const pointers = (...known: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...known]);

const tool = fc.record({
  args: pointers('', '/a', '/a/seen', '/b'),
  result: pointers('', '/status'),
  redact: pointers('/a/secret', '/a', '/status'),
});
const tools = fc
  .array(fc.option(fc.tuple(tool, fc.boolean())), { minLength: TOOLS.length, maxLength: TOOLS.length })
  .map((views) =>
    Object.fromEntries(
      views.flatMap((view, nth) => {
        const name = TOOLS[nth] ?? '*';
        if (!view) return [];
        const [shown, labelled] = view;
        return [[name, { ...shown, ...(labelled && name !== '*' ? { label: `Doing ${nth}` } : {}) }]];
      }),
    ),
  );
/** Labels differ, or the policy is refused. */
const steps = fc.tuple(fc.subarray(STEPS), fc.boolean(), fc.boolean()).map(([named, swapped, others]) => ({
  ...Object.fromEntries(named.map((name, nth) => [name, swapped && nth === 0 ? 'Another' : `Step ${name}`])),
  ...(others ? { '*': '*' } : {}),
}));

const surface = fc.record({
  state: pointers('', '/shown', '/list', '/list/*/name', '/mixed/part', '/n', '/x', '/x/0', '/y'),
  redact: pointers('/shown/secret', '/x', '/list/*/b', '/y/deep'),
  tools,
  steps,
  custom: pointers('*', 'x/*', 'GEN*', 'z'),
  activities: pointers('*', 'PLAN'),
  subagents: fc.boolean(),
  reasoning: fc.boolean(),
});

const rules = fc.subarray([
  { id: 'calls', match: { reason: 'tool_call' }, customer: { text: 'Somebody looks.' } },
  { id: 'asks', match: { reason: 'input_required' }, audience: 'customer' },
  { id: 'all', match: {}, audience: 'customer' },
]);

export const policies: fc.Arbitrary<Policy> = fc
  .record({
    surfaces: fc.record({ customer: surface, reviewer: surface }),
    approvals: fc.record({ rules }),
  })
  .map((content) => {
    const read = compilePolicy(content);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  });
