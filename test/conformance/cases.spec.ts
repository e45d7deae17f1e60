/** The numbered cases of AG-UI 1.0 conformance, each put to one running hub. */
import { numbers, raiseStand, strikeStand } from './suite.js';
import './interrupts.js';
import './lifecycle.js';
import './ordering-and-reconnect.js';
import './projection.js';
import './reasoning-steps-subagents.js';
import './schema.js';
import './state.js';
import './text-and-chunks.js';
import './tools.js';

const UP_WITHIN_MS = 120_000;
const CASES = 120;
/** Halves of one that are told apart. */
const HALVES = ['110a', '110b'];

beforeAll(raiseStand, UP_WITHIN_MS);
afterAll(strikeStand, UP_WITHIN_MS);

it('holds every case once', () => {
  const all = [...Array.from({ length: CASES }, (_, index) => String(index + 1)), ...HALVES];
  expect(numbers.toSorted()).toEqual(all.toSorted());
});
