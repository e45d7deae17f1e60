/** What `npm start -- --with-fakes` adds: chats on this machine in which the whole story can be clicked through, without an account. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './ports.mjs';
import { root, writeWhole } from './processes.mjs';

/** Built beside the product: it never ships. */
const OUT = 'dist/fakes';
const SLACK = 'test/fakes/slack';

/** As the fakes know their channel and its people, by the names that the personas of dev mode have. */
const BRIDGES = `# Written by npm start -- --with-fakes at every start.
slack: { team: T0HOME, app: A0HUB }
destinations: [{ id: fake-slack, kind: slack, address: C0APPROVALS }]
routes: [{ to: [fake-slack] }]
people:
  - { subject: tove, name: Tove Lindqvist, roles: [reviewer], groups: [advisors, refunds, travel], linked: [{ kind: slack, id: "T0HOME:U0TOVE" }] }
  - { subject: jan, name: Jan Peeters, roles: [reviewer], groups: [advisors], linked: [{ kind: slack, id: "T0HOME:U0JAN" }] }
`;

const build = () => {
  const args = [SLACK, '--out-dir', OUT, '--config-file', '.swcrc', '--ignore', '**/*.spec.ts', '--quiet'];
  const swc = spawnSync(join(root, 'node_modules/.bin/swc'), args, { cwd: root, stdio: 'inherit' });
  if (swc.status !== 0) throw new Error('The fakes did not build.');
  for (const asset of ['channel.html', 'channel.js'])
    copyFileSync(join(root, SLACK, asset), join(root, OUT, SLACK, asset));
};

/** What to start, what the hub and the worker are told of it, and where people find it. */
export const fakesFor = async ({ hubUrl, dataDir }) => {
  build();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(dataDir, 'bridges-with-fakes.yaml');
  writeWhole(file, BRIDGES);
  return {
    services: [
      {
        name: 'fake-slack',
        script: `${OUT}/${SLACK}/main.js`,
        env: { FAKE_SLACK_PORT: String(port), HUB_URL: hubUrl },
        url,
      },
    ],
    env: {
      BRIDGES_FILE: file,
      SLACK_API_URL: `${url}/api/`,
      SLACK_BOT_TOKEN: 'xoxb-fake',
      SLACK_SIGNING_SECRET: 'fake-signing-secret',
    },
  };
};
