/** The bridges that this deployment has, each where its settings are there; a further one is a line more. */
import {
  BotToken,
  Connector,
  MailBridge,
  RedisTeamsBook,
  SlackBridge,
  slackClient,
  TeamsBridge,
  WebhookBridge,
  type Bridge,
  type BridgeKind,
  type BridgesFile,
  type ChatValues,
  type Reach,
} from '@triptych/bridges';
import type { Clock, Log, Settings } from '@triptych/platform';
import type { Redis } from 'ioredis';

export interface BridgeParts {
  readonly settings: Settings;
  readonly file: BridgesFile;
  readonly values: ChatValues;
  readonly clock: Clock;
  readonly redis: Redis;
  readonly log: Log;
}

/** undefined: it is not set up. */
type Opens = (parts: BridgeParts) => Bridge | undefined;

const slack: Opens = ({ settings: { bridges }, values }) => {
  const { slackBotToken: token, slackApiUrl: apiUrl } = bridges;
  return token === undefined
    ? undefined
    : new SlackBridge({ client: slackClient({ token, apiUrl }), values });
};

export const botOf = ({
  settings: { bridges },
  file,
  clock,
}: Pick<BridgeParts, 'settings' | 'file' | 'clock'>): Connector | undefined => {
  const { teamsAppId: appId, teamsAppPassword: password, teamsTokenUrl: url } = bridges;
  if (appId === undefined || password === undefined) return undefined;
  const token = new BotToken({ url, appId, password, now: () => clock.now() });
  return new Connector({ token, serviceHosts: file.bridges.teams.serviceHosts });
};

/** Whatever is merely posted to may be on the internet, or where the file says. */
const reachOf = ({ settings, file }: BridgeParts): Reach => ({
  privateHosts: file.bridges.webhooks.privateHosts,
  loopback: settings.auth.mode === 'dev',
});

const teams: Opens = (parts) => {
  const { file, values, clock, redis, log } = parts;
  return new TeamsBridge({
    ...{ bot: botOf(parts), book: new RedisTeamsBook(redis), values, people: file.people },
    reach: reachOf(parts),
    now: () => clock.now(),
    report: (error) => log.warn('teams.beside', { error }),
  });
};

const webhook: Opens = (parts) => new WebhookBridge({ clock: parts.clock, reach: reachOf(parts) });

const mail: Opens = ({ settings: { bridges }, file }) => {
  const { smtpUrl } = bridges;
  const { from } = file.bridges.mail ?? {};
  return smtpUrl === undefined || from === undefined ? undefined : new MailBridge({ smtpUrl, from });
};

const ALL: readonly Opens[] = [slack, teams, webhook, mail];

export const spokenBridges = (parts: BridgeParts): ReadonlyMap<BridgeKind, Bridge> =>
  new Map(ALL.flatMap((open) => open(parts) ?? []).map((bridge) => [bridge.kind, bridge]));
