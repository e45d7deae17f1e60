/** Proves that the client's package is whole: packed, installed in an empty folder, run in Node, compiled, bundled for browsers. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifies } from '../spec/verifies.js';

const PACKAGE_MS = 300_000;
const root = resolve('.');

let folder: string;
let home: string;
let packed: readonly string[];

const call = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} left with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

/** Code as a project that installed the package would have it. */
const inNode = (code: string): string => call(process.execPath, ['--input-type=module', '-e', code], home);

const bundle = (entry: string): string => {
  writeFileSync(join(home, 'entry.js'), entry);
  const config = `export default { logLevel: 'warn', build: { outDir: 'out', modulePreload: false, rolldownOptions: { input: 'entry.js', preserveEntrySignatures: 'strict' } } };`;
  writeFileSync(join(home, 'vite.config.js'), config);
  call(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], home);
  const out = join(home, 'out/assets');
  return readdirSync(out)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(out, name), 'utf8'))
    .join('\n');
};

const sizes = (code: string): string => `${code.length} bytes, ${gzipSync(code).length} gzipped`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'triptych-client-'));
  home = join(folder, 'home');
  mkdirSync(home);
  const built = join(folder, 'built');
  call(process.execPath, [join(root, 'scripts/build-client.mjs'), built], root);
  const [{ filename, files }] = JSON.parse(
    call('npm', ['pack', built, '--json', '--pack-destination', folder], folder),
  ) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  writeFileSync(join(home, 'package.json'), '{ "name": "home", "private": true, "type": "module" }');
  const install = [
    'install',
    join(folder, filename),
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  call('npm', install, home);
}, PACKAGE_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inHome = (name: string): string => join(home, 'node_modules', name);

/** What the package only asks for: as in a project that is built on AG-UI's client. */
const bringPeers = (): void => {
  for (const name of ['@ag-ui/client', 'rxjs'])
    if (!existsSync(inHome(name))) symlinkSync(join(root, 'node_modules', name), inHome(name));
};

describe('the client’s package', () => {
  verifies('CLI-34', 'holds code, declarations, licence and a word on how to use it, and no tests', () => {
    expect(packed).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'agent.js']),
    );
    expect(packed).toContain('types/client/src/index.d.ts');
    expect(packed.filter((path) => /spec|test\//u.test(path))).toEqual([]);
    for (const path of packed.filter((name) => /\.(js|d\.ts)$/u.test(name)))
      expect(readFileSync(join(home, 'node_modules/@triptych/client', path), 'utf8')).not.toContain(
        `'@triptych/`,
      );
  });

  verifies(
    'CLI-34',
    'runs in plain Node without what only its agent needs, and the agent with it',
    () => {
      expect([inHome('rxjs'), inHome('@ag-ui/client')].filter((path) => existsSync(path))).toEqual([]);
      const plain = `const { HubClient } = await import('@triptych/client');
        const client = new HubClient({ url: 'http://127.0.0.1:9', surface: 'customer', getToken: async () => 't', WebSocketImpl: class {} });
        console.log(client.state.state);`;
      expect(inNode(plain).trim()).toBe('closed');
      bringPeers();
      const agent = `const { HubAgent } = await import('@triptych/client/agent');
        const { AbstractAgent } = await import('@ag-ui/client');
        const agent = new HubAgent({ url: 'http://127.0.0.1:9', agentId: 'a', getToken: async () => 't', WebSocketImpl: class {} });
        console.log(agent instanceof AbstractAgent, typeof agent.runAgent);`;
      expect(inNode(agent).trim()).toBe('true function');
    },
    PACKAGE_MS,
  );

  verifies(
    'CLI-34',
    'has declarations that a strict project compiles against, by both ways of finding modules',
    () => {
      bringPeers();
      writeFileSync(
        join(home, 'use.ts'),
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
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const strict = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom'];
      for (const how of [
        ['--module', 'nodenext'],
        ['--module', 'esnext', '--moduleResolution', 'bundler'],
      ])
        call(process.execPath, [tsc, 'use.ts', ...strict, ...how], home);
    },
    PACKAGE_MS,
  );

  verifies(
    'CLI-34',
    'is small in a browser, and brings nothing of AG-UI’s client unless its agent is asked for',
    () => {
      bringPeers();
      const plain = bundle(`export { HubClient } from '@triptych/client';`);
      expect(plain).not.toMatch(/rxjs|ZodError|untruncate|node:/u);
      const agent = bundle(`export { HubAgent } from '@triptych/client/agent';`);
      const stock = bundle(`export { HttpAgent } from '@ag-ui/client';`);
      expect(gzipSync(plain).length).toBeLessThan(20_000);
      console.log(
        `HubClient ${sizes(plain)}; HubAgent with @ag-ui/client ${sizes(agent)}; HttpAgent alone ${sizes(stock)}`,
      );
    },
    PACKAGE_MS,
  );
});
