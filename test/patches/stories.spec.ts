/** Proves over stories of random patches that what a surface has built is what it may see, and that no byte tells more. */
import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beginView, compilePolicy, viewStep, type View } from '@triptych/access';
import { applyPatch, type AguiEvent, type JsonPatch } from '@triptych/protocol';
import jsonpatch, { type Operation } from 'fast-json-patch';
import { Chance } from '../history/chance.js';
import { verifies } from '../spec/verifies.js';
import { shownByHand, type Rules } from './by-hand.js';
import { StoryTeller } from './story.js';

/** More of them, or those of before again: PATCHES=500000 PATCHES_SEED=7 npm test -- test/patches. */
const PATCHES = Number(process.env['PATCHES'] ?? 50_000);
const SEED = process.env['PATCHES_SEED'] ?? String(randomInt(1_000_000));
const IN_A_STORY = 25;
const LIMIT_MS = 120_000 + PATCHES * 20;
const SURFACES = ['customer', 'reviewer'] as const;

const MARK = /§\d+§/g;
const marksIn = (value: unknown): ReadonlySet<string> => new Set(JSON.stringify(value).match(MARK) ?? []);
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

interface Counts {
  patches: number;
  /** That did not apply: nothing may be shown of them. */
  failed: number;
  deltas: number;
  /** Deltas that are the agent's own steps. */
  forwarded: number;
}

class Screen {
  private view: View;
  /** As a stock client holds it, and as our own does. */
  private stock: unknown = {};
  private own: unknown = {};

  constructor(
    surface: (typeof SURFACES)[number],
    private readonly rules: Rules,
    private readonly counts: Counts,
  ) {
    const read = compilePolicy({ surfaces: { [surface]: rules } });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    this.view = beginView(read.value, surface, { agentId: 'a', tenant: 't' });
  }

  /** `states`: the state before, after each step, and so last as it is now. */
  take(event: AguiEvent, states: readonly unknown[]): void {
    const step = viewStep(this.view, { seq: 1, at: 0, source: 'agent', event });
    this.view = step.view;
    for (const shown of step.shown) this.read(shown, event);
    const wanted = shownByHand(this.rules, states.at(-1));
    this.hold(isDeepStrictEqual(this.stock, wanted), 'a stock client diverged', wanted);
    this.hold(isDeepStrictEqual(this.own, wanted), 'our client diverged', wanted);
    this.mustNotLeak(step.shown, states);
  }

  private read(shown: AguiEvent, { delta: given }: AguiEvent): void {
    if (shown.type === 'STATE_SNAPSHOT') {
      this.stock = wire(shown['snapshot']);
      this.own = wire(shown['snapshot']);
      return;
    }
    const delta = wire(shown['delta'] as JsonPatch);
    this.counts.deltas += 1;
    if (
      delta.every(({ op, path }) => (given as JsonPatch).some((step) => step.op === op && step.path === path))
    )
      this.counts.forwarded += 1;
    this.hold(delta.length > 0, 'an empty delta', shown);
    this.hold(
      !delta.some(({ op }) => op === 'test' || op === ('future' as string)),
      'a step that tells nothing',
      delta,
    );
    this.stock = jsonpatch.applyPatch(this.stock, wire(delta) as Operation[], true, true).newDocument;
    const patched = applyPatch(this.own, delta);
    this.hold(patched.ok, 'our client did not take it', patched);
    if (patched.ok) this.own = patched.value;
  }

  /** What may be seen of the state at any moment of a patch may be in it. */
  private mustNotLeak(shown: readonly AguiEvent[], states: readonly unknown[]): void {
    let left = [...marksIn(shown)];
    for (const state of states.toReversed()) {
      if (left.length === 0) return;
      const seen = marksIn(shownByHand(this.rules, state));
      left = left.filter((mark) => !seen.has(mark));
    }
    this.hold(left.length === 0, `a leak of ${left.join(', ')}`, shown);
  }

  private hold(holds: boolean, what: string, seen: unknown): void {
    if (!holds) throw new Error(`${what}: ${JSON.stringify({ rules: this.rules, seen, stock: this.stock })}`);
  }
}

/** The state before the patch and after each of its steps; only the first where the patch does not apply. */
const statesOf = (state: unknown, patch: JsonPatch): readonly unknown[] => {
  const states = [state];
  for (const step of patch) {
    const patched = applyPatch(states.at(-1), [step]);
    if (!patched.ok) return [state];
    states.push(patched.value);
  }
  return states;
};

const play = (story: string, counts: Counts): void => {
  const chance = new Chance(story);
  const teller = new StoryTeller(chance);
  let state = teller.state();
  const screens = SURFACES.map((surface) => new Screen(surface, teller.rules(state), counts));
  const tell = (event: AguiEvent, states: readonly unknown[]): void => {
    for (const screen of screens) screen.take(event, states);
    state = states.at(-1);
  };
  tell({ type: 'STATE_SNAPSHOT', snapshot: state }, [state]);
  for (let n = 0; n < IN_A_STORY; n += 1) {
    const patch = teller.patch(state);
    const states = statesOf(state, patch);
    counts.patches += 1;
    if (states.length === 1 && patch.length > 0) counts.failed += 1;
    try {
      tell({ type: 'STATE_DELTA', delta: wire(patch) }, states);
    } catch (error) {
      throw new Error(`story ${story}, patch ${n}: ${JSON.stringify({ state, patch })}`, { cause: error });
    }
  }
};

describe(`patches from seed ${SEED}`, () => {
  verifies(
    'ACC-60',
    'whatever they are and whatever the rules: each surface holds what it may see, and no byte tells more',
    () => {
      const counts: Counts = { patches: 0, failed: 0, deltas: 0, forwarded: 0 };
      for (let n = 0; counts.patches < PATCHES; n += 1) play(`${SEED}/${n}`, counts);
      process.stderr.write(
        `patches: PATCHES_SEED=${SEED} PATCHES=${PATCHES}: ${counts.patches} patches on two surfaces, ${counts.failed} of them did not apply, ` +
          `${counts.deltas} deltas shown, ${counts.forwarded} of them the agent's own; 0 diverged, 0 leaked\n`,
      );
      // A generator that draws nothing to look at proves nothing.
      expect(counts.deltas).toBeGreaterThan(counts.patches / 4);
      expect(counts.forwarded).toBeGreaterThan(0);
      expect(counts.failed).toBeGreaterThan(0);
      expect(counts.failed).toBeLessThan(counts.patches / 2);
    },
    LIMIT_MS,
  );
});
