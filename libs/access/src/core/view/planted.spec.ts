import type { AguiEvent } from '@triptych/protocol';
import fc from 'fast-check';
import { POLICY, TOLD } from '../../../../../test/access/secrets-told.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import { EVENT_NAMES, leaksIn, plantedPart } from '../../../../../test/streams/planted.js';
import { policyOf, see } from '../../../../../test/streams/see-as.js';
import type { Policy } from '../policy.js';

const GIVEN = policyOf(POLICY);
const NOTHING_GIVEN = policyOf('surfaces: { customer: {}, reviewer: {} }');

const inputOf = ({ threadId, runId }: AguiEvent) => {
  const said = {
    ...plantedPart('user'),
    id: `u-${String(runId)}`,
    content: 'Hello.',
    subagentRunId: undefined,
  };
  const system = plantedPart('system');
  return { ...plantedPart('input'), threadId, runId, messages: [said, system] };
};

const story: readonly AguiEvent[] = TOLD.flatMap((run, nth) => run({ threadId: 't', runId: `r${nth}` }))
  // As they are stored: what is undefined is not there, and the input is the hub's.
  .map((event) => JSON.parse(JSON.stringify(event)) as AguiEvent)
  .map((event) => (event.type === 'RUN_STARTED' ? { ...event, input: inputOf(event) } : event));

const leaksOf = (surface: 'customer' | 'reviewer', events: readonly AguiEvent[], policy: Policy) =>
  leaksIn(surface, JSON.stringify(see(surface, events, policy).shown));

describe('events with a secret in every member', () => {
  it('are of every type there is', () => {
    expect(EVENT_NAMES.filter((name) => !story.some(({ type }) => type === name))).toEqual([]);
  });

  for (const surface of ['customer', 'reviewer'] as const) {
    verifies('ACC-58', `tell the ${surface} what the policy gives, and none of the secrets`, () => {
      const shown = JSON.stringify(see(surface, story, GIVEN).shown);
      for (const given of ['Good ', '"value":2', 'Bern', 'blue', 'https://a.test', 'CARD', 'PLAN', 'Which?'])
        expect(shown).toContain(given);
      expect(leaksIn(surface, shown)).toEqual([]);
    });

    verifies('ACC-58', `tell the ${surface} none of them in any order, nor where nothing is given`, () => {
      const some = fc.shuffledSubarray([...story], { minLength: 1 });
      fc.assert(
        fc.property(some, fc.constantFrom(GIVEN, NOTHING_GIVEN), (events, policy) => {
          expect(leaksOf(surface, events, policy)).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('would be found by whoever looks for them', () => {
    expect(leaksIn('reviewer', JSON.stringify(see('operator', story).shown)).length).toBeGreaterThan(500);
  });
});
