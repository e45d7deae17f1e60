/** Judges whether an activity is what its token vouches for, and for us. */
import { refuse, type Result } from '@triptych/protocol';
import type { Activity } from './activity.js';
import { isServiceUrl } from './service-hosts.js';

/** What is doubted, in the order in which it is looked at; the first one counts. */
export const DOUBTS = [
  'bearer',
  'algorithm',
  'key',
  'signature',
  'issuer',
  'audience',
  'time',
  'endorsement',
  'service-url',
  'service-host',
  'tenant',
  'recipient',
] as const;
export type Doubt = (typeof DOUBTS)[number];

/** What a good token says beside that it is good. */
export interface Vouched {
  /** Channels that the key it was signed with may speak for. */
  readonly endorsements: readonly string[];
  readonly serviceUrl: string | undefined;
}

export interface TeamsTerms {
  readonly appId: string;
  /** Of Entra; none: nobody. */
  readonly tenants: readonly string[];
  /** What may be answered beside Microsoft's. */
  readonly serviceHosts: readonly string[];
}

export const CHANNEL = 'msteams';
export const botIdOf = (appId: string): string => `28:${appId}`;

export const judgeActivity = (
  { endorsements, serviceUrl }: Vouched,
  activity: Activity,
  { appId, tenants, serviceHosts }: TeamsTerms,
): Doubt | undefined => {
  if (activity.channelId !== CHANNEL || !endorsements.includes(activity.channelId)) return 'endorsement';
  if (serviceUrl === undefined || serviceUrl !== activity.serviceUrl) return 'service-url';
  if (!isServiceUrl(activity.serviceUrl, serviceHosts)) return 'service-host';
  if (!tenants.includes(activity.channelData.tenant.id)) return 'tenant';
  return activity.recipient.id === botIdOf(appId) ? undefined : 'recipient';
};

/** Whoever is genuine but not for us; everything else is not known to be from Teams at all. */
const STRANGERS: readonly Doubt[] = ['service-host', 'tenant', 'recipient'];

/** Nothing of the token or the activity is repeated. */
export const refusalOfDoubt = (doubt: Doubt): Result<never> =>
  STRANGERS.includes(doubt)
    ? refuse('FORBIDDEN', { message: 'This activity is not for us.', details: { doubt } })
    : refuse('UNAUTHENTICATED', {
        message: 'This activity is not known to come from Teams.',
        details: { doubt },
      });
