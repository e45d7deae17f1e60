/** Slack as the hub's doors speak to it, where it is switched on: with a signing secret, a token and an installation. */
import type { Provider } from '@nestjs/common';
import { BRIDGES } from '@triptych/assembly/nest';
import {
  linksTo,
  SlackApi,
  slackPlaces,
  type Bridges,
  type BridgesFile,
  type LinkTo,
  type SlackPlaces,
  type SlackTerms,
} from '@triptych/bridges';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';

export interface SlackInstallation {
  readonly api: SlackApi;
  /** Several while one is replaced by another. */
  readonly secrets: readonly string[];
  /** By which a line is opened; undefined: Slack calls the hub. */
  readonly line: SlackTerms | undefined;
  /** Whose calls are taken. */
  readonly from: NonNullable<Bridges['slack']>;
  /** Where a task is opened in the console. */
  readonly linkTo: LinkTo;
  /** Where somebody acted; undefined: tasks are not shown there. */
  readonly placeOf: SlackPlaces;
}

/** undefined: the door is closed. */
export const SLACK = Symbol('SLACK');

const installationIn = (
  { bridges, publicUrl }: Settings,
  { bridges: file }: BridgesFile,
): SlackInstallation | undefined => {
  const { slackSigningSecrets: secrets, slackBotToken: token, slackApiUrl: apiUrl } = bridges;
  const { slackAppToken: appToken } = bridges;
  const isHeard = secrets.length > 0 || appToken !== undefined;
  if (token === undefined || !isHeard || !file.slack) return undefined;
  return {
    ...{ api: new SlackApi({ token, apiUrl }), secrets, from: file.slack },
    line: appToken === undefined ? undefined : { token: appToken, apiUrl },
    ...{ linkTo: linksTo(publicUrl), placeOf: slackPlaces(file.destinations.values()) },
  };
};

export const slackProvider: Provider = {
  provide: SLACK,
  inject: [SETTINGS, BRIDGES],
  useFactory: installationIn,
};
