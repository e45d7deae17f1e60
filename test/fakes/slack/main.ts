/** Starts the fake as a process of its own, with a channel and people to click as. */
import { once } from 'node:events';
import { FakeSlack } from './fake-slack.js';
import { TEAM } from './world.js';

const { FAKE_SLACK_PORT = '0', HUB_URL = 'http://127.0.0.1:4000' } = process.env;

const slack = await FakeSlack.start({ port: Number(FAKE_SLACK_PORT) });
slack.hub.hubUrl = HUB_URL;
slack.world.addChannel('C0APPROVALS', 'approvals');
for (const [id, name] of [
  ['U0TOVE', 'Tove Lindqvist'],
  ['U0JAN', 'Jan Peeters'],
  ['U0NOBODY', 'Somebody not linked'],
] as const)
  slack.world.addPerson({ id, name, team: TEAM });
process.stdout.write(`fake slack listening on ${slack.url}\n`);

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
await slack.stop();
