/** What the destinations of this deployment lack, as its settings and its file have it. */
import { unmetNeeds, type BridgesFile, type Side, type Unmet } from '@triptych/bridges';
import type { Settings } from '@triptych/platform';

const givenIn = ({ bridges: settings }: Settings, { bridges: file }: BridgesFile): ReadonlySet<string> => {
  const named: Readonly<Record<string, boolean>> = {
    SLACK_BOT_TOKEN: settings.slackBotToken !== undefined,
    // A socket of the hub's own needs no signature.
    SLACK_SIGNING_SECRET: settings.slackSigningSecrets.length > 0 || settings.slackAppToken !== undefined,
    'slack in bridges.yaml': file.slack !== undefined,
    TEAMS_APP_ID: settings.teamsAppId !== undefined,
    TEAMS_APP_PASSWORD: settings.teamsAppPassword !== undefined,
    TEAMS_TENANTS: settings.teamsTenants.length > 0,
    SMTP_URL: settings.smtpUrl !== undefined,
    'mail in bridges.yaml': file.mail !== undefined,
  };
  return new Set(Object.keys(named).filter((name) => named[name]));
};

export const unmetIn = (settings: Settings, file: BridgesFile, side: Side): Unmet =>
  unmetNeeds(file.bridges, { side, given: givenIn(settings, file) });
