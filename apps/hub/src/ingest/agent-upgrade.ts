/** Judges the upgrade of the socket of an agent that comes by itself. */
import type { IncomingMessage } from 'node:http';
import type { Actor } from '@triptych/access';
import { ok, refuse, SUBPROTOCOL, type Result } from '@triptych/protocol';
import { passGate } from '../http/gatekeeper.js';
import { subprotocolsOf } from '../identity/bearer.js';
import { callerOf, mayOpenAnother, type UpgradeTerms } from '../sockets/upgrade-judge.js';

export const AGENT_PATH = '/ws/agent';

export interface AdmittedAgent {
  readonly actor: Actor;
}

interface AgentTerms extends UpgradeTerms {
  readonly mayPush: (actor: Actor) => Result<unknown>;
}

export const isAgentUpgrade = ({ url = '/' }: IncomingMessage): boolean =>
  url.split('?', 1)[0] === AGENT_PATH;

export const judgeAgentUpgrade = async (
  terms: AgentTerms,
  request: IncomingMessage,
): Promise<Result<AdmittedAgent>> => {
  const passed = passGate(terms.gate, request);
  if (!passed.ok) return passed;
  const offered = subprotocolsOf(request.headers['sec-websocket-protocol']);
  if (!offered.includes(SUBPROTOCOL))
    return refuse('INVALID_INPUT', { message: `The subprotocol ${SUBPROTOCOL} must be offered.` });
  const actor = await callerOf(terms, { request, offered, ticket: null });
  if (!actor.ok) return actor;
  const may = terms.mayPush(actor.value);
  if (!may.ok) return may;
  const another = mayOpenAnother(terms, actor.value);
  return another.ok ? ok({ actor: actor.value }) : another;
};
