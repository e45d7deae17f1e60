import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { applyWithReference, verifyWithReference } from '../../../test/reference-client.js';
import { richLog } from '../../../test/rich-streams.js';
import type { AguiEvent } from '../agui.js';
import { modelStep } from './model-step.js';
import { emptyModel, type Model } from './model.js';
import { prelude } from './prelude.js';
import { pendingInterruptsOf } from './read-model.js';

const fold = (events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());

/** What must not depend on when one joined; of the open things only which they are. */
const shown = ({ warning: _warning, idsRepeat: _idsRepeat, open, ...model }: Model): unknown => ({
  ...model,
  open: open.map(({ kind, id }) => `${kind} ${id}`).toSorted(),
});

const joinedAt = (log: readonly AguiEvent[], cut: number): readonly AguiEvent[] => [
  ...prelude(fold(log.slice(0, cut))),
  ...log.slice(cut),
];

describe('joining a thread', () => {
  verifies('PRO-16', 'the model holds what the reference client holds', async () => {
    await fc.assert(
      fc.asyncProperty(richLog, async (log) => {
        const model = fold(log);
        const reference = await applyWithReference(log);
        expect(model.messages).toEqual(reference.messages);
        expect(model.state).toEqual(reference.state);
        expect(pendingInterruptsOf(model)).toEqual(reference.pending);
      }),
      { numRuns: 30 },
    );
  });

  verifies('PRO-18', 'at any cut, prelude and tail are legal and come to the same', async () => {
    await fc.assert(
      fc.asyncProperty(richLog, async (log) => {
        const all = shown(fold(log));
        for (let cut = 0; cut <= log.length; cut += 1) {
          const joined = joinedAt(log, cut);
          expect({ cut, model: shown(fold(joined)) }).toEqual({ cut, model: all });
          const { error } = await verifyWithReference(joined);
          expect({ cut, error }).toEqual({ cut, error: undefined });
        }
      }),
      { numRuns: 8 },
    );
  });

  verifies('PRO-18', 'a stock client that joins ends as one that was there', async () => {
    await fc.assert(
      fc.asyncProperty(richLog, fc.nat(200), async (log, at) => {
        const there = await applyWithReference(log);
        const joined = await applyWithReference(joinedAt(log, at % (log.length + 1)));
        expect({ ...joined, warnings: [] }).toEqual({ ...there, warnings: [] });
      }),
      { numRuns: 30 },
    );
  });
});
