/** Proves that every surface of any legal thread is a legal stream to one and the same end, whoever joins, leaves and returns when. */
import { isDeepStrictEqual } from 'node:util';
import { pendingInterruptsOf, emptyModel, modelStep, prelude, SURFACES } from '@triptych/protocol';
import type { AguiEvent, Model } from '@triptych/protocol';
import fc from 'fast-check';
import { applyWithReference, verifyWithReference } from '../../libs/protocol/test/reference-client.js';
import { verifies } from '../spec/verifies.js';
import { logs } from './legal-logs.js';
import { policies } from './policies.js';
import { World, type Screen, type Step } from './world.js';

/** More of them, or those of before again: PROPERTY_RUNS=5000 PROPERTY_SEED=7. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 40);
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 1_000_000_000);
/** A failure is made smaller for so long, then told; a machine that is slower than this plays fewer. */
const PLAY_MS = 60_000 + RUNS * 1_000;
const LIMIT_MS = PLAY_MS + 60_000;
console.log(`surfaces: PROPERTY_SEED=${SEED} PROPERTY_RUNS=${RUNS}`);
const parameters = { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: PLAY_MS };

const surface = fc.constantFrom(...SURFACES);
const which = fc.nat({ max: 40 });
const count = fc.integer({ min: 1, max: 12 });
const doing = <T extends Step['do']>(what: T) => fc.constant(what);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: doing('append'), count }) },
  { weight: 8, arbitrary: fc.record({ do: doing('tell'), count }) },
  { weight: 5, arbitrary: fc.record({ do: doing('join'), surface }) },
  { weight: 5, arbitrary: fc.record({ do: doing('return'), which }) },
  { weight: 5, arbitrary: fc.record({ do: doing('leave'), which }) },
  { weight: 3, arbitrary: fc.record({ do: doing('stall'), which }) },
  { weight: 3, arbitrary: fc.record({ do: doing('take'), which, bytes: fc.nat({ max: 300_000 }) }) },
  { weight: 5, arbitrary: fc.record({ do: doing('wait'), ms: fc.nat({ max: 80 }) }) },
  { weight: 4, arbitrary: fc.record({ do: doing('settle') }) },
  { weight: 2, arbitrary: fc.record({ do: doing('stream'), surface, which }) },
  { weight: 1, arbitrary: fc.record({ do: doing('idle') }) },
  { weight: 1, arbitrary: fc.record({ do: doing('policy'), which }) },
  { weight: 1, arbitrary: fc.record({ do: doing('lose') }) },
);

const folded = (events: readonly AguiEvent[]): Model => events.reduce<Model>(modelStep, emptyModel());

/** What must not depend on when one joined; of the open things only which they are. */
const shown = ({ warning: _warning, idsRepeat: _idsRepeat, open, ...model }: Model) => ({
  ...model,
  open: open.map(({ kind, id }) => `${kind} ${id}`).toSorted(),
});

/** Jest's own comparison tells more and costs more: it is asked where there is something to tell. */
const expectSame = (what: object, model: Model, end: Model): void => {
  if (!isDeepStrictEqual(shown(model), shown(end)))
    expect({ ...what, model: shown(model) }).toEqual({ ...what, model: shown(end) });
};

/** The stock client takes the stream, and holds afterwards what the hub does. */
const expectWhole = async (who: string, events: readonly AguiEvent[], end: Model): Promise<void> => {
  const { error } = await verifyWithReference(events);
  expect({ who, error, events }).toEqual({ who, error: undefined, events });
  expectSame({ who }, folded(events), end);
  const { messages, state, pending } = await applyWithReference(events);
  const held = { messages: end.messages, state: end.state, pending: pendingInterruptsOf(end) };
  expect({ who, messages, state, pending }).toEqual({ who, ...held });
};

/** A stream that cannot start over ends at a snapshot; a closed reader would come back. */
const isOver = ({ reader }: Screen): boolean =>
  reader.closed.length > 0 || (reader.whole && reader.snapshots > 0);

const checkScreen = async (world: World, screen: Screen): Promise<void> => {
  const { surface: seen, reader, afterSeq } = screen;
  expect({ seen, gaps: reader.gaps }).toEqual({ seen, gaps: 0 });
  const had = afterSeq === undefined ? [] : prelude(folded(world.shown(seen).slice(0, afterSeq).flat()));
  const who = afterSeq === undefined ? `${seen} screen` : `${seen} stream after ${afterSeq}`;
  await expectWhole(who, [...had, ...reader.events], world.modelOf(seen));
};

describe('any legal thread, on any surface, under any policy', () => {
  verifies(
    'FAN-59',
    'at every cut, what who joins is told and what follows are legal and come to the same',
    async () => {
      await fc.assert(
        fc.asyncProperty(logs, policies, fc.nat(), async (log, policy, at) => {
          const world = new World({ logs: [log], policies: [policy] });
          await world.end();
          for (const seen of SURFACES) {
            const each = world.shown(seen);
            const end = folded(each.flat());
            let before = emptyModel();
            for (let cut = 0; cut <= each.length; cut += 1) {
              const joined = [...prelude(before), ...each.slice(cut).flat()];
              expectSame({ seen, cut }, folded(joined), end);
              // The stock client is slow: it is asked at one cut a surface, another each time.
              if (cut === at % (each.length + 1)) await expectWhole(`${seen} at ${cut}`, joined, end);
              before = (each[cut] ?? []).reduce<Model>(modelStep, before);
            }
          }
          world.on.rooms.close();
        }),
        parameters,
      );
    },
    LIMIT_MS,
  );

  verifies(
    'FAN-59',
    'whatever readers do meanwhile, what each has been given is legal and comes to the same',
    async () => {
      const story = fc.record({
        logs: fc.array(logs, { minLength: 1, maxLength: 2 }),
        policies: fc.array(policies, { minLength: 1, maxLength: 2 }),
      });
      const steps = fc.array(step, { minLength: 30, maxLength: 120, size: 'max' });
      await fc.assert(
        fc.asyncProperty(story, steps, async (told, played) => {
          const world = new World(told);
          for (const one of played) await world.play(one);
          await world.end();
          for (const screen of world.screens) if (!isOver(screen)) await checkScreen(world, screen);
          expect(world.on.failures).toEqual([]);
          world.on.rooms.close();
        }),
        parameters,
      );
    },
    LIMIT_MS,
  );
});
