/** The bridges that this deployment has, each where its settings are there; a further one is a line more. */
import {
  MailBridge,
  SlackBridge,
  slackClient,
  WebhookBridge,
  type Bridge,
  type BridgeKind,
  type BridgesFile,
  type ChatValues,
} from '@triptych/bridges';
import type { Clock, Settings } from '@triptych/platform';

export interface BridgeParts {
  readonly settings: Settings;
  readonly file: BridgesFile;
  readonly values: ChatValues;
  readonly clock: Clock;
}

/** undefined: it is not set up. */
type Opens = (parts: BridgeParts) => Bridge | undefined;

const slack: Opens = ({ settings: { bridges }, values }) => {
  const { slackBotToken: token, slackApiUrl: apiUrl } = bridges;
  return token === undefined
    ? undefined
    : new SlackBridge({ client: slackClient({ token, apiUrl }), values });
};

const webhook: Opens = ({ settings, file, clock }) => {
  const { privateHosts } = file.bridges.webhooks;
  return new WebhookBridge({ clock, reach: { privateHosts, loopback: settings.auth.mode === 'dev' } });
};

const mail: Opens = ({ settings: { bridges }, file }) => {
  const { smtpUrl } = bridges;
  const { from } = file.bridges.mail ?? {};
  return smtpUrl === undefined || from === undefined ? undefined : new MailBridge({ smtpUrl, from });
};

const ALL: readonly Opens[] = [slack, webhook, mail];

export const spokenBridges = (parts: BridgeParts): ReadonlyMap<BridgeKind, Bridge> =>
  new Map(ALL.flatMap((open) => open(parts) ?? []).map((bridge) => [bridge.kind, bridge]));
