import type { AguiEvent, Surface } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import {
  call,
  finished,
  POLICY,
  policyOf,
  restated,
  RUN,
  see,
  STARTED,
} from '../../../../../test/streams/see-as.js';
import { placeholderId } from './questions.js';
import { correlationRef } from './run-error.js';
import { beginView, viewStep } from './view-step.js';

const SECRET = 'S3CRET';
const OPEN = policyOf(`
surfaces:
  customer: &all
    state: [""]
    tools: { "*": { args: [""], result: [""] } }
    steps: { "*": "*" }
    custom: ["*"]
    activities: ["*"]
    subagents: true
    reasoning: true
  reviewer: *all
approvals:
  rules: [{ id: ask, match: { reason: tool_call } }]
`);
const BOTH = ['customer', 'reviewer'] as const;

const lastOf = (surface: Surface, ...events: AguiEvent[]) => see(surface, events, OPEN).shown.at(-1);

describe('what leaves', () => {
  verifies('ACC-55', 'is no question to a reviewer that nobody on their surface may answer', () => {
    const interrupts = [
      { id: 'theirs', reason: 'tool_call', toolCallId: 'c1', message: 'Pay 500?' },
      { id: 'nobodys', reason: 'risk:x', message: SECRET, responseSchema: { title: SECRET } },
      { id: 'hostile', reason: 'tool_call', toolCallId: 'c1', responseSchema: { $ref: SECRET } },
    ];
    const events = [...call('c1', 'pay', ['{"amount":500}']), finished({ type: 'interrupt', interrupts })];
    const hub = { ref: correlationRef('r', 5), sentAt: 1004 };
    expect(see('reviewer', events).shown.at(-1)?.['outcome']).toEqual({
      type: 'interrupt',
      interrupts: [
        interrupts[0],
        { id: placeholderId('t', 'r'), reason: 'hub:under_review', metadata: { hub } },
      ],
    });
    const [alone] = see('reviewer', [finished({ type: 'interrupt', interrupts: [interrupts[1]] })]).shown;
    expect(alone?.['outcome']).toMatchObject({ interrupts: [{ reason: 'hub:under_review' }] });
  });

  for (const surface of BOTH) {
    verifies('ACC-56', `to the ${surface} is of the end of a subagent only how it ended`, () => {
      const by = { subagentRunId: 's' };
      const ends = [
        { type: 'success', result: SECRET },
        { type: 'suspended', interruptIds: [SECRET], metadata: { SECRET } },
      ];
      for (const outcome of ends)
        expect(lastOf(surface, { type: 'SUBAGENT_FINISHED', ...by, outcome })).toEqual({
          ...{ type: 'SUBAGENT_FINISHED', ...by },
          outcome: { type: outcome.type },
        });
      expect(lastOf(surface, { type: 'SUBAGENT_FINISHED', ...by, outcome: { type: SECRET } })).toEqual({
        ...{ type: 'SUBAGENT_FINISHED', ...by },
      });
    });

    verifies('ACC-56', `to the ${surface} are patches, parts and sources of known members alone`, () => {
      const delta = [
        { op: 'add', path: '/a', value: 1, note: SECRET },
        { op: 'remove', path: '/a', value: SECRET },
        { op: 'add', path: '/b', value: 2, from: SECRET },
      ];
      const cleaned = [
        { op: 'add', path: '/a', value: 1 },
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: 2 },
      ];
      expect(lastOf(surface, { type: 'STATE_DELTA', delta })).toEqual({
        type: 'STATE_DELTA',
        delta: cleaned,
      });
      const plan = { messageId: 'p', activityType: 'PLAN' };
      const begun = { type: 'ACTIVITY_SNAPSHOT', ...plan, content: {} };
      expect(lastOf(surface, begun, { type: 'ACTIVITY_DELTA', ...plan, patch: delta })).toEqual({
        ...{ type: 'ACTIVITY_DELTA', ...plan },
        patch: cleaned,
      });
      const source = { type: 'url', value: 'https://a.test', provider: SECRET };
      const content = [
        { type: 'image', source, alt: SECRET },
        { type: 'hologram', text: SECRET },
        { type: 'text', text: 'hi', source: SECRET },
      ];
      expect(lastOf(surface, restated({ id: 'u', role: 'user', content }))?.['messages']).toMatchObject([
        {
          content: [
            { type: 'image', source: { type: 'url', value: 'https://a.test' } },
            { type: 'text', text: 'hi' },
          ],
        },
      ]);
      expect(JSON.stringify(lastOf(surface, restated({ id: 'u', role: 'user', content })))).not.toContain(
        SECRET,
      );
    });

    verifies('ACC-56', `to the ${surface} are versions and parents that can hold no sentence`, () => {
      const begun = (more: object) => {
        const runId = 'next';
        return lastOf(surface, finished(), { ...STARTED, runId, ...more });
      };
      const bare = { ...STARTED, runId: 'next' };
      for (const protocolVersion of ['1.0', '1.9', '0.0.59', 'banana', ''])
        expect(begun({ protocolVersion })).toEqual({ ...bare, protocolVersion });
      for (const protocolVersion of ['the account', 'k3y', '12-34', '1.0-S3CRET', 'x'.repeat(9)])
        expect(begun({ protocolVersion })).toEqual(bare);
      expect(begun({ parentRunId: RUN.runId })).toEqual({ ...bare, parentRunId: RUN.runId });
      for (const parentRunId of [SECRET, 'next']) expect(begun({ parentRunId })).toEqual(bare);
    });
  }

  verifies('ACC-56', 'to a reviewer is a code that looks like one, to a customer one of the house', () => {
    const codeOf = (surface: Surface, code: string) =>
      lastOf(surface, { type: 'RUN_ERROR', message: SECRET, code })?.['code'];
    expect(codeOf('reviewer', 'E_DB')).toBe('E_DB');
    for (const code of ['no such account 12-34', 'x'.repeat(65), '12-34', ''])
      expect(codeOf('reviewer', code)).toBe('hub/agent-error');
    expect(codeOf('customer', 'E_DB')).toBe('hub/agent-error');
  });
});

describe('the stored text of an event', () => {
  const seenIn = (surface: Surface, json: string) => {
    const view = beginView(surface === 'operator' ? POLICY : OPEN, surface, { agentId: 'a', tenant: 'b' });
    const event = JSON.parse(json) as AguiEvent;
    const { shown } = viewStep(view, { seq: 1, at: 0, source: 'agent', event, json });
    return shown.map((out) => (out === event ? json : JSON.stringify(out)));
  };
  const twice = [
    `{"type":"CUSTOM","name":"x","value":"${SECRET}","value":1}`,
    `{"type":"CUSTOM","name":"x","value":{"a":[{"b":"${SECRET}","b":1}]}}`,
    `{"type":"STATE_SNAPSHOT","snapshot":{"${SECRET}":1},"snapshot":{"a":1}}`,
    `{"type":"CUSTOM","name":"x","val\\u0075e":"${SECRET}","value":1}`,
  ];

  verifies('ACC-57', 'does not leave where it says more than the event', () => {
    for (const json of twice)
      for (const surface of BOTH) {
        expect(seenIn(surface, json)).toHaveLength(1);
        expect(seenIn(surface, json).join('')).not.toContain(SECRET);
      }
    for (const json of twice) expect(seenIn('operator', json)).toEqual([json]);
  });

  verifies('ACC-57', 'leaves as it is where it only says it otherwise', () => {
    const odd = '{"type":"CUSTOM", "name":"x", "value":{"n":9007199254740993,"s":"\\ud800","e":1.0,"a":"a"}}';
    for (const surface of BOTH) expect(seenIn(surface, odd)).toEqual([odd]);
  });
});
