/** Judges the upgrade of a plain AG-UI socket: the gate, the token, how many this subject has; which agent is the query's to say. */
import type { IncomingMessage } from 'node:http';
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { passGate } from '../http/gatekeeper.js';
import { subprotocolsOf } from '../identity/bearer.js';
import { parseHold } from '../runs/parse-hold.js';
import { callerOf, mayOpenAnother, type UpgradeTerms } from '../sockets/upgrade-judge.js';

export const AGUI_PATH = '/ws/agui';

export interface AdmittedPlain {
  readonly actor: Actor;
  readonly agentId: string;
  /** Milliseconds to stay open over a question. */
  readonly holdMs: number;
}

export const isAguiUpgrade = ({ url = '/' }: IncomingMessage): boolean => url.split('?', 1)[0] === AGUI_PATH;

export const judgeAguiUpgrade = async (
  terms: UpgradeTerms,
  request: IncomingMessage,
): Promise<Result<AdmittedPlain>> => {
  const passed = passGate(terms.gate, request);
  if (!passed.ok) return passed;
  const { searchParams } = new URL(request.url ?? '/', 'http://hub');
  const offered = subprotocolsOf(request.headers['sec-websocket-protocol']);
  const actor = await callerOf(terms, { request, offered, ticket: searchParams.get('ticket') });
  if (!actor.ok) return actor;
  const another = mayOpenAnother(terms, actor.value);
  if (!another.ok) return another;
  const agentId = searchParams.get('agent');
  if (agentId === null)
    return refuse('INVALID_INPUT', { message: 'Name an agent: ?agent=.', details: { pointer: '/agent' } });
  const hold = parseHold(searchParams.get('hold') ?? undefined);
  return hold.ok ? ok({ actor: actor.value, agentId, holdMs: hold.value }) : hold;
};
