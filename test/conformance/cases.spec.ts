/** The numbered cases of AG-UI 1.0 conformance, each put to one running hub. */
import { numbers, raiseStand, strikeStand } from './suite.js';
import './interrupts.js';
import './lifecycle.js';
import './projection.js';
import './reasoning-steps-subagents.js';
import './schema.js';
import './state.js';
import './text-and-chunks.js';
import './tools.js';

const UP_WITHIN_MS = 120_000;

beforeAll(raiseStand, UP_WITHIN_MS);
afterAll(strikeStand, UP_WITHIN_MS);

it('holds no case twice', () => {
  expect(new Set(numbers).size).toBe(numbers.length);
});
