import { verifies } from '../../../../test/spec/verifies.js';
import { only, opened, olga, matterOf, policy, rita } from '../../test/bank.js';
import { show } from '../shell/show.js';
import { readSchema } from './answer-schema.js';
import { mayRead } from './matter.js';
import { offerTo } from './may.js';

const errorsOf = (schema: unknown, answer: unknown) => {
  const reading = readSchema(schema);
  if (!reading.ok) throw new Error(reading.why);
  return reading.schema.errorsOf(answer);
};
const whyOf = (schema: unknown): string => {
  const reading = readSchema(schema);
  return reading.ok ? 'read' : reading.why;
};

const nested = (depth: number): unknown => {
  let schema: unknown = { type: 'string' };
  for (let i = 0; i < depth; i += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
};

/** Twelve lines that unfold to 2^11 schemas. */
const bomb = () => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `d${i}`,
      i === 11
        ? { type: 'string' }
        : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  ),
});

describe('response schemas', () => {
  const HOSTILE: readonly (readonly [name: string, schema: unknown])[] = [
    ['a remote $ref', { $ref: 'https://evil.test/schema.json' }],
    ['a $ref by file', { properties: { a: { $ref: 'file:///etc/passwd' } } }],
    ['a $ref to itself', { $ref: '#' }],
    [
      'a $ref in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    [
      'a recursive tree',
      { $ref: '#/$defs/t', $defs: { t: { properties: { next: { $ref: '#/$defs/t' } } } } },
    ],
    ['a $ref to nowhere', { $ref: '#/$defs/missing' }],
    ['a broken $ref', { $ref: '#/%E0%A4%A' }],
    ['a $dynamicRef', { properties: { a: { $dynamicRef: '#x' } } }],
    ['an $id inside', { properties: { a: { $id: 'https://x.test/', $ref: '#/b' } } }],
    ['great depth', nested(1_000)],
    ['great size', { enum: ['x'.repeat(10_000_000)] }],
    ['many nodes', { allOf: Array.from({ length: 2_000 }, () => ({ type: 'string' })) }],
    ['a small one that unfolds', bomb()],
    ['a catastrophic pattern', { type: 'string', pattern: '^(a+)+$' }],
    ['a catastrophic alternation', { type: 'string', pattern: '^(a|a)*$' }],
    ['a catastrophic key pattern', { patternProperties: { '(x*)*y': true } }],
    ['look-around', { type: 'string', pattern: '^(?=a)b' }],
    ['a back-reference', { type: 'string', pattern: '^(a)\\1$' }],
    ['a broken pattern', { type: 'string', pattern: '(' }],
    ['a keyword of the wrong shape', { required: 'approved' }],
    ['text that is not Unicode', { const: '\ud800' }],
    ['a list', [{ type: 'string' }]],
  ];

  for (const [name, schema] of HOSTILE)
    verifies('APR-10', `refuses ${name}`, () => {
      expect(whyOf(schema)).not.toBe('read');
    });

  verifies('APR-10', 'a task with such a schema is for operators, and nobody approves it', () => {
    const responseSchema = { type: 'object', properties: { approved: { $ref: 'https://evil.test' } } };
    const batch = opened({ interrupts: [{ id: 'i1', reason: 'confirmation', responseSchema }] });
    expect(mayRead({ batch, task: only(batch), actor: rita })).toBe(false);
    expect(offerTo(matterOf(batch, olga)).may).toEqual(['assign', 'comment', 'extend', 'cancel']);
    expect(only(batch).history.map(({ action }) => action)).toContain('schema-refused');
    expect(only(batch).responseSchema).toBeUndefined();
  });

  verifies('APR-43', 'its text is shown to operators, up to a bound', () => {
    const ask = (responseSchema: Record<string, unknown>) =>
      opened({ interrupts: [{ id: 'i1', reason: 'confirmation', responseSchema }] });
    const evil = { type: 'object', properties: { approved: { $ref: 'https://evil.test' } } };
    const shown = show(policy, matterOf(ask(evil), olga));
    expect(JSON.parse(shown.responseSchemaText ?? '')).toEqual(evil);
    expect(shown).not.toHaveProperty('responseSchema');
    const ruled = ask(evil).tasks.map((task) => ({ ...task, ruling: only(ask({})).ruling }));
    expect(
      show(policy, matterOf({ ...ask(evil), tasks: ruled }, rita, { task: ruled[0]! })),
    ).not.toHaveProperty('responseSchemaText');
    const long = ask({ $ref: `https://evil.test/${'x'.repeat(100_000)}` });
    expect(show(policy, matterOf(long, olga)).responseSchemaText).toHaveLength(65_536);
    expect(show(policy, matterOf(ask({ type: 'object' }), olga))).not.toHaveProperty('responseSchemaText');
  });

  it('reads what agents really send', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://agents.test/approve.json',
      title: 'Approve',
      type: 'object',
      properties: {
        approved: { $ref: '#/$defs/yes', description: 'Sure?' },
        iban: { type: 'string', pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$' },
        mail: { type: 'string', format: 'email', pattern: '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$' },
        amount: { type: 'string', pattern: '^\\d{1,3}(,\\d{3})*(\\.\\d{2})?$' },
        items: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
      },
      required: ['approved'],
      $defs: { yes: { type: 'boolean' } },
      examples: [{ approved: true, id: 7 }],
      'x-ui': { id: 'form' },
    };
    const good = {
      approved: true,
      iban: 'CH9300762011623852957',
      mail: 'a@b.ch',
      amount: '1,000.50',
      items: ['a', 'b'],
    };
    expect(errorsOf(schema, good)).toEqual([]);
    expect(errorsOf(schema, { ...good, approved: 'yes' }).map(({ pointer }) => pointer)).toContain(
      '/approved',
    );
    for (const bad of [{ iban: 'x' }, { mail: 'nobody' }, { amount: '1000,5' }, { items: ['a', 'a'] }])
      expect(errorsOf(schema, { ...good, ...bad })).not.toEqual([]);
  });

  verifies('APR-11', 'answers are bounded in depth, size and the work they cause', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(errorsOf(true, deep)).toMatchObject([{ error: expect.stringContaining('deep') }]);
    expect(errorsOf(true, 'x'.repeat(2_000_000))).toMatchObject([
      { error: expect.stringContaining('large') },
    ]);
    const costly = { type: 'array', items: { type: 'string', pattern: 'a+b+c+$' } };
    expect(errorsOf(costly, ['abc', 'aabbcc'])).toEqual([]);
    expect(errorsOf(costly, ['a'.repeat(50_000)])).toMatchObject([
      { error: expect.stringContaining('checked') },
    ]);
  });
});
