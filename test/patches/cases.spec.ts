/** Proves that a patch comes to the same for the judge, for whoever folds the log, and for whoever is shown a part of it. */
import { beginView, compilePolicy, viewStep, type Policy } from '@triptych/access';
import { applyPatch, emptyModel, modelStep } from '@triptych/protocol';
import type { AguiEvent, JsonPatch, Model } from '@triptych/protocol';
import { judgeAll } from '../../libs/protocol/test/judge-all.js';
import { verifies } from '../spec/verifies.js';
import { PATCH_CASES, type PatchCase } from './cases.js';

const policyOf = (customer: object): Policy => {
  const read = compilePolicy({ surfaces: { customer } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};
/** Shown as it is, and shown by the difference: where something may be redacted, nothing is forwarded untouched. */
const POLICIES = [{ state: [''] }, { state: [''], redact: ['/never/there'] }, { state: ['', '/l/*/z'] }].map(
  policyOf,
);

const started: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const eventsOf = ({ before, patch }: PatchCase): AguiEvent[] => [
  { type: 'STATE_SNAPSHOT', snapshot: before },
  { type: 'STATE_DELTA', delta: patch },
];
const folded = (events: readonly AguiEvent[]): Model => events.reduce<Model>(modelStep, emptyModel());

const shownBy = (policy: Policy, events: readonly AguiEvent[]): AguiEvent[] => {
  let view = beginView(policy, 'customer', { agentId: 'a', tenant: 't' });
  return events.flatMap((event, index) => {
    const step = viewStep(view, { seq: index + 1, at: 0, source: 'agent', event });
    view = step.view;
    return step.shown;
  });
};

const isApplied = (one: PatchCase): boolean => 'after' in one;
const endOf = (one: PatchCase): unknown => (isApplied(one) ? one.after : one.before);

const judged = (one: PatchCase): string => {
  const { rule, complete } = judgeAll([
    ...[started, ...eventsOf(one)],
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ]);
  return rule ?? (complete ? 'legal' : 'incomplete');
};

describe('a patch of RFC 6902', () => {
  for (const one of PATCH_CASES)
    verifies('PRO-37', `${isApplied(one) ? 'applies' : 'fails'}: ${one.what}`, () => {
      const patched = applyPatch(structuredClone(one.before), one.patch as JsonPatch);
      expect(patched).toEqual(
        isApplied(one) ? { ok: true, value: one.after } : { ok: false, why: expect.any(String) },
      );
      expect(judged(one)).toBe(one.malformed ? 'malformed' : 'legal');
      const model = folded(eventsOf(one));
      expect(model.state).toEqual(endOf(one));
      expect(model.warning?.includes('was not applied') ?? false).toBe(!isApplied(one));
      if (one.malformed) return;
      for (const policy of POLICIES) {
        const shown = shownBy(policy, eventsOf(one));
        expect(folded(shown).state).toEqual(endOf(one));
        if (!isApplied(one)) expect(shown).toHaveLength(1);
      }
    });
});
