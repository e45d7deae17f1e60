/** Names a run request by its content, so that a repeat can be told from another request. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { RunAgentInput } from '@triptych/protocol';

/** SHA-256 (hex) over RFC 8785 of what the caller asked for; the runId itself is not part of it. */
export const fingerprintOf = (agentId: string, input: RunAgentInput): string => {
  const { messages, state, tools, context, forwardedProps, resume } = input;
  const asked = { agentId, messages, state, tools, context, forwardedProps, resume };
  // Absent and undefined must agree: JSON drops undefined before the canonical form is taken.
  const text = canonicalize(JSON.parse(JSON.stringify(asked))) ?? '';
  return createHash('sha256').update(text).digest('hex');
};
