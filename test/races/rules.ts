/** The policy under which the races are run. */
const COMMON = `
    - { id: wire, match: { reason: tool_call, tool: wire }, quorum: 2 }
    - { id: hold, match: { reason: tool_call, tool: hold }, undoMs: 1500 }
`;

const rulesWith = (lending: string): string => `${COMMON}
    - { id: lend, match: { reason: tool_call, tool: lend }, ${lending} }
    - { id: any, match: { reason: tool_call } }
    - { id: sure, match: { reason: confirmation } }
`;

export const RULES = rulesWith('quorum: 1');
/** Two people lend, where one did. */
export const STRICTER_RULES = rulesWith('quorum: 2');
