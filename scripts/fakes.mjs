/** What `npm start -- --with-fakes` adds: chats on this machine in which the whole story can be clicked through, without an account. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './ports.mjs';
import { root, writeWhole } from './processes.mjs';

/** Built beside the product: it never ships. */
const OUT = 'dist/fakes';
const SLACK = 'test/fakes/slack';
const TEAMS = 'test/fakes/teams';

/** As the fakes know their channel and its people, by the names that the personas of dev mode have. */
const bridgesOf = ({ demo, teamsUrl }) => {
  const [tove, jan] = demo.people;
  return `# Written by npm start -- --with-fakes at every start.
slack: { team: T0HOME, app: A0HUB }
teams: { serviceHosts: ["${teamsUrl}"] }
destinations:
  - { id: fake-slack, kind: slack, address: C0APPROVALS }
  - { id: fake-teams, kind: teams, address: "${demo.chat}", serviceUrl: "${teamsUrl}/emea/" }
routes: [{ to: [fake-slack, fake-teams], progress: true }]
people:
  - subject: tove
    name: Tove Lindqvist
    roles: [reviewer]
    groups: [advisors, refunds, travel]
    linked: [{ kind: slack, id: "T0HOME:U0TOVE" }, { kind: teams, id: ${tove.aadObjectId} }]
  - subject: jan
    name: Jan Peeters
    roles: [reviewer]
    groups: [advisors]
    linked: [{ kind: slack, id: "T0HOME:U0JAN" }, { kind: teams, id: ${jan.aadObjectId} }]
`;
};

/** `more`: sources beside the chats'. Gives the folder in which they are as they were under the root. */
export const buildFakes = (...more) => {
  const args = [
    SLACK,
    TEAMS,
    ...more,
    '--out-dir',
    OUT,
    '--config-file',
    '.swcrc',
    '--ignore',
    '**/*.spec.ts',
    '--quiet',
  ];
  const swc = spawnSync(join(root, 'node_modules/.bin/swc'), args, { cwd: root, stdio: 'inherit' });
  if (swc.status !== 0) throw new Error('The fakes did not build.');
  for (const asset of ['channel.html', 'channel.js'])
    copyFileSync(join(root, SLACK, asset), join(root, OUT, SLACK, asset));
  return join(root, OUT);
};

const serviceOf = (name, { port, hubUrl }) => ({
  name: `fake-${name}`,
  script: `${OUT}/test/fakes/${name}/main.js`,
  env: { [`FAKE_${name.toUpperCase()}_PORT`]: String(port), HUB_URL: hubUrl },
  url: `http://127.0.0.1:${port}`,
});

const slackEnv = (url) => ({
  SLACK_API_URL: `${url}/api/`,
  SLACK_BOT_TOKEN: 'xoxb-fake',
  SLACK_SIGNING_SECRET: 'fake-signing-secret',
});

const teamsEnv = (url, { appId, password, tenantId }) => ({
  TEAMS_APP_ID: appId,
  TEAMS_APP_PASSWORD: password,
  TEAMS_TENANTS: tenantId,
  TEAMS_OPENID_URL: `${url}/v1/.well-known/openidconfiguration`,
  TEAMS_TOKEN_URL: `${url}/oauth2/v2.0/token`,
});

/** What to start, what the hub and the worker are told of it, and where people find it. */
export const fakesFor = async ({ hubUrl, dataDir }) => {
  buildFakes();
  const { DEMO: demo } = await import(pathToFileURL(join(root, OUT, TEAMS, 'demo.js')).href);
  const slack = serviceOf('slack', { port: await freePort(), hubUrl });
  const teams = serviceOf('teams', { port: await freePort(), hubUrl });
  const file = join(dataDir, 'bridges-with-fakes.yaml');
  writeWhole(file, bridgesOf({ demo, teamsUrl: teams.url }));
  return {
    services: [slack, teams],
    env: { BRIDGES_FILE: file, ...slackEnv(slack.url), ...teamsEnv(teams.url, demo.app) },
  };
};
