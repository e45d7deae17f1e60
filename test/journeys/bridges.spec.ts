/** The whole story with a chat in it: asked by a customer, decided in Slack, seen by everybody. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { FakeReceiver } from '../fakes/webhooks/fake-receiver.js';
import type { Chat } from '../fakes/teams/chats.js';
import { cardOf } from '../fakes/teams/connector.js';
import { FakeTeams } from '../fakes/teams/fake-teams.js';
import { FakeSlack, SIGNING_SECRET, TOKEN } from '../fakes/slack/fake-slack.js';
import { APP, TEAM } from '../fakes/slack/world.js';
import { Office } from '../stand/office.js';
import { sealedIn } from '../stand/sealed.js';
import { verifies } from '../spec/verifies.js';

const UP_MS = 180_000;
const STORY_MS = 300_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const [DESK, AUDIT, GONE] = ['C0DESK', 'C0AUDIT', 'C0GONE'] as const;

const RULES = `
    - { id: pay, match: { tool: pay }, chat: true }
    - { id: lost, match: { tool: lose }, chat: true }
`;
const fileFor = (hooks: string, teams: FakeTeams, chat: Chat): string => `
slack: { team: ${TEAM}, app: ${APP} }
webhooks: { privateHosts: [127.0.0.1] }
teams: { serviceHosts: ["${teams.url}"] }
destinations:
  - { id: desk, kind: slack, address: ${DESK}, redact: ["/iban"] }
  - { id: audit, kind: slack, address: ${AUDIT} }
  - { id: gone, kind: slack, address: ${GONE} }
  - { id: board, kind: teams, address: "${chat.id}", serviceUrl: "${teams.serviceUrl}", redact: ["/iban"] }
  - { id: crm, kind: webhook, address: "${hooks}", secrets: ["${SECRET}"] }
routes:
  - { match: { rule: pay }, to: [desk, audit, board, crm] }
  - { match: { rule: lost }, to: [gone, audit], deliver: first }
people:
  - { subject: ann, name: Ann Adviser, roles: [reviewer], linked: [{ kind: slack, id: "${TEAM}:U0ANN" }] }
  - { subject: bob, roles: [reviewer], linked: [{ kind: teams, id: "${chat.members[0]!.aadObjectId}" }] }
`;

describe('a story with chats in it', () => {
  let slack: FakeSlack;
  let teams: FakeTeams;
  let board: Chat;
  let receiver: FakeReceiver;
  let office: Office;
  const dir = mkdtempSync(join(tmpdir(), 'triptych-bridges-'));

  beforeAll(async () => {
    slack = await FakeSlack.start();
    for (const channel of [DESK, AUDIT]) slack.world.addChannel(channel, channel.toLowerCase());
    slack.world.addPerson({ id: 'U0ANN', name: 'ann', team: TEAM });
    receiver = await FakeReceiver.start([SECRET]);
    teams = await FakeTeams.start();
    teams.invokes.patienceMs = STORY_MS;
    board = teams.chat('groupChat', 'Reviews', 'Bob');
    const BRIDGES_FILE = join(dir, 'bridges.yaml');
    writeFileSync(BRIDGES_FILE, fileFor(receiver.url, teams, board));
    office = await Office.start({
      rules: RULES,
      env: {
        ...{ ...teams.env, TEAMS_TOKEN_URL: teams.tokenUrl, BRIDGES_FILE },
        SLACK_SIGNING_SECRET: SIGNING_SECRET,
        SLACK_BOT_TOKEN: TOKEN,
        SLACK_API_URL: slack.apiUrl,
      },
    });
    slack.hub.hubUrl = office.house.hub.directUrl;
    teams.invokes.botUrl = `${office.house.hub.directUrl}/v1/bridges/teams/messages`;
    await teams.install(board);
    await teams.watch(board.members[0]!, board);
  }, UP_MS);
  afterAll(async () => {
    await office?.stop();
    await Promise.all([slack.stop(), teams.stop(), receiver.stop()]);
    rmSync(dir, { recursive: true, force: true });
  }, UP_MS);

  const cardsIn = (channel: string, taskId: string) =>
    slack.world.messagesIn(channel).filter(({ blocks }) => JSON.stringify(blocks).includes(taskId));
  /** The cards of a task in Teams, each as Bob has it before him. */
  const onBoard = (taskId: string): readonly string[] =>
    teams
      .cards(board)
      .filter((message) => JSON.stringify(cardOf(message)).includes(taskId))
      .map((message) => JSON.stringify(teams.seenBy(board.members[0]!, message)));
  const cardIn = async (channel: string, taskId: string) => {
    await until(() => cardsIn(channel, taskId).length > 0);
    return cardsIn(channel, taskId)[0]!;
  };
  /** The link to the console stays. */
  const buttonsOf = ({ blocks }: { readonly blocks: unknown }): number =>
    JSON.stringify(blocks).split(/"action_id":"tt\.(?!open)/u).length - 1;
  const settledIn = (channel: string, taskId: string): Promise<void> =>
    until(() => cardsIn(channel, taskId).every((card) => buttonsOf(card) === 0));
  const asked = async (threadId: string, tool: string): Promise<TaskView> => {
    const [task] = await office.ask(threadId, { tool, args: { amount: 5, iban: 'CH9300762011623852957' } });
    if (!task) throw new Error('Nothing was asked.');
    return task;
  };

  verifies(
    'BRG-13',
    'a customer asks, a linked reviewer approves in Slack, the customer’s screen goes on, and the card in Teams and the queue on the page show who decided',
    async () => {
      const screen = await office.screen('customer', 'amelia');
      const queue = await office.screen('reviewer', 'bob');
      await queue.ask('inbox.subscribe', { filter: { state: 'pending,closed' } });
      const { taskId } = await asked('story', 'pay');
      await screen.subscribe('story');
      const card = await cardIn(DESK, taskId);
      expect(JSON.stringify(card.blocks)).toContain('[redacted]');
      expect(JSON.stringify(slack.world.messagesIn(DESK))).not.toContain('CH9300762011623852957');
      const other = await cardIn(AUDIT, taskId);
      expect([buttonsOf(card) > 0, buttonsOf(other) > 0]).toEqual([true, true]);
      await until(() => onBoard(taskId).some((seen) => seen.includes('hub.approve')));

      const ack = await slack.hub.click({ user: 'U0ANN', channel: DESK, ts: card.ts, action: 'tt.approve' });
      expect(ack.status).toBe(200);
      await until(async () => (await office.task(taskId)).decision !== undefined);
      await settledIn(DESK, taskId);
      await settledIn(AUDIT, taskId);
      for (const channel of [DESK, AUDIT]) {
        expect(cardsIn(channel, taskId)).toHaveLength(1);
        expect(JSON.stringify(cardsIn(channel, taskId))).toContain('Ann Adviser');
      }
      await until(() => onBoard(taskId).every((seen) => seen.includes('Approved by Ann Adviser')));
      expect(onBoard(taskId)).toEqual([expect.not.stringContaining('Action.Execute')]);
      expect(onBoard(taskId)[0]).not.toContain('CH9300762011623852957');
      await until(
        () =>
          screen.texts.length > 0 || screen.frames.some((frame) => JSON.stringify(frame).includes('done')),
      );
      await until(async () => (await office.task(taskId)).state === 'closed');
      expect((await office.as('bob').get<TaskView>(`/v1/approvals/${taskId}`)).decision).toMatchObject({
        kind: 'approved',
        by: ['ann'],
      });
      const inQueue = () =>
        queue.frames.flatMap(({ event, data }) =>
          event === 'task' && (data as unknown as TaskView).taskId === taskId
            ? [data as unknown as TaskView]
            : [],
        );
      await until(() => inQueue().some(({ state }) => state === 'closed'));
      expect(inQueue().at(-1)?.decision).toMatchObject({ kind: 'approved', by: ['ann'] });
      const types = () => [...receiver.messages.values()].map(({ type }) => type);
      await until(() => types().includes('batch.resumed'));
      expect(types()).toEqual(['task.created', 'task.decided', 'batch.resumed']);
      expect(receiver.disbelieved).toEqual([]);
      await until(async () =>
        (await sealedIn(office.redis)).some(
          ({ text }) => text.includes(taskId) && text.includes('"via":"slack"') && text.includes('"ann"'),
        ),
      );
      expect([screen.gaps, teams.complaints]).toEqual([[], []]);
    },
    STORY_MS,
  );

  verifies(
    'BRG-13',
    'what is decided on a page takes the buttons from every card',
    async () => {
      const { taskId, rev, proposalHash } = await asked('by-page', 'pay');
      await cardIn(DESK, taskId);
      await cardIn(AUDIT, taskId);
      const said = { verb: 'reject', reason: 'no', proposalHash, rev };
      expect((await office.as('bob').ask(`/v1/approvals/${taskId}/decide`, said)).code).toBe('ok');
      await settledIn(DESK, taskId);
      await settledIn(AUDIT, taskId);
      await until(() => onBoard(taskId).some((seen) => seen.includes('Rejected by')));
      expect([cardsIn(DESK, taskId).length, cardsIn(AUDIT, taskId).length]).toEqual([1, 1]);
      expect(onBoard(taskId)).toEqual([expect.not.stringContaining('Action.Execute')]);
    },
    STORY_MS,
  );

  verifies(
    'BRG-12',
    'what a channel refuses goes to the next, waits in the list of operators, and is sent again when they say so',
    async () => {
      const { taskId } = await asked('refused', 'lose');
      await cardIn(AUDIT, taskId);
      type Letters = { items: { id: string; taskId: string; why: string; destination: string }[] };
      const letters = async () => (await office.as('mo').get<Letters>('/v1/deadletters')).items;
      const [letter] = (await letters()).filter((each) => each.taskId === taskId);
      expect(letter).toMatchObject({
        destination: 'gone',
        why: expect.stringContaining('channel_not_found'),
      });
      expect((await office.as('ann').ask('/v1/deadletters')).code).toBe('FORBIDDEN');
      expect((await office.as('mo').ask('/v1/deadletters/nothing/resend', {})).code).toBe('NOT_FOUND');
      slack.world.addChannel(GONE, 'gone');
      expect((await office.as('mo').ask(`/v1/deadletters/${letter!.id}/resend`, {})).code).toBe('ok');
      await cardIn(GONE, taskId);
      expect((await letters()).filter((each) => each.taskId === taskId)).toEqual([]);
      await until(async () =>
        (await sealedIn(office.redis)).some(({ record }) => record.action === 'deadletter.mend'),
      );
    },
    STORY_MS,
  );
});
