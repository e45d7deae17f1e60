/** Names what a person sees before deciding, so that nothing else can be decided in its place. */
import { hashOf } from './canonical.js';
import type { Asked, Edit } from './task.js';

type Seen = Pick<Asked, 'reason' | 'message' | 'toolCallId' | 'proposal' | 'responseSchema'>;

/** APR-6: SHA-256 over RFC 8785 of the question, its proposal and the edit; absent parts are absent. */
export const proposalHashOf = (asked: Seen, edit?: Pick<Edit, 'args'>): string =>
  hashOf({
    reason: asked.reason,
    message: asked.message,
    toolCallId: asked.toolCallId,
    proposal: asked.proposal,
    responseSchema: asked.responseSchema,
    edit: edit && { args: edit.args },
  });
