/** A hub, a worker, and everybody's chats on this machine: Slack, Teams, an endpoint and a mailbox, in this process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { buildFakes } from '../../scripts/fakes.mjs';
import { askRuns } from './questions.mjs';
import { call, openStage } from './stage.mjs';

export const SECRET = 'a-secret-for-benches-of-more-than-32-characters';
const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MORE = ['test/fakes/webhooks', 'test/fakes/smtp', 'test/redis/tcp-proxy.ts'];
/** The one who decides, by every door. */
export const ANN = { sub: 'bench-ann', slack: 'U0ANN' };
/** What is not there by then was lost. */
const LOST_MS = 20_000;
const LOOK_MS = 2;

/** Everywhere, nowhere, or at one channel of Slack each. */
export const CHANNELS = ['C0BUSY', 'C0ONE', 'C0TWO', 'C0THREE', 'C0FOUR'];
const TOOLS = ['everywhere', 'nowhere', ...CHANNELS];
const POLICY = `
surfaces: { customer: {}, reviewer: { tools: { "*": { args: [""] } } } }
approvals:
  rules:
${TOOLS.map((tool) => `    - { id: ${tool}, match: { tool: ${tool} }, chat: true }`).join('\n')}
`;

const fileOf = ({ teams, chat, receiver }) => `
slack: { team: T0HOME, app: A0HUB }
teams: { serviceHosts: ["${teams.url}"] }
mail: { from: "Triptych <hub@bank.example>" }
destinations:
${CHANNELS.map((id) => `  - { id: ${id.toLowerCase()}, kind: slack, address: ${id} }`).join('\n')}
  - { id: desk, kind: slack, address: C0DESK }
  - { id: board, kind: teams, address: "${chat.id}", serviceUrl: "${teams.serviceUrl}" }
  - { id: crm, kind: webhook, address: "${receiver.url}", secrets: ["${WEBHOOK_SECRET}"] }
  - { id: post, kind: mail, address: desk@bank.example }
routes:
${CHANNELS.map((id) => `  - { match: { tool: ${id} }, to: [${id.toLowerCase()}] }`).join('\n')}
  - { match: { tool: everywhere }, to: [desk, board, crm, post] }
people:
  - subject: ${ANN.sub}
    name: Ann Adviser
    roles: [reviewer]
    linked: [{ kind: slack, id: "T0HOME:${ANN.slack}" }, { kind: teams, id: "${chat.members[0].aadObjectId}" }]
`;

/** Takes whatever answer it is brought, and ends. */
const startAgent = async () => {
  const server = createServer((request, response) => {
    json(request).then(
      ({ threadId, runId }) => {
        const say = (type) => `data: ${JSON.stringify({ type, threadId, runId })}\n\n`;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(say('RUN_STARTED') + say('RUN_FINISHED'));
      },
      (error) => response.destroy(error),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
};

const startFakes = async () => {
  const out = buildFakes(...MORE);
  const from = (path) => import(pathToFileURL(join(out, 'test/fakes', path)).href);
  const { FakeSlack, SIGNING_SECRET, TOKEN } = await from('slack/fake-slack.js');
  const { FakeTeams } = await from('teams/fake-teams.js');
  const { FakeReceiver } = await from('webhooks/fake-receiver.js');
  const { FakeSmtp } = await from('smtp/fake-smtp.js');
  const slack = await FakeSlack.start();
  const [teams, receiver] = [await FakeTeams.start(), await FakeReceiver.start([WEBHOOK_SECRET])];
  const smtp = await FakeSmtp.start();
  // Measured is what the product makes of it, not how patient the vendors are.
  slack.limits.enforced = false;
  teams.limits.lifted = true;
  for (const id of ['C0DESK', ...CHANNELS]) slack.world.addChannel(id, id);
  slack.world.addPerson({ id: ANN.slack, name: 'ann', team: 'T0HOME' });
  const chat = teams.chat('groupChat', 'Approvals', 'Ann');
  const env = {
    ...{ SLACK_SIGNING_SECRET: SIGNING_SECRET, SLACK_BOT_TOKEN: TOKEN, SLACK_API_URL: slack.apiUrl },
    ...{ ...teams.env, TEAMS_TOKEN_URL: teams.tokenUrl, SMTP_URL: smtp.url },
  };
  const stop = () => Promise.all([slack, teams, receiver, smtp].map((each) => each.stop()));
  return { slack, teams, chat, receiver, smtp, env, stop };
};

export const until = async (what, isSo, since = performance.now()) => {
  while (!isSo()) {
    if (performance.now() - since > LOST_MS) throw new Error(`${what} did not come`);
    await pause(LOOK_MS);
  }
  return performance.now() - since;
};

/** What was asked, of one tool each; `count` of them. */
const runsOf = (tools, tag) => (n, now) => ({
  ...{ threadId: `${tag}-${n}`, tenant: 'default', agentId: 'bench', owner: 'bench-customer' },
  ...{ requesters: ['bench-customer'], runId: 'r1', now },
  interrupts: [{ id: 'i1', reason: 'tool_call', message: `Please look at ${n}.`, toolCallId: 'c1' }],
  toolCalls: new Map([['c1', { name: tools[n % tools.length], argsText: '{"amount":5}' }]]),
});

/** Everybody is where they belong; gives the token of the one who decides. */
const letIn = async (hub, { slack, teams, chat }) => {
  slack.hub.hubUrl = hub.url;
  teams.invokes.botUrl = `${hub.url}/v1/bridges/teams/messages`;
  await teams.install(chat);
  await teams.watch(chat.members[0], chat);
  const body = { sub: ANN.sub, roles: ['reviewer'], ttlSeconds: 3_600 };
  return (await call(`${hub.url}/v1/dev/token`, { body })).token;
};

export const openChats = async () => {
  const [agent, fakes] = [await startAgent(), await startFakes()];
  const dir = mkdtempSync(join(tmpdir(), 'triptych-chats-'));
  const BRIDGES_FILE = join(dir, 'bridges.yaml');
  writeFileSync(BRIDGES_FILE, fileOf(fakes));
  const env = { ...fakes.env, BRIDGES_FILE, HUB_SECRET: SECRET };
  const stage = await openStage({ agentUrl: agent.url, workers: 1, policy: POLICY, env });
  const redis = new Redis(stage.redis.url);
  const [hub] = stage.hubs;
  const stop = async () => {
    redis.disconnect();
    await stage.stop();
    agent.stop();
    await fakes.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  const token = await letIn(hub, fakes).catch(async (error) => {
    await stop();
    throw error;
  });
  let asks = 0;
  return {
    ...fakes,
    hub,
    token,
    /** Tasks, as an agent's runs would have asked them just now. */
    ask: (tools, count = tools.length) =>
      askRuns(redis, { policy: POLICY, count, runAt: runsOf(tools, `chat-${(asks += 1)}`), noticed: true }),
    stop,
  };
};

export const percentile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1];
