/** Plants one breach of every import rule and expects the fence to name it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { plant, type Planted } from './plant.js';
import { verifies } from '../spec/verifies.js';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

const door = 'export const a = 1;\n';
/** Every rule of the law, and a file that breaks it. */
const BREACHES: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'no-cycles': [
    'libs/runs/src/core/left.ts',
    `export { right } from './right.js';\nexport const left = 1;\n`,
  ],
  'hub-folders-form-no-circle': [
    'apps/hub/src/rooms/desk.ts',
    `export { view } from '../threads/view.js';\n`,
  ],
  'core-does-no-io': ['libs/runs/src/core/io.ts', `import net from 'node:net';\nexport const n = net;\n`],
  'core-looks-only-inward': ['libs/runs/src/core/out.ts', `export { a } from '../adapters/redis.js';\n`],
  'chats-are-strangers': ['libs/bridges/src/slack/kin.ts', `export { a } from '../teams/kin.js';\n`],
  'protocol-is-the-floor': ['libs/protocol/src/core/up.ts', `export { a } from '@triptych/access';\n`],
  'access-stands-on-protocol': ['libs/access/src/core/up.ts', `export { a } from '@triptych/platform';\n`],
  'platform-stands-on-protocol': ['libs/platform/src/core/up.ts', `export { a } from '@triptych/access';\n`],
  'capabilities-are-strangers': ['libs/fanout/src/core/kin.ts', `export { a } from '@triptych/event-log';\n`],
  'only-adapters-touch-platform': ['libs/agents/src/other.ts', `export { a } from '@triptych/platform';\n`],
  'only-apps-use-the-assembly': [
    'libs/runs/src/adapters/all.ts',
    `export { a } from '@triptych/assembly';\n`,
  ],
  'browser-code-speaks-protocol-only': ['libs/client/src/far.ts', `export { a } from '@triptych/access';\n`],
  'a-guest-stays-off-the-page': [
    'apps/web/src/embed/far.ts',
    `export { a } from '../shared/url-state.js';\n`,
  ],
  'libs-never-import-apps': [
    'libs/agents/src/app.ts',
    `export { a } from '../../../apps/hub/src/main.js';\n`,
  ],
  'apps-are-strangers': ['apps/worker/src/kin.ts', `export { a } from '../../hub/src/main.js';\n`],
  'public-doors-only': ['apps/hub/src/deep.ts', `export { a } from '../../../libs/runs/src/core/fine.js';\n`],
  'test-code-stays-in-tests': ['apps/hub/src/test.ts', `export { a } from '@triptych/testkit';\n`],
  'agui-enters-by-one-file': ['libs/access/src/agui.ts', `export { EventType } from '@ag-ui/core';\n`],
  'the-plain-client-stays-plain': ['libs/client/src/plain.ts', `export { of } from 'rxjs';\n`],
  'no-unknown-imports': ['apps/hub/src/lost.ts', `export { a } from './not-there.js';\n`],
  'no-undeclared-packages': ['apps/hub/src/stray.ts', `export * as a from 'acorn';\n`],
  'shipped-code-needs-no-dev-packages': ['apps/hub/src/dev.ts', `export * as a from 'fast-check';\n`],
};
const LEGAL = {
  'libs/runs/src/core/right.ts': `export { left } from './left.js';\nexport const right = 1;\n`,
  'libs/runs/src/core/fine.ts': `export { a } from '@triptych/protocol';\n`,
  'libs/bridges/src/slack/core/card.ts': `export { a } from '../../core/port.js';\n`,
  'libs/bridges/src/teams/kin.ts': door,
  'libs/bridges/src/core/port.ts': `export { a } from '@triptych/access';\n`,
  'libs/runs/src/adapters/redis.ts': `export { a } from '@triptych/platform';\n`,
  'libs/runs/src/redis.spec.ts': `export { a } from '@triptych/testkit';\n`,
  'apps/hub/src/main.ts': `export { a } from '@triptych/runs';\n`,
  'apps/hub/src/rooms/seat.ts': 'export const seat = 1;\n',
  'apps/hub/src/threads/view.ts': `export { seat as view } from '../rooms/seat.js';\n`,
  'apps/web/src/shared/url-state.ts': door,
  'apps/web/src/customer/main.tsx': `export { a } from '../shared/url-state.js';\n`,
  'libs/assembly/src/nest.ts': `export { a } from '@triptych/runs';\n`,
  ...Object.fromEntries(
    ['protocol', 'access', 'event-log', 'runs', 'platform', 'testkit', 'assembly'].map((lib) => [
      `libs/${lib}/src/index.ts`,
      door,
    ]),
  ),
};

describe('the import law', () => {
  let house: Planted;
  let found: readonly Violation[];

  beforeAll(() => {
    house = plant({ ...LEGAL, ...Object.fromEntries(Object.values(BREACHES)) });
    const { out } = house.run('depcruise', [
      'apps',
      'libs',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
    ]);
    found = JSON.parse(out).summary.violations;
  });
  afterAll(() => house.remove());

  verifies('OPS-12', 'names every planted breach', () => {
    // A rule about folders names the folder.
    const isAt = (path: string, from: string): boolean => from === path || path.startsWith(`${from}/`);
    const missed = Object.entries(BREACHES).filter(
      ([rule, [path]]) => !found.some((one) => one.rule.name === rule && isAt(path, one.from)),
    );
    expect(missed.map(([rule]) => rule)).toEqual([]);
  });

  verifies('OPS-12', 'has a planted breach for every rule it holds', () => {
    const config = createRequire(join(house.dir, 'x.cjs'))('./.dependency-cruiser.cjs');
    const names = config.forbidden.map((rule: { name: string }) => rule.name);
    expect(names.toSorted()).toEqual(Object.keys(BREACHES).toSorted());
  });

  verifies('OPS-12', 'lets legal edges pass', () => {
    const legal = Object.keys(LEGAL).filter((path) => !path.endsWith('right.ts'));
    expect(found.filter((one) => legal.includes(one.from))).toEqual([]);
  });
});
