import { verifies } from '../../../../test/spec/verifies.js';
import { MAX_A_RUN, warningsFound } from './findings.js';

const messages = (kept: number, warnings: readonly string[]): string[] =>
  warningsFound(warnings, { runId: 'r', kept }).map(({ message }) => message);

describe('warnings', () => {
  verifies('RUN-28', 'of one write that are equal are one finding with a count', () => {
    expect(warningsFound(['odd', 'new', 'odd'], { runId: 'r', kept: 0 })).toEqual([
      { kind: 'warning', message: 'odd', runId: 'r', count: 2 },
      { kind: 'warning', message: 'new', runId: 'r' },
    ]);
  });

  verifies('RUN-28', 'of a run end with one that says there is more', () => {
    const many = Array.from({ length: 80 }, (_, nth) => `odd ${nth}`);
    expect(messages(0, many)).toHaveLength(MAX_A_RUN);
    expect(messages(0, many).at(-1)).toMatch(/more/u);
    expect(messages(MAX_A_RUN - 1, ['odd'])).toEqual([messages(0, many).at(-1)]);
    expect(messages(MAX_A_RUN, ['odd'])).toEqual([]);
  });

  verifies('RUN-28', 'are as long as a person reads', () => {
    expect(messages(0, ['x'.repeat(100_000)])[0]?.length).toBeLessThan(600);
  });
});
