/** Where crashes are played: an office with one hub and one worker. */
import { Office } from '../stand/office.js';

const RULES = `
    - { id: wire, match: { reason: tool_call, tool: wire }, quorum: 2 }
    - { id: hold, match: { reason: tool_call, tool: hold }, undoMs: 4000 }
    - { id: any, match: { reason: tool_call } }
    - { id: ask, match: { reason: input_required }, audience: customer }
`;

export const startSite = (): Promise<Office> => Office.start({ rules: RULES });
