/** Judges where a webhook may go: into the open internet, and to those hosts inside that the deployment's own file names. */
import ipaddr from 'ipaddr.js';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface Reach {
  /** A developer's receivers are on the developer's machine. */
  readonly loopback: boolean;
  /** Names of hosts that may be inside. */
  readonly privateHosts: readonly string[];
}

export type Target =
  { readonly ok: true; readonly address: Address } | { readonly ok: false; readonly why: string };

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** All that is given out to the internet; what else there is in IPv6 is local, or a way round into IPv4. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Never among them: link-local addresses, where clouds keep the keys of their machines. */
const INSIDE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback']);

/** An IPv4 address in the clothes of IPv6 is judged as what it is. */
const readAddress = (text: string): Ip | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined;

export const isPublicAddress = (text: string): boolean => {
  const ip = readAddress(text);
  if (ip?.range() !== 'unicast') return false;
  return ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6);
};

const rangeOf = (text: string): string => readAddress(text)?.range() ?? 'none';

const isListed = (hostname: string, { privateHosts }: Reach): boolean =>
  privateHosts.some((host) => host.toLowerCase() === hostname.replace(/^\[|\]$/gu, ''));

type Place = Pick<URL, 'protocol' | 'hostname'>;

const mayReach = ({ address }: Address, { protocol, hostname }: Place, reach: Reach): boolean => {
  const range = rangeOf(address);
  if (range === 'loopback' && reach.loopback) return true;
  if (isListed(hostname, reach)) return INSIDE.has(range) || isPublicAddress(address);
  return protocol === 'https:' && isPublicAddress(address);
};

/** Of all that its name resolved to, the first that may be reached: to this one and no other the connection is made. */
export const judgeTarget = (place: Place, addresses: readonly Address[], reach: Reach): Target => {
  const address = addresses.find((each) => mayReach(each, place, reach));
  if (address) return { ok: true, address };
  const onlyPlain = addresses.some((each) => isPublicAddress(each.address));
  return {
    ok: false,
    why: onlyPlain
      ? `${place.hostname} is on the internet, where webhooks go by https: alone`
      : `${place.hostname} leads to no address that webhooks may reach`,
  };
};
