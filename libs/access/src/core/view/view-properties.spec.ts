import { verifyEvents } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { textsIn59, type AguiEvent, type LogEntry, type Surface } from '@triptych/protocol';
import fc from 'fast-check';
import { from } from 'rxjs';
import { verifies } from '../../../../../test/spec/verifies.js';
import { CANARY, REDACTED_CANARY, StreamAuthor } from '../../../../../test/streams/legal-stream.js';
import { refusedBy59 } from '../../../../protocol/test/client-59.js';
import { compilePolicy } from '../compile-policy.js';
import type { Policy } from '../policy.js';
import { beginView, viewStep } from './view-step.js';
import type { View } from './view.js';

const THREAD = { agentId: 'bank', tenant: 'default' };

const policyOf = (content: unknown): Policy => {
  const read = compilePolicy(content);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
};
const POLICY = policyOf({
  surfaces: {
    customer: {
      state: ['/shown', '/list/*/name', '/mixed/part'],
      redact: ['/shown/secret'],
      tools: {
        look: { label: 'Looking', args: ['/a'], result: ['/status'], redact: ['/a/secret'] },
        pay: {},
      },
      steps: { one: 'Step one', two: 'Step two' },
      custom: ['GEN*'],
      activities: ['PLAN'],
    },
    reviewer: {
      state: [''],
      redact: ['/shown/secret'],
      tools: { '*': { args: [''], result: [''], redact: ['/a/secret'] } },
      steps: { '*': '*', one: 'two' },
      custom: ['*'],
      activities: ['*'],
      subagents: true,
      reasoning: true,
    },
  },
  approvals: { rules: [{ id: 'ask', match: { reason: 'input_required' }, audience: 'customer' }] },
});

const entryOf = (event: AguiEvent, index: number): LogEntry => ({
  seq: index + 1,
  at: 1_700_000_000_000 + index,
  source: 'agent',
  event,
  json: JSON.stringify(event),
});

const projected = (events: readonly AguiEvent[], surface: Surface): AguiEvent[] => {
  let view: View = beginView(POLICY, surface, THREAD);
  return events.flatMap((event, index) => {
    const step = viewStep(view, entryOf(event, index));
    view = step.view;
    return step.shown;
  });
};

const complaint = (events: readonly AguiEvent[]): string | undefined => {
  let said: string | undefined;
  from(events as never[])
    .pipe(verifyEvents(false) as never)
    .subscribe({ error: (failure: Error) => (said = failure.message) });
  return said;
};

const streams = fc
  .tuple(
    fc.array(fc.nat(100_000), { minLength: 20, maxLength: 200 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 5, max: 60 }),
  )
  .map(([draws, runs, length]) => new StreamAuthor(draws).write(runs, length));
const RUNS = { numRuns: 400 };

describe('any legal stream, as a surface sees it', () => {
  it('is legal to begin with', () => {
    fc.assert(
      fc.property(streams, (events) => {
        expect(complaint(events)).toBeUndefined();
      }),
      RUNS,
    );
  });

  for (const surface of ['customer', 'reviewer'] as const)
    verifies('ACC-16', `is a legal AG-UI stream for the ${surface}`, () => {
      fc.assert(
        fc.property(streams, (events) => {
          const shown = projected(events, surface);
          expect(complaint(shown)).toBeUndefined();
          for (const event of shown) expect(() => EventSchemas.parse(event)).not.toThrow();
        }),
        RUNS,
      );
    });

  for (const surface of ['customer', 'reviewer', 'operator'] as const)
    verifies('PRO-28', `is in the words of 0.0.59 what its published client takes, for the ${surface}`, () =>
      fc.assert(
        fc.asyncProperty(streams, async (events) => {
          const texts = projected(events, surface).map((event) => JSON.stringify(event));
          const said = texts.flatMap(textsIn59()).map((json) => JSON.parse(json) as AguiEvent);
          expect(await refusedBy59(said)).toBeUndefined();
        }),
        { numRuns: 80 },
      ),
    );

  verifies('ACC-18', 'holds nothing that the policy does not allow the customer', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const sent = JSON.stringify(projected(events, 'customer'));
        expect(sent).not.toContain(CANARY);
        expect(sent).not.toContain(REDACTED_CANARY);
      }),
      RUNS,
    );
  });

  verifies('ACC-19', 'holds nothing that the policy redacts for the reviewer', () => {
    fc.assert(
      fc.property(streams, (events) => {
        expect(JSON.stringify(projected(events, 'reviewer'))).not.toContain(REDACTED_CANARY);
      }),
      RUNS,
    );
  });

  it('leaves the view it was given as it was, and comes out the same twice', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const views: View[] = [beginView(POLICY, 'customer', THREAD)];
        const first = events.map((event, index) => {
          const step = viewStep(views[index]!, entryOf(event, index));
          views.push(step.view);
          return step.shown;
        });
        const again = events.map((event, index) => viewStep(views[index]!, entryOf(event, index)).shown);
        expect(again).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });

  it('is the log itself for the operator', () => {
    const events = new StreamAuthor([3, 1, 4, 1, 5, 9, 2, 6]).write(2, 30);
    expect(projected(events, 'operator')).toEqual(events);
  });
});
