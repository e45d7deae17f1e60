/** What a program is told of a task: every life of it, seen at whatever moments, through whatever failures. */
import fc from 'fast-check';
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { decided, viewOf } from '../../test/views.js';
import type { What } from './bridge.js';
import { afterDelivery, isBehind, type Posting } from './posting.js';
import { printOf } from './print.js';
import { ENDPOINT_SCHEDULE } from './retry.js';
import { nextStepOf, stepOf } from './steps.js';

const NOW = 1_000;
const view = viewOf('aaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb.cccccccccccccccc');
const batch = (state: TaskView['batch']['state']) => ({ batch: { ...view.batch, open: 0, state } });
const answered = decided({ ...view, rev: 3 });

const PENDING = view;
const CLAIMED: TaskView = {
  ...view,
  ...{ rev: 2, state: 'claimed', claim: { by: 'rita', until: 5_000, maxUntil: 9_000 } },
};
const HELD: TaskView = { ...answered, state: 'held', heldUntil: 3_000 };
const DECIDED: TaskView = { ...answered, ...batch('ready') };
const SENT: TaskView = { ...answered, state: 'dispatched', ...batch('running') };
const CLOSED: TaskView = { ...answered, state: 'closed', ...batch('done') };
const UNKNOWN: TaskView = { ...answered, state: 'decided', ...batch('unknown') };
const EXPIRED: TaskView = {
  ...view,
  ...{ rev: 3, state: 'expired', decision: { kind: 'expired', by: [], at: 2_000 } },
};

interface Told {
  readonly what: What;
  readonly id: string;
}

/** A destination that is shown the task as it is at some moments; of its answers some fail. */
class Program {
  readonly told: Told[] = [];
  private posting: Posting = {};

  /** True: there is more to be told at once. */
  attempt(seen: TaskView, arrives = true): boolean {
    const print = printOf(seen);
    if (!isBehind(this.posting, print)) return false;
    const step = nextStepOf({ shown: this.posting.shown, view: seen, name: 'crm' });
    if (step.what !== 'changed') this.told.push({ what: step.what, id: step.stepId });
    const { posting, again } = afterDelivery(
      this.posting,
      arrives ? { kind: 'shown', posted: step.stepId } : { kind: 'unsure', why: 'no answer' },
      { schedule: ENDPOINT_SCHEDULE, print, then: step.then, now: NOW, chance: 0 },
    );
    this.posting = posting;
    return arrives && again !== undefined;
  }

  see(seen: TaskView): void {
    while (this.attempt(seen));
  }

  /** As a receiver has it that knows what it was sent before. */
  get heard(): readonly What[] {
    const known = new Map(this.told.map(({ id, what }) => [id, what]));
    return [...known.values()];
  }
}

const heardOf = (...seen: readonly TaskView[]): readonly What[] => {
  const program = new Program();
  for (const each of seen) program.see(each);
  return program.heard;
};

describe('a program', () => {
  const LIVES: readonly (readonly [string, readonly TaskView[], readonly What[]])[] = [
    [
      'all of it',
      [PENDING, CLAIMED, HELD, DECIDED, SENT, CLOSED],
      ['created', 'claimed', 'decided', 'resumed'],
    ],
    ['its end alone', [CLOSED], ['created', 'decided', 'resumed']],
    ['its begin and its end', [PENDING, CLOSED], ['created', 'decided', 'resumed']],
    ['an answer that is on its way', [HELD, SENT], ['created', 'decided', 'resumed']],
    ['that time was up', [PENDING, EXPIRED], ['created', 'expired']],
    ['that time was up before anybody looked', [EXPIRED], ['created', 'expired']],
    ['that time was up after the answer', [DECIDED, EXPIRED], ['created', 'decided', 'expired']],
    ['that nobody knows what became of it', [PENDING, UNKNOWN], ['created', 'decided', 'failed']],
    ['a second try', [DECIDED, SENT, UNKNOWN, SENT], ['created', 'decided', 'resumed', 'failed', 'resumed']],
    ['a superseded one', [PENDING, { ...view, state: 'superseded' }], ['created', 'decided']],
  ];
  for (const [what, seen, told] of LIVES)
    verifies('BRG-95', `that saw ${what} is told ${told.join(', ')}`, () => {
      expect(heardOf(...seen)).toEqual(told);
    });

  verifies('BRG-95', 'is told once, in order, how a task ended, however often it looked and failed', () => {
    const life = [PENDING, CLAIMED, HELD, DECIDED, SENT, CLOSED];
    const looks = fc.array(fc.record({ at: fc.nat(life.length - 1), arrives: fc.boolean() }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(looks, (tries) => {
        const program = new Program();
        for (const { at, arrives } of [...tries].sort((one, other) => one.at - other.at))
          program.attempt(life[at]!, arrives);
        program.see(CLOSED);
        const ends = program.heard.filter((what) => what !== 'claimed');
        expect(ends).toEqual(['created', 'decided', 'resumed']);
      }),
    );
  });

  verifies('BRG-96', 'knows what it was sent again by its id, though the task has gone on', () => {
    const program = new Program();
    program.see(PENDING);
    for (const seen of [DECIDED, SENT, CLOSED]) program.attempt(seen, false);
    expect(program.told.map(({ what }) => what)).toEqual(['created', 'decided', 'decided', 'decided']);
    expect(new Set(program.told.map(({ id }) => id)).size).toBe(2);
  });

  verifies('BRG-96', 'does not take one answer for another that came after a reopening', () => {
    const again = decided({ ...view, rev: 5 });
    const second: TaskView = { ...again, decision: { kind: 'rejected', by: ['rolf'], at: 7_000 } };
    const program = new Program();
    program.see(PENDING);
    program.attempt(DECIDED, false);
    program.see({ ...view, rev: 4 });
    program.see(second);
    expect(program.heard).toEqual(['created', 'decided', 'decided']);
  });

  verifies('BRG-7', 'is shown nothing twice, and a chat at once what is', () => {
    const program = new Program();
    program.see(CLOSED);
    expect(program.attempt(CLOSED)).toBe(false);
    const card = stepOf({ shown: undefined, view: CLOSED, name: 'desk' });
    expect(card).toMatchObject({ what: 'created', then: { print: printOf(CLOSED) } });
  });
});
