/** Slips of the pen in a scenario are told before the first run. */
import { verifies } from '../../../../test/spec/verifies.js';
import { parseScenario } from './parse-scenario.js';

const problemOf = (more: object): string => {
  const read = parseScenario({ id: 'x', about: 'a test', start: [], ...more });
  return read.ok ? '' : read.problem;
};

describe('parseScenario', () => {
  verifies('AGT-28', 'names what is wrong, and where', () => {
    expect(problemOf({ start: [{ say: 'hi' }] })).toBe('');
    expect(problemOf({ start: [{ shout: 'hi' }] })).toMatch(/no verb among shout[\s\S]*start\[0\]/);
    expect(problemOf({ start: [{ step: 'a', do: [{ say: 'hi', pace: 3 }] }] })).toMatch(/pace[\s\S]*do\[0\]/);
    expect(problemOf({ start: [{ say: 'for {{amuont | money}}' }] })).toContain(
      '{{amuont}}, which is no value of it',
    );
    expect(problemOf({ id: 'No Id' })).toContain('id');
    expect(problemOf({ begin: [] })).toContain('begin');
  });
});
