/** An office whose reviewers sit in a Teams chat, each with a client of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeOf } from '@triptych/access';
import {
  BotToken,
  chatValues,
  Connector,
  cutFor,
  People,
  RedisTeamsBook,
  TeamsBridge,
  type NamedPerson,
  type TeamsDestination,
} from '@triptych/bridges';
import type { TaskView } from '@triptych/protocol';
import type { Chat, Message, TeamsUser } from '../fakes/teams/chats.js';
import { cardOf } from '../fakes/teams/connector.js';
import { FakeTeams } from '../fakes/teams/fake-teams.js';
import type { Wish } from '../stand/asking-agent.js';
import { Office } from '../stand/office.js';

/** A busy machine takes its time, ms. */
const JOURNEY_MS = 120_000;

const RULES = `
    - { id: routed, match: { tool: routed }, audience: reviewer, chat: true }
    - { id: quiet, match: { tool: quiet }, audience: reviewer }
    - { id: question, match: { reason: input_required }, audience: reviewer, chat: true }
    - { id: edits, match: { tool: edits }, audience: reviewer, quorum: 2, chat: true }
    - { id: pay, match: { tool: '*' }, audience: reviewer, chat: true }
`;

export const USERS = ['Ann', 'Bob', 'Amelia', 'Eve', 'Zoe'] as const;
export type UserName = (typeof USERS)[number];

/** Who is linked: Zoe is nobody, Eve is of another tenant, Amelia asks for things and reviews. */
const LINKED: Readonly<Record<string, Omit<NamedPerson, 'linked' | 'groups'>>> = {
  Ann: { subject: 'ann', tenant: 'default', name: 'Ann Archer', roles: ['reviewer'] },
  Bob: { subject: 'bob', tenant: 'default', roles: ['reviewer'] },
  Amelia: { subject: 'amelia', tenant: 'default', roles: ['customer', 'reviewer'] },
  Eve: { subject: 'eve', tenant: 'other', roles: ['reviewer'] },
};

const linkedOf = ({ members }: Chat): readonly NamedPerson[] =>
  members.flatMap(({ name, aadObjectId }) => {
    const person = LINKED[name];
    return person ? [{ ...person, groups: [], linked: [{ kind: 'teams', id: aadObjectId }] }] : [];
  });

const fileOf = (teams: FakeTeams, chat: Chat): string =>
  JSON.stringify({
    teams: { serviceHosts: [teams.url] },
    destinations: [
      { id: 'desk', kind: 'teams', address: chat.id, serviceUrl: teams.serviceUrl, redact: ['/iban'] },
    ],
    routes: [{ match: { rule: 'routed' }, to: ['desk'] }],
    people: linkedOf(chat),
  });

export class TeamsStage {
  private made = 0;

  private constructor(
    readonly office: Office,
    readonly teams: FakeTeams,
    readonly chat: Chat,
    private readonly dir: string,
  ) {}

  static async start(): Promise<TeamsStage> {
    const teams = await FakeTeams.start();
    teams.limits.lifted = true;
    teams.invokes.patienceMs = JOURNEY_MS;
    const chat = teams.chat('groupChat', 'Reviews', ...USERS);
    const dir = mkdtempSync(join(tmpdir(), 'triptych-teams-'));
    const file = join(dir, 'bridges.yaml');
    writeFileSync(file, fileOf(teams, chat));
    const env = { ...teams.env, TEAMS_TOKEN_URL: teams.tokenUrl, BRIDGES_FILE: file };
    const office = await Office.start({ rules: RULES, env });
    const stage = new TeamsStage(office, teams, chat, dir);
    teams.invokes.botUrl = `${office.house.hub.directUrl}/v1/bridges/teams/messages`;
    await teams.install(chat);
    // Everybody has said something once: the bot knows them by both names.
    for (const user of chat.members)
      await teams.invokes.send(teams.invokes.activity(chat, user, { type: 'message', text: 'hello' }));
    return stage;
  }

  user(name: UserName): TeamsUser {
    const found = this.chat.members.find((member) => member.name === name);
    if (!found) throw new Error(name);
    return found;
  }

  /** A task of a thread of its own, and its card in the chat. */
  async asked(wish: Partial<Wish> = {}): Promise<{ task: TaskView; at: { chat: Chat; message: Message } }> {
    this.made += 1;
    const [task] = await this.office.ask(`teams-${this.made}`, { tool: 'pay', args: { amount: 5 }, ...wish });
    if (!task) throw new Error('Nothing was asked.');
    return { task, at: { chat: this.chat, message: await this.posted(task) } };
  }

  /** As the worker shows it, through the bridge itself. */
  async posted(task: TaskView, place = this.chat): Promise<Message> {
    const { appId, password } = this.teams.entra;
    const now = Date.now;
    const bridge = new TeamsBridge({
      bot: new Connector({
        token: new BotToken({ url: this.teams.tokenUrl, appId, password, now }),
        serviceHosts: [this.teams.url],
      }),
      book: new RedisTeamsBook(this.office.redis),
      values: chatValues(Buffer.from(this.office.house.issuer.env['HUB_SECRET'] ?? '')),
      people: new People(linkedOf(this.chat)),
      reach: { loopback: true, privateHosts: [] },
      ...{ now, report: (failure: unknown) => console.error(failure) },
    });
    const destination: TeamsDestination = {
      ...{ id: 'desk', kind: 'teams', tenant: 'default', args: shapeOf([''], ['/iban']) },
      ...{ address: place.id, serviceUrl: this.teams.serviceUrl, mode: 'bot' },
    };
    const shown = await bridge.show({
      ...{ noticeId: task.taskId, changeId: task.taskId, names: {}, what: 'created', chat: true },
      ...{ destination, task: { ...cutFor(destination, task), may: [] } },
      ...{ link: 'http://127.0.0.1:4000/reviewer', unsure: false },
    });
    if (shown.kind !== 'shown') throw new Error(JSON.stringify(shown));
    const message = this.teams.chats.message(place, (JSON.parse(shown.posted) as string[])[1] ?? '');
    if (!message) throw new Error('The card is not there.');
    return message;
  }

  /** What this person's client shows of the card, once it has asked for their view. */
  async viewOf(name: UserName, { chat, message }: { chat: Chat; message: Message }): Promise<string> {
    const user = this.user(name);
    const card = cardOf(message) as { refresh?: { action: { verb: string; data: unknown } } } | undefined;
    if (card?.refresh)
      await this.teams.execute(user, { chat, message }, { ...card.refresh.action, trigger: 'automatic' });
    return JSON.stringify(this.teams.seenBy(user, message));
  }

  async stop(): Promise<void> {
    await this.office.stop();
    await this.teams.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
