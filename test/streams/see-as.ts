/** Feeds events to one surface's view and keeps what it showed. */
import { beginView, parsePolicyText, viewStep, type Policy, type View } from '@triptych/access';
import type { AguiEvent, Seen, Surface } from '@triptych/protocol';

export const policyOf = (text: string): Policy => {
  const read = parsePolicyText(text, 'policy.yaml');
  if (!read.ok) throw new Error(read.why);
  return read.value;
};
/** Something of everything a policy can say. */
export const POLICY = policyOf(`
surfaces:
  customer:
    state: [/application/status]
    tools:
      verify: { label: Checking your identity, args: [/name], result: [/status, /by/desk], redact: [/by] }
      look: { label: { running: Looking, done: Found }, result: [/status] }
      open: { args: [""], result: [""] }
    steps: { id: Identity, risk: Risk check }
    custom: ["CARD", "vendor:*"]
    activities: [PLAN]
  reviewer:
    state: [""]
    tools: { "*": { args: [""], result: [""] }, verify: { args: [""], result: [""], redact: [/taxId] } }
    steps: { "*": "*", first: second }
    subagents: true
    reasoning: true
approvals:
  rules:
    - id: large
      match: { reason: tool_call, tool: pay, args: { /amount: { gte: 100 } } }
      customer: { text: An adviser checks this., usualMs: 3600000, hours: Mo-Fr }
    - id: small
      match: { reason: tool_call, tool: pay, args: { /amount: { lt: 100 } } }
      audience: customer
    - id: ask
      match: { reason: input_required }
      audience: customer
`);
export const RUN = { threadId: 't', runId: 'r' };
export const STARTED: AguiEvent = { type: 'RUN_STARTED', ...RUN };

export interface Seeing {
  readonly shown: AguiEvent[];
  readonly each: AguiEvent[][];
  readonly seen: Seen[];
}
export const see = (surface: Surface, events: readonly AguiEvent[], policy = POLICY): Seeing => {
  let view: View = beginView(policy, surface, { agentId: 'bank', tenant: 'default' });
  const steps = [STARTED, ...events].map((event, index) => {
    const step = viewStep(view, { seq: index + 1, at: 1000 + index, source: 'agent', event });
    view = step.view;
    return step;
  });
  const [, ...rest] = steps;
  return {
    shown: rest.flatMap(({ shown }) => shown),
    each: rest.map(({ shown }) => [...shown]),
    seen: rest.map(({ seen }) => seen),
  };
};
export const call = (
  toolCallId: string,
  toolCallName: string,
  args: readonly string[],
  more: object = {},
): AguiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, ...more },
  ...args.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
  { type: 'TOOL_CALL_END', toolCallId },
];
export const result = (toolCallId: string, content: unknown): AguiEvent => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `r-${toolCallId}`,
  toolCallId,
  content,
});
export const text = (messageId: string, role: string | undefined, delta = 'hi'): AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, ...(role ? { role } : {}) },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
export const finished = (outcome?: object): AguiEvent => ({
  type: 'RUN_FINISHED',
  ...RUN,
  ...(outcome ? { outcome } : {}),
});
export const restated = (...messages: object[]): AguiEvent => ({ type: 'MESSAGES_SNAPSHOT', messages });
export const toolCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
