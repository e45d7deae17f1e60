/** Proves by the published AG-UI client that a reader who missed a piece is brought on by legal events to the same end. */
import fc from 'fast-check';
import { emptyModel, modelStep, type AguiEvent, type Model } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { applyWithReference, verifyWithReference } from '../../../protocol/test/reference-client.js';
import { richLog } from '../../../protocol/test/rich-streams.js';
import { bridge } from './bridge.js';

const fold = (events: readonly AguiEvent[], from: Model = emptyModel()): Model =>
  events.reduce(modelStep, from);

const cuts = (log: readonly AguiEvent[], a: number, b: number): readonly [number, number] => {
  const [from, to] = [a % (log.length + 1), b % (log.length + 1)];
  return from <= to ? [from, to] : [to, from];
};

/** What was told up to `from`, the bridge to `to`, and on from there. */
const bridged = (log: readonly AguiEvent[], from: number, to: number): readonly AguiEvent[] => [
  ...log.slice(0, from),
  ...bridge(fold(log.slice(0, from)), fold(log.slice(0, to))),
  ...log.slice(to),
];

/** The reference client takes its time with long streams, more so on a busy machine. */
const PROPERTY_MS = 180_000;

describe('a bridge over what was missed', () => {
  verifies(
    'CLI-28',
    'is legal wherever the piece began and ended',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          richLog,
          fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { minLength: 12, maxLength: 12 }),
          async (log, pairs) => {
            for (const [a, b] of pairs) {
              const [from, to] = cuts(log, a, b);
              const { error } = await verifyWithReference(bridged(log, from, to));
              expect({ from, to, error }).toEqual({ from, to, error: undefined });
            }
          },
        ),
        { numRuns: 12 },
      );
    },
    PROPERTY_MS,
  );

  verifies(
    'CLI-28',
    'leads to the same messages and state as having seen it all',
    async () => {
      await fc.assert(
        fc.asyncProperty(richLog, fc.nat(400), fc.nat(400), async (log, a, b) => {
          const [from, to] = cuts(log, a, b);
          const there = await applyWithReference(log);
          const joined = await applyWithReference(bridged(log, from, to));
          expect({ messages: joined.messages, state: joined.state }).toEqual({
            messages: there.messages,
            state: there.state,
          });
        }),
        { numRuns: 20, endOnFailure: true },
      );
    },
    PROPERTY_MS,
  );

  verifies('CLI-28', 'says nothing where nothing was missed', () => {
    fc.assert(
      fc.property(richLog, (log) => {
        const model = fold(log);
        expect(bridge(model, model)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
