/** A Teams of one tenant on loopback: what a bot calls, and the clients of the people who talk to it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { actionsOf } from './card-rules.js';
import { type Chat, type ChatKind, Chats, type Message, newUser, type TeamsUser } from './chats.js';
import { cardOf, Connector } from './connector.js';
import { Entra } from './entra.js';
import { Faults } from './faults.js';
import { Front } from './front.js';
import { type BotAnswer, Invokes, type Outcome, outcomeOf } from './invokes.js';
import { Limits } from './limits.js';
import { chatPage } from './page.js';
import { Streams } from './stream-rules.js';

type Bag = Readonly<Record<string, unknown>>;

/** What is made up where it is not given. */
export interface TeamsPlan {
  readonly port?: number;
  readonly appId?: string;
  readonly password?: string;
  readonly tenantId?: string;
}

export class FakeTeams {
  readonly chats = new Chats();
  readonly faults = new Faults();
  readonly limits = new Limits(Date.now);
  readonly invokes: Invokes;
  /** What clients showed as "unable to reach app". */
  readonly complaints: string[] = [];
  /** Who has which chat open: their clients ask for their view of each card that names them. */
  private readonly watching = new Map<string, Set<string>>();
  private readonly front: Front;
  private readonly underWay = new Set<Promise<unknown>>();

  private constructor(
    readonly entra: Entra,
    readonly tenantId: string,
    private readonly server: Server,
  ) {
    this.invokes = new Invokes({ entra, tenantId: this.tenantId, serviceUrl: () => this.serviceUrl });
    const connector = new Connector({
      chats: this.chats,
      limits: this.limits,
      streams: new Streams(Date.now),
      tenantId: this.tenantId,
      onMessage: (chat, message) => this.onMessage(chat, message),
    });
    this.front = new Front({
      ...{ entra, connector, faults: this.faults, url: () => this.url },
      page: (asked) => chatPage(this, asked),
    });
  }

  static async start(plan: TeamsPlan = {}): Promise<FakeTeams> {
    const { port = 0, appId = randomUUID(), password = randomUUID(), tenantId = randomUUID() } = plan;
    const server = createServer();
    const teams = new FakeTeams(await Entra.open(appId, password), tenantId, server);
    server.on('request', (request, response) => void teams.front.serve(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return teams;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  /** Calls that came, by kind. */
  get calls(): Front['calls'] {
    return this.front.calls;
  }
  get serviceUrl(): string {
    return `${this.url}/emea/`;
  }
  get tokenUrl(): string {
    return `${this.url}/oauth2/v2.0/token`;
  }

  /** Settings of a hub whose Teams this is. */
  get env(): Readonly<Record<string, string>> {
    return {
      TEAMS_APP_ID: this.entra.appId,
      TEAMS_APP_PASSWORD: this.entra.password,
      TEAMS_TENANTS: this.tenantId,
      TEAMS_OPENID_URL: `${this.url}/v1/.well-known/openidconfiguration`,
    };
  }

  chat(kind: ChatKind, title: string, ...names: readonly (string | TeamsUser)[]): Chat {
    return this.chats.add(
      kind,
      title,
      names.map((name) => (typeof name === 'string' ? newUser(name) : name)),
    );
  }

  /** The app is put into the chat, and the bot is told. */
  async install(chat: Chat): Promise<BotAnswer> {
    chat.installed = true;
    const [member] = chat.members as [TeamsUser, ...TeamsUser[]];
    const added = [`28:${this.entra.appId}`, ...chat.members.map(({ mri }) => mri)].map((id) => ({ id }));
    const joined = { type: 'conversationUpdate', membersAdded: added };
    await this.invokes.send(this.invokes.activity(chat, member, joined));
    return this.invokes.send(
      this.invokes.activity(chat, member, { type: 'installationUpdate', action: 'add' }),
    );
  }

  async uninstall(chat: Chat): Promise<BotAnswer> {
    chat.installed = false;
    const [member] = chat.members as [TeamsUser, ...TeamsUser[]];
    return this.invokes.send(
      this.invokes.activity(chat, member, { type: 'installationUpdate', action: 'remove' }),
    );
  }

  /** Cards that are there, newest last. */
  cards(chat: Chat): readonly Message[] {
    return chat.messages.filter((message) => cardOf(message) !== undefined);
  }

  /** What this person's client shows of a message. */
  seenBy(user: TeamsUser, message: Message): Bag | undefined {
    return message.views.get(user.mri) ?? cardOf(message);
  }

  /** From now on the person has the chat before them; resolves when their client has asked for all it should. */
  async watch(user: TeamsUser, chat: Chat): Promise<void> {
    const watched = this.watching.get(chat.id) ?? new Set();
    this.watching.set(chat.id, watched.add(user.mri));
    await this.showTo(user, chat);
  }

  /** Their client asks for what it was not shown yet. */
  async showTo(user: TeamsUser, chat: Chat): Promise<void> {
    const unseen = this.cards(chat).filter(({ views }) => !views.has(user.mri));
    await Promise.all(unseen.map((message) => this.refresh(chat, message, user)));
  }

  /** Presses a button as the person sees it; `title` is what stands on it. */
  async press(
    user: TeamsUser,
    at: { chat: Chat; message: Message },
    title: string,
    inputs: Bag = {},
  ): Promise<Outcome> {
    const card = this.seenBy(user, at.message);
    const action =
      card && actionsOf(card).find((one) => one.title === title && one.type === 'Action.Execute');
    if (!action) throw new Error(`${user.name} sees no button “${title}”.`);
    return this.execute(user, at, {
      verb: action.verb,
      data: { ...inputs, ...(action.data as Bag) },
      trigger: 'manual',
    });
  }

  /** Sends an invoke for a card and does with the answer what a client does. */
  async execute(
    user: TeamsUser,
    { chat, message }: { chat: Chat; message: Message },
    { trigger, ...action }: { verb: unknown; data: unknown; trigger: 'manual' | 'automatic' },
  ): Promise<Outcome> {
    const value = { action: { type: 'Action.Execute', ...action }, trigger };
    const invoke = { type: 'invoke', name: 'adaptiveCard/action', replyToId: message.id, value };
    const edits = message.edits;
    const outcome = await this.outcome(this.invokes.activity(chat, user, invoke));
    // A change for all that came meanwhile is newer than the answer.
    if (outcome.kind === 'card' && message.edits === edits) message.views.set(user.mri, outcome.card);
    if (outcome.kind === 'message' || outcome.kind === 'error') message.said.set(user.mri, outcome.text);
    return outcome;
  }

  /** As old clients press: a message without text, with what was put in. */
  submit(
    user: TeamsUser,
    { chat, message }: { chat: Chat; message: Message },
    value: Bag,
  ): Promise<BotAnswer> {
    const more = { type: 'message', replyToId: message.id, value };
    return this.invokes.send(this.invokes.activity(chat, user, more));
  }

  /** Resolves when no client is waiting for anything. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled([...this.underWay]);
  }

  async stop(): Promise<void> {
    await this.settled();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async outcome(activity: Bag): Promise<Outcome> {
    const outcome = await this.invokes.send(activity).then(outcomeOf, (error: unknown): Outcome => ({
      kind: 'unreachable',
      why: String(error),
    }));
    if (outcome.kind === 'unreachable') this.complaints.push(outcome.why);
    return outcome;
  }

  private onMessage(chat: Chat, message: Message): void {
    for (const user of chat.members)
      if (this.watching.get(chat.id)?.has(user.mri)) this.inBackground(this.refresh(chat, message, user));
  }

  private async refresh(chat: Chat, message: Message, user: TeamsUser): Promise<void> {
    const refresh = cardOf(message)?.refresh as { action?: Bag; userIds?: readonly string[] } | undefined;
    if (!refresh?.action || !refresh.userIds?.includes(user.mri) || this.invokes.botUrl === undefined) return;
    const { verb, data } = refresh.action;
    await this.execute(user, { chat, message }, { verb, data, trigger: 'automatic' });
  }

  private inBackground(work: Promise<unknown>): void {
    const done = work.finally(() => this.underWay.delete(done));
    this.underWay.add(done);
    // Whatever it is, the client has shown it as a complaint.
    done.catch(() => undefined);
  }
}
