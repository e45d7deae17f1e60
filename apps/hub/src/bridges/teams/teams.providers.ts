/** Teams as the hub's door speaks with it, where it is switched on: with an app, its password and tenants. */
import type { Provider } from '@nestjs/common';
import { BRIDGES } from '@triptych/assembly/nest';
import {
  BotToken,
  type BridgesFile,
  Connector,
  InboundTokens,
  linksTo,
  type LinkTo,
  RedisTeamsBook,
  TEAMS_OPENID_URL,
  type TeamsDestination,
  TeamsKeys,
} from '@triptych/bridges';
import type { Clock, Settings } from '@triptych/platform';
import { CLOCK, REDIS, SETTINGS } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';

export interface TeamsInstallation {
  readonly inbound: InboundTokens;
  readonly book: RedisTeamsBook;
  readonly connector: Connector;
  /** Where a task is opened in the console. */
  readonly linkTo: LinkTo;
  /** Which place a conversation is, by its id or by who it is with; undefined: none that tasks are shown at. */
  readonly placeOf: (names: readonly string[]) => TeamsDestination | undefined;
}

/** undefined: the door is closed. */
export const TEAMS = Symbol('TEAMS');

const placesIn = ({ bridges: { destinations } }: BridgesFile): TeamsInstallation['placeOf'] => {
  const places = [...destinations.values()].filter((place) => place.kind === 'teams');
  return (names) => places.find(({ address }) => names.includes(address));
};

const installationIn = (
  { bridges: settings, publicUrl }: Settings,
  file: BridgesFile,
  redis: Redis,
  clock: Clock,
): TeamsInstallation | undefined => {
  const { teamsAppId: appId, teamsAppPassword: password, teamsTenants: tenants } = settings;
  if (appId === undefined || password === undefined) return undefined;
  const { serviceHosts } = file.bridges.teams;
  const now = (): number => clock.now();
  const token = new BotToken({ url: settings.teamsTokenUrl, appId, password, now });
  return {
    inbound: new InboundTokens({
      keys: new TeamsKeys(settings.teamsOpenidUrl ?? TEAMS_OPENID_URL),
      terms: { appId, tenants, serviceHosts },
      now,
    }),
    book: new RedisTeamsBook(redis),
    connector: new Connector({ token, serviceHosts }),
    linkTo: linksTo(publicUrl),
    placeOf: placesIn(file),
  };
};

export const teamsProvider: Provider = {
  provide: TEAMS,
  inject: [SETTINGS, BRIDGES, REDIS, CLOCK],
  useFactory: installationIn,
};
