/** Says how a call came in: by a browser or not, under which name, from where. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Actor, Passage } from '@triptych/access';
import { isPrintableId } from '@triptych/protocol';

/** Characters kept of what a program calls itself. */
const MAX_UA = 256;

type Call = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Only browsers say where a request comes from, and none of them can be kept from it. */
const isBrowser = ({ headers }: Call): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** Their own name for the call where they have one, so that their log and the trail can be laid side by side. */
const nameOf = ({ headers }: Call): string => {
  const given = headers['x-request-id'];
  return isPrintableId(given) ? given : randomUUID();
};

export const passageOf = (call: Call): Passage => {
  const { remoteAddress } = call.socket;
  const ua = call.headers['user-agent'];
  return {
    via: isBrowser(call) ? 'web' : 'api',
    requestId: nameOf(call),
    ...(remoteAddress === undefined ? {} : { ip: remoteAddress }),
    ...(ua === undefined ? {} : { ua: ua.slice(0, MAX_UA) }),
  };
};

export const cameBy = (actor: Actor, call: Call): Actor => ({ ...actor, through: passageOf(call) });

/** One of many calls that come by one socket, where it has a name. */
export const namedCall = (actor: Actor, name: string | undefined): Actor =>
  actor.through && name !== undefined
    ? { ...actor, through: { ...actor.through, requestId: `${actor.through.requestId}/${name}` } }
    : actor;
