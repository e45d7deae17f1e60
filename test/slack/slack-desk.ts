/** A house at work whose people are in Slack too: some linked, one a guest, one gone, one whom nobody knows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chatValues,
  parseSlackInteraction,
  SlackBridge,
  slackClient,
  type Delivery,
  type Notice,
} from '@triptych/bridges';
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import type { Ack } from '../fakes/slack/ack.js';
import { FakeSlack, SIGNING_SECRET, TOKEN } from '../fakes/slack/fake-slack.js';
import { interaction } from '../fakes/slack/hub-calls.js';
import { clickPayload } from '../fakes/slack/payloads.js';
import { APP, TEAM, type Message, type OpenView } from '../fakes/slack/world.js';
import type { Wish } from '../stand/asking-agent.js';
import { Office, type OfficePlan } from '../stand/office.js';

export const CHANNEL = 'C0DESK';
/** Where nothing is hidden. */
export const OPEN_CHANNEL = 'C0OPEN';
/** The secret before this one. */
export const OLD_SECRET = 'the-secret-before';

export const SLACK_PEOPLE = {
  ann: 'U0ANN',
  bob: 'U0BOB',
  /** The customer's own account. */
  amelia: 'U0AMELIA',
  guest: 'U0GUEST',
  gone: 'U0GONE',
  nobody: 'U0NOBODY',
  /** Of another tenant. */
  carl: 'U0CARL',
} as const;
export type SlackName = keyof typeof SLACK_PEOPLE;

const linked = (subject: string, user: string, tenant = 'default'): string =>
  `  - { subject: ${subject}, tenant: ${tenant}, roles: [reviewer], name: ${subject.toUpperCase()}, linked: [{ kind: slack, id: "${TEAM}:${user}" }] }`;

/** Where nothing is routed, tests post the cards they press. */
const BRIDGES = (people: readonly string[], routed: boolean, progress: boolean): string => `
slack: { team: ${TEAM}, app: ${APP} }
destinations:
  - { id: desk, kind: slack, address: ${CHANNEL}${routed ? ', redact: ["/iban"]' : ''} }
  - { id: open, kind: slack, address: ${OPEN_CHANNEL} }
routes: ${routed ? `[{ to: [desk${progress ? ', open' : ''}], progress: ${progress} }]` : '[]'}
people: ${people.length === 0 ? '[]' : `\n${people.join('\n')}`}
`;

const LINKS = [
  linked('ann', SLACK_PEOPLE.ann),
  linked('bob', SLACK_PEOPLE.bob),
  linked('amelia', SLACK_PEOPLE.amelia),
  linked('gus', SLACK_PEOPLE.guest),
  linked('gil', SLACK_PEOPLE.gone),
  linked('carl', SLACK_PEOPLE.carl, 'other'),
];

export interface SlackPlan extends Pick<OfficePlan, 'rules' | 'env' | 'hubs' | 'workers' | 'memory'> {
  /** Cards are posted by the worker. */
  readonly routed?: boolean;
  /** And the runs after them told, in the other channel too. */
  readonly progress?: boolean;
}

export class SlackDesk {
  private constructor(
    readonly office: Office,
    readonly slack: FakeSlack,
    private readonly dir: string,
  ) {}

  static async start({
    rules,
    env = {},
    routed = false,
    progress = false,
    ...plan
  }: SlackPlan): Promise<SlackDesk> {
    const slack = await FakeSlack.start();
    slack.limits.enforced = false;
    slack.world.addChannel(CHANNEL, 'desk');
    slack.world.addChannel(OPEN_CHANNEL, 'open');
    for (const [name, id] of Object.entries(SLACK_PEOPLE))
      slack.world.addPerson({
        id,
        name,
        team: name === 'guest' ? 'T0OTHER' : TEAM,
        deleted: name === 'gone',
      });
    const dir = mkdtempSync(join(tmpdir(), 'triptych-slack-'));
    const BRIDGES_FILE = join(dir, 'bridges.yaml');
    writeFileSync(BRIDGES_FILE, BRIDGES(LINKS, routed, progress));
    const slackEnv = {
      BRIDGES_FILE,
      SLACK_SIGNING_SECRET: `${SIGNING_SECRET},${OLD_SECRET}`,
      SLACK_BOT_TOKEN: TOKEN,
      SLACK_API_URL: slack.apiUrl,
    };
    // The second hub has no token: Slack is not set up there.
    const envOf = (nth: number): Readonly<Record<string, string>> =>
      nth === 2 ? { SLACK_BOT_TOKEN: '' } : {};
    const office = await Office.start({ ...plan, rules, envOf, env: { ...slackEnv, ...env } });
    slack.hub.hubUrl = office.house.hub.directUrl;
    return new SlackDesk(office, slack, dir);
  }

  /** One task, and its card in the channel. */
  async card(threadId: string, wish: Wish): Promise<{ readonly task: TaskView; readonly ts: string }> {
    const [task] = await this.office.ask(threadId, wish);
    if (!task) throw new Error('Nothing was asked.');
    return { task, ts: await this.post(task) };
  }

  /** As the task stands now. */
  async post(task: TaskView): Promise<string> {
    const delivery = await this.show(task);
    if (delivery.kind !== 'shown') throw new Error(delivery.kind);
    return delivery.posted.split(' ')[1] ?? '';
  }

  /** As the worker does. */
  show(task: TaskView, posted?: string): Promise<Delivery> {
    const values = chatValues(Buffer.from(this.office.house.issuer.env['HUB_SECRET'] ?? ''));
    const client = slackClient({ token: TOKEN, apiUrl: this.slack.apiUrl });
    const notice = { ...noticeOf(task), ...(posted === undefined ? {} : { posted }) };
    return new SlackBridge({ client, values }).show(notice);
  }

  /** What the channel shows of a task; a task has one message there. */
  async shown(taskId: string, holds: (text: string) => boolean = () => true): Promise<Message> {
    const found = () =>
      this.slack.world.messages.filter(({ metadata }) =>
        JSON.stringify(metadata ?? '').includes(`"${taskId}"`),
      );
    await until(() => found().some(({ blocks }) => holds(JSON.stringify(blocks))));
    const [message, ...others] = found();
    if (!message || others.length > 0) throw new Error(`There are ${others.length + 1} cards.`);
    return message;
  }

  press(
    name: SlackName,
    ts: string,
    act: string,
    more: { value?: string; forged?: object } = {},
  ): Promise<Ack> {
    const user = SLACK_PEOPLE[name];
    const { value, forged } = more;
    return this.slack.hub.click({
      ...{ user, channel: CHANNEL, ts, action: `tt.${act}` },
      ...(value === undefined ? {} : { value }),
      ...(forged === undefined ? {} : { forged: forged as Readonly<Record<string, unknown>> }),
    });
  }

  /** What was said to a person and nobody else, once there is so much of it. */
  async told(name: SlackName, least = 1): Promise<readonly string[]> {
    const own = () => this.slack.world.ephemerals.filter(({ user }) => user === SLACK_PEOPLE[name]);
    await until(() => own().length >= least);
    return own().map(({ text }) => text);
  }

  /** The modal that opened for a person. */
  async modalOf(name: SlackName): Promise<OpenView> {
    const own = () => [...this.slack.world.views.values()].find(({ user }) => user === SLACK_PEOPLE[name]);
    await until(() => own() !== undefined);
    return own()!;
  }

  /** What a hub that died leaves behind: a click that it acknowledged so long ago, and did not do. */
  async leave(name: SlackName, ts: string, act: string, agoMs: number): Promise<void> {
    const trigger = this.slack.world.nextId('trigger.');
    const click = { user: SLACK_PEOPLE[name], channel: CHANNEL, ts, action: `tt.${act}`, trigger, hook: '' };
    const read = parseSlackInteraction(interaction(clickPayload(this.slack.world, click)).body);
    if (!read.ok) throw new Error(read.refusal.code);
    const left = JSON.stringify({ click: read.value, at: Date.now() - agoMs });
    await this.office.redis.zadd('tt:{slack}:clicks', Date.now() - agoMs, left);
  }

  async decided(taskId: string): Promise<TaskView> {
    await until(async () => (await this.office.task(taskId)).decision !== undefined);
    return this.office.task(taskId);
  }

  /** All that is waiting to be done was done. */
  async quiet(): Promise<void> {
    await until(async () => (await this.office.redis.zcard('tt:{slack}:clicks')) === 0);
  }

  async stop(): Promise<void> {
    await this.office.stop();
    await this.slack.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const noticeOf = (task: TaskView): Notice<'slack'> => ({
  noticeId: task.taskId,
  changeId: `${task.taskId}-${task.rev}`,
  destination: {
    id: 'desk',
    kind: 'slack',
    tenant: 'default',
    address: CHANNEL,
    args: { whole: true } as never,
  },
  task,
  names: {},
  what: 'created',
  chat: true,
  link: 'https://hub.example/reviewer',
  unsure: false,
});
