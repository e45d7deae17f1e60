import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { stepLabels } from '../core/projections.js';
import { parsePolicyText, readPolicy } from './policy-file.js';

const problemsOf = (text: string) => {
  const read = parsePolicyText(text, 'policy.yaml');
  return read.ok ? [] : read.problems;
};
const versionOf = (text: string) => {
  const read = parsePolicyText(text, 'policy.yaml');
  return read.ok ? read.value.version : read.why;
};

describe('a policy file', () => {
  it('is read with everything it may say', async () => {
    const read = await readPolicy('config/policy.yaml');
    expect(read.ok || read.why).toBe(true);
    if (!read.ok) return;
    expect(read.value.version).toMatch(/^[0-9a-f]{8}$/);
    expect(stepLabels(read.value, 'customer')).toEqual([
      'Identity',
      'Risk check',
      'Routing',
      'Adviser review',
      'Opening the account',
    ]);
    expect(read.value.rules.map(({ id }) => id)).toEqual([
      'large-transfer',
      'refunds',
      'bookings',
      'customer-questions',
    ]);
  });

  verifies('ACC-8', 'names file, line, column and key of every problem', () => {
    const text = [
      'surfaces:',
      '  customer:',
      '    state: [/ok, nope]',
      '    secret: true',
      '    steps: { a: Same, b: Same }',
      'approvals:',
      '  rules:',
      '    - id: r',
      '      quorum: 0',
    ].join('\n');
    const read = parsePolicyText(text, 'config/policy.yaml');
    expect(read.ok).toBe(false);
    if (read.ok) return;
    const lines = read.why.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^config\/policy\.yaml:3:18 surfaces\.customer\.state\.1 must be a JSON Pointer/,
        ),
        'config/policy.yaml:4:5 surfaces.customer.secret is not a key of a policy',
        expect.stringMatching(/^config\/policy\.yaml:9:7 approvals\.rules\.0\.quorum /),
        expect.stringMatching(/^config\/policy\.yaml:8:7 approvals\.rules\.0\.match /),
      ]),
    );
  });

  verifies('ACC-8', 'refuses two equal step labels, where the second stands', () => {
    expect(problemsOf('surfaces:\n  reviewer:\n    steps:\n      a: Same\n      b: Same\n')).toEqual([
      {
        line: 5,
        column: 7,
        path: 'surfaces.reviewer.steps.b',
        message: '"Same" is already the label of "a"',
      },
    ]);
    expect(problemsOf('surfaces: { customer: { steps: { "*": Any } } }')).toHaveLength(1);
    expect(problemsOf('surfaces: { customer: { steps: { a: "*" } } }')).toHaveLength(1);
    expect(problemsOf('surfaces: { customer: { steps: { a: A, "*": "*" } } }')).toEqual([]);
  });

  it.each([
    ['no mapping', 'just text', 1],
    ['an empty file', '', 1],
    ['a syntax error', 'surfaces:\n  customer: [', 2],
    ['a repeated key', 'surfaces: {}\nsurfaces: {}\n', 2],
    ['an operator surface', 'surfaces:\n  operator: {}\n', 2],
    ['two rules of one id', 'approvals:\n  rules:\n    - {id: a, match: {}}\n    - {id: a, match: {}}\n', 4],
    ['a rule without match', 'approvals:\n  rules:\n    - id: a\n', 3],
    ['an unknown test', 'approvals:\n  rules:\n    - id: a\n      match: {args: {/x: {like: 1}}}\n', 4],
    ['an empty test', 'approvals:\n  rules:\n    - id: a\n      match: {args: {/x: {}}}\n', 4],
    [
      'an unknown zone',
      'approvals:\n  rules:\n    - id: a\n      match: {hour: {tz: Mars, from: 1, to: 2}}\n',
      4,
    ],
    [
      'an empty hour',
      'approvals:\n  rules:\n    - id: a\n      match: {hour: {tz: UTC, from: 2, to: 2}}\n',
      4,
    ],
    ['a write with a wildcard', 'surfaces:\n  customer:\n    write: [/a/*]\n', 3],
  ])('%s is refused at its line', (_what, text, line) => {
    expect(problemsOf(text)[0]).toMatchObject({ line });
  });

  verifies('ACC-9', 'its version follows the content and nothing else', () => {
    const version = versionOf('surfaces: {customer: {state: [/a], subagents: true}}');
    expect(version).toMatch(/^[0-9a-f]{8}$/);
    expect(
      versionOf('# new words\nsurfaces:\n  customer:\n    subagents: true\n    state:\n      - /a\n'),
    ).toBe(version);
    expect(versionOf('surfaces: {customer: {state: [/b], subagents: true}}')).not.toBe(version);
  });

  it('is a problem, not a crash, when it is away', async () => {
    const read = await readPolicy(join(await mkdtemp(join(tmpdir(), 'policy-')), 'none.yaml'));
    expect(read).toMatchObject({
      ok: false,
      why: expect.stringContaining('none.yaml:1:1 cannot be read (ENOENT)'),
    });
  });

  it('is read from disk as from text', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'policy-')), 'policy.yaml');
    await writeFile(file, 'surfaces: {customer: {state: [/a]}}');
    const read = await readPolicy(file);
    expect(read.ok && read.value.version).toBe(versionOf('surfaces: {customer: {state: [/a]}}'));
  });
});
