/** Proves that the client's package is whole: packed, installed in an empty folder, run in Node, compiled, bundled for browsers. */
import { gzipSync } from 'node:zlib';
import { verifies } from '../spec/verifies.js';
import { Packed, PACKAGE_MS, sizes } from './packed.js';

let packed: Packed;

beforeAll(() => {
  packed = Packed.install('scripts/build-client.mjs');
}, PACKAGE_MS);
afterAll(() => packed?.remove());

const bringPeers = (): void => packed.bring('@ag-ui/client', 'rxjs');

describe('the client’s package', () => {
  verifies('CLI-34', 'holds code, declarations, licence and a word on how to use it, and no tests', () => {
    const { files } = packed;
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'agent.js']),
    );
    expect(files).toContain('types/client/src/index.d.ts');
    expect(files.filter((path) => /spec|test\//u.test(path))).toEqual([]);
    for (const path of files.filter((name) => /\.(js|d\.ts)$/u.test(name)))
      expect(packed.read(`@triptych/client/${path}`)).not.toContain(`'@triptych/`);
  });

  verifies(
    'CLI-34',
    'runs in plain Node without what only its agent needs, and the agent with it',
    () => {
      expect(['rxjs', '@ag-ui/client'].filter((name) => packed.has(name))).toEqual([]);
      const plain = `const { HubClient } = await import('@triptych/client');
        const client = new HubClient({ url: 'http://127.0.0.1:9', surface: 'customer', getToken: async () => 't', WebSocketImpl: class {} });
        console.log(client.state.state);`;
      expect(packed.run(plain).trim()).toBe('closed');
      bringPeers();
      const agent = `const { HubAgent } = await import('@triptych/client/agent');
        const { AbstractAgent } = await import('@ag-ui/client');
        const agent = new HubAgent({ url: 'http://127.0.0.1:9', agentId: 'a', getToken: async () => 't', WebSocketImpl: class {} });
        console.log(agent instanceof AbstractAgent, typeof agent.runAgent);`;
      expect(packed.run(agent).trim()).toBe('true function');
    },
    PACKAGE_MS,
  );

  verifies(
    'CLI-34',
    'has declarations that a strict project compiles against, by both ways of finding modules',
    () => {
      bringPeers();
      packed.write(
        'use.ts',
        `import type { AbstractAgent } from '@ag-ui/client';
import { HubClient, pendingInterruptsOf, type Model, type Refusal } from '@triptych/client';
import { HubAgent, type HubRefused } from '@triptych/client/agent';
const client = new HubClient({ url: 'http://hub', surface: 'customer', getToken: async () => 't' });
const agents: Record<string, AbstractAgent> = { a: new HubAgent({ client, agentId: 'a' }) };
agents.b = new HubAgent({ url: 'http://hub', agentId: 'b', getToken: async () => 't', threadId: 't' });
export const open = (model: Model): number => pendingInterruptsOf(model).length;
export const why = ({ code, next }: HubRefused): Refusal['next'] => (code === 'NOT_FOUND' ? 'stop' : next);
const answer = await client.run({ agentId: 'a', messages: [] });
if (answer.ok && 'runId' in answer.value) console.log(answer.value.runId, agents);
// @ts-expect-error a surface there is none of
new HubClient({ url: 'http://hub', surface: 'nobody', getToken: async () => 't' });
`,
      );
      packed.compile('use.ts');
    },
    PACKAGE_MS,
  );

  verifies(
    'CLI-34',
    'is small in a browser, and brings nothing of AG-UI’s client unless its agent is asked for',
    () => {
      bringPeers();
      const plain = packed.bundled(`export { HubClient } from '@triptych/client';`);
      expect(plain).not.toMatch(/rxjs|ZodError|untruncate|node:/u);
      const agent = packed.bundled(`export { HubAgent } from '@triptych/client/agent';`);
      const stock = packed.bundled(`export { HttpAgent } from '@ag-ui/client';`);
      expect(gzipSync(plain).length).toBeLessThan(20_000);
      console.log(
        `HubClient ${sizes(plain)}; HubAgent with @ag-ui/client ${sizes(agent)}; HttpAgent alone ${sizes(stock)}`,
      );
    },
    PACKAGE_MS,
  );
});
