/** Starts the fake as a process of its own, with a chat and people to press buttons as. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { DEMO } from './demo.js';
import { FakeTeams } from './fake-teams.js';

const { FAKE_TEAMS_PORT = '0', HUB_URL = 'http://127.0.0.1:4000' } = process.env;
/** A hub that is not there after so many seconds does not come. */
const TRIES = 120;
const TRY_MS = 1_000;

const teams = await FakeTeams.start({ port: Number(FAKE_TEAMS_PORT), ...DEMO.app });
teams.invokes.botUrl = `${HUB_URL}/v1/bridges/teams/messages`;
const chat = teams.chats.add('groupChat', 'Approvals', DEMO.people, DEMO.chat);
process.stdout.write(`fake teams listening on ${teams.url}\n`);

/** Told again until the hub is there to hear it. */
const install = async (): Promise<void> => {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const answer = await teams.install(chat).catch(() => undefined);
    if (answer?.status === 200) return greet();
    await pause(TRY_MS, undefined, { ref: false });
  }
};

/** The bot knows people by both their names once they have spoken to it. */
const greet = async (): Promise<void> => {
  for (const user of chat.members)
    await teams.invokes.send(teams.invokes.activity(chat, user, { type: 'message', text: 'hello' }));
};

await Promise.race([
  install().then(() => once(process, 'exit')),
  once(process, 'SIGTERM'),
  once(process, 'SIGINT'),
]);
await teams.stop();
