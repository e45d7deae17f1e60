/** Judges a socket's upgrade: gate, subprotocol, token, surface, and how many this subject has already. */
import type { IncomingMessage } from 'node:http';
import { permit, type Actor, type TokenVerifier } from '@triptych/access';
import type { Words } from '@triptych/fanout';
import { ok, refuse, SUBPROTOCOL, SURFACES, type Result, type Surface } from '@triptych/protocol';
import { bearerAmong, bearerOf, subprotocolsOf } from '../identity/bearer.js';
import { cameBy } from '../identity/passage.js';
import { type Gate, passGate } from '../http/gatekeeper.js';
import { parseProfile } from '../http/parse-profile.js';

export interface Admitted {
  readonly actor: Actor;
  readonly surface: Surface;
  readonly words?: Words | undefined;
}

export interface UpgradeTerms {
  readonly gate: Gate;
  readonly tokens: TokenVerifier;
  /** Redeems a one-time ticket; where the door is of no surface, that of any. */
  readonly redeem: (ticket: string, surface?: Surface) => Promise<Result<Actor>>;
  readonly socketsOf: (actor: Actor) => number;
  readonly maxSockets: number;
}

export const judgeUpgrade = async (
  terms: UpgradeTerms,
  request: IncomingMessage,
): Promise<Result<Admitted>> => {
  const passed = passGate(terms.gate, request);
  if (!passed.ok) return passed;
  const url = new URL(request.url ?? '/', 'http://hub');
  const surface = SURFACES.find((name) => url.pathname === `/ws/${name}`);
  if (!surface) return refuse('NOT_FOUND');
  const offered = subprotocolsOf(request.headers['sec-websocket-protocol']);
  if (!offered.includes(SUBPROTOCOL))
    return refuse('INVALID_INPUT', { message: `The subprotocol ${SUBPROTOCOL} must be offered.` });
  const actor = await callerOf(terms, { request, offered, surface, ticket: url.searchParams.get('ticket') });
  if (!actor.ok) return actor;
  const opens = permit(actor.value, 'surface.open', { tenant: actor.value.tenant, surface });
  if (!opens.ok) return opens;
  const another = mayOpenAnother(terms, actor.value);
  if (!another.ok) return another;
  const words = parseProfile(url.searchParams.get('profile') ?? undefined);
  return words.ok ? ok({ actor: actor.value, surface, words: words.value }) : words;
};

export const mayOpenAnother = ({ socketsOf, maxSockets }: UpgradeTerms, actor: Actor): Result<true> =>
  socketsOf(actor) < maxSockets
    ? ok(true)
    : refuse('RATE_LIMITED', { details: { limit: 'MAX_SOCKETS_PER_SUBJECT' } });

interface Presented {
  readonly request: IncomingMessage;
  readonly offered: readonly string[];
  readonly surface?: Surface;
  readonly ticket: string | null;
}

export const callerOf = async (terms: UpgradeTerms, presented: Presented): Promise<Result<Actor>> => {
  const actor = await tokenHolder(terms, presented);
  return actor.ok ? ok(cameBy(actor.value, presented.request)) : actor;
};

const tokenHolder = (
  terms: UpgradeTerms,
  { request, offered, surface, ticket }: Presented,
): Promise<Result<Actor>> => {
  const token = bearerAmong(offered) ?? bearerOf(request.headers.authorization);
  if (token !== undefined) return terms.tokens.verify(token);
  if (ticket !== null) return terms.redeem(ticket, surface);
  return Promise.resolve(refuse('UNAUTHENTICATED'));
};
