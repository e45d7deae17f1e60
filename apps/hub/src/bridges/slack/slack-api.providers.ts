/** Slack as the hub's doors speak to it, where it is switched on: with a signing secret, a token and an installation. */
import type { Provider } from '@nestjs/common';
import { BRIDGES } from '@triptych/assembly/nest';
import { SlackApi, type Bridges, type BridgesFile, type SlackDestination } from '@triptych/bridges';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';

export interface SlackInstallation {
  readonly api: SlackApi;
  /** Several while one is replaced by another. */
  readonly secrets: readonly string[];
  /** Whose calls are taken. */
  readonly from: NonNullable<Bridges['slack']>;
  /** Where a task is opened in the console. */
  readonly linkTo: (taskId: string) => string;
  /** Which place a channel is; undefined: none that tasks are shown at. */
  readonly placeOf: (channel: string) => SlackDestination | undefined;
}

/** undefined: the door is closed. */
export const SLACK = Symbol('SLACK');

const placesIn = ({ destinations }: Bridges): SlackInstallation['placeOf'] => {
  const places = [...destinations.values()].filter((place) => place.kind === 'slack');
  return (channel) => places.find(({ address }) => address === channel);
};

const installationIn = (
  { bridges, publicUrl }: Settings,
  { bridges: file }: BridgesFile,
): SlackInstallation | undefined => {
  const { slackSigningSecrets: secrets, slackBotToken: token, slackApiUrl: apiUrl } = bridges;
  if (token === undefined || secrets.length === 0 || !file.slack) return undefined;
  const linkTo = (taskId: string): string => `${publicUrl}/reviewer?task=${encodeURIComponent(taskId)}`;
  return { api: new SlackApi({ token, apiUrl }), secrets, from: file.slack, linkTo, placeOf: placesIn(file) };
};

export const slackProvider: Provider = {
  provide: SLACK,
  inject: [SETTINGS, BRIDGES],
  useFactory: installationIn,
};
