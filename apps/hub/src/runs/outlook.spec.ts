import { verifies } from '../../../../test/spec/verifies.js';
import { type Expecting, mayCome, PATIENCE_MS } from './outlook.js';

const BEGUN: Expecting = { source: 'begun', runId: 'r1', holds: false, shown: 'r1', waitedMs: 0 };
const ATTACHED: Expecting = { ...BEGUN, source: 'attached', shown: undefined };
const AWAITED: Expecting = { ...BEGUN, source: 'awaited', shown: undefined };
const HOLDING: Expecting = { ...BEGUN, holds: true };

const IDLE = {};
const RUNNING = { activeRunId: 'r1' };
const OTHER = { activeRunId: 'r9' };
const ASKING = { openBatch: 'b' };
const RESUMED = { activeRunId: 'r2', openBatch: 'b' };

describe('what a response is open for', () => {
  const tables: readonly (readonly [name: string, expecting: Expecting, comes: object[], ends: object[]])[] =
    [
      ['a run that was read here, unless somebody else must end it', BEGUN, [RUNNING], [IDLE, OTHER, ASKING]],
      ['a run it was attached to, while it runs', ATTACHED, [RUNNING], [IDLE, OTHER, ASKING, RESUMED]],
      [
        'a run that is to be begun, while the thread is kept for it',
        AWAITED,
        [ASKING, RUNNING],
        [IDLE, OTHER],
      ],
      ['the same, under a name it did not ask for', { ...AWAITED, shown: 'r2' }, [RESUMED], [ASKING, IDLE]],
      ['an answer that is held for, and its run', HOLDING, [ASKING, RESUMED, RUNNING], [IDLE, OTHER]],
      [
        'not for ever a run that does not begin',
        { ...AWAITED, waitedMs: PATIENCE_MS },
        [RUNNING],
        [ASKING, RESUMED],
      ],
      [
        'as long as it holds, an answer that may take its time',
        { ...HOLDING, waitedMs: 9 * PATIENCE_MS },
        [ASKING],
        [],
      ],
    ];
  for (const [name, expecting, comes, ends] of tables)
    verifies('HUB-30', name, () => {
      for (const thread of comes) expect(mayCome(expecting, thread)).toBe(true);
      for (const thread of [...ends, undefined]) expect(mayCome(expecting, thread)).toBe(false);
    });
});
