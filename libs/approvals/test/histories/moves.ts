/** Draws what can happen to a batch: whatever people, time, its agent and its operators do, in any order. */
import type { Actor } from '@triptych/access';
import fc from 'fast-check';
import type { DecideCommand } from '../../src/core/command.js';
import type { ResumeEnd } from '../../src/core/failure-classes.js';
import { carl, cora, olga, rita, rolf, sven } from '../bank.js';

const MINUTE = 60_000;
/** Values are few, so that people agree, repeat themselves and collide. */
const EDITS = [{ amount: 400 }, { amount: 4_000 }, { amount: 500 }];
export const PEOPLE: readonly Actor[] = [rita, rolf, cora, sven, olga, carl];

export const ASKS = [
  'confirmation',
  'bank:ask',
  'bank:pair',
  'bank:slip',
  'bank:slips',
  'bank:brief',
  'bank:wait',
  'input_required',
  'small transfer',
  'large transfer',
] as const;
export type Ask = (typeof ASKS)[number];

export interface Interrupted {
  readonly ask: Ask;
  /** The agent's own deadline; minutes after the opening. */
  readonly deadline: number | null;
}
/** What a run ended in: interrupts, or calls of its client's tools. */
export type Opening =
  | { readonly kind: 'interrupts'; readonly agentId: string; readonly interrupts: readonly Interrupted[] }
  | { readonly kind: 'calls'; readonly tools: readonly string[] };

export interface Decide {
  readonly kind: 'decide';
  readonly who: Actor;
  readonly nth: number;
  readonly command: DecideCommand;
  /** By somebody who read the task before it was changed last; else in words that fit it. */
  readonly stale: boolean;
}
export const WORKS = [
  'claim',
  'release',
  'heartbeat',
  'takeover',
  'comment',
  'assign',
  'extend',
  'undo',
] as const;
export const MENDS = ['retry', 'reopen', 'cancel', 'markDone'] as const;

export type Move =
  | Decide
  | { readonly kind: 'bulk'; readonly who: Actor; readonly command: DecideCommand }
  | {
      readonly kind: 'work';
      readonly who: Actor;
      readonly nth: number;
      readonly verb: (typeof WORKS)[number];
      readonly pick: number;
    }
  /** By the door of AG-UI: about all that is asked, or else about whatever, even twice or never asked. */
  | {
      readonly kind: 'resume';
      readonly who: Actor;
      readonly whole: boolean;
      readonly entries: readonly { readonly nth: number; readonly command: DecideCommand }[];
    }
  /** The client answers the calls of its tools. */
  | { readonly kind: 'answer' }
  /** `looked`: somebody came by and saw to what fell due. */
  | { readonly kind: 'wait'; readonly ms: number; readonly looked: boolean }
  | { readonly kind: 'send'; readonly end: ResumeEnd }
  | { readonly kind: 'mend'; readonly verb: (typeof MENDS)[number] };

const who = fc.constantFrom(rita, rita, rolf, rolf, ...PEOPLE);
const command: fc.Arbitrary<DecideCommand> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<DecideCommand>({ verb: 'approve' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...EDITS)
      .map((editedArgs): DecideCommand => ({ verb: 'approve', editedArgs })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom({}, { reason: 'No.' })
      .map((said): DecideCommand => ({ verb: 'reject', ...said })),
  },
  { weight: 4, arbitrary: fc.nat(1).map((payload): DecideCommand => ({ verb: 'respond', payload })) },
  { weight: 1, arbitrary: fc.constant<DecideCommand>({ verb: 'cancel' }) },
);

const CODES = [
  undefined,
  'INVALID_PAYLOAD',
  'THREAD_BUSY',
  'UNKNOWN_INTERRUPT_ID',
  'INTERRUPT_EXPIRED',
  'E_DB',
  'hub/timeout-idle',
] as const;
const end: fc.Arbitrary<ResumeEnd> = fc
  .record({
    outcome: fc.constantFrom('success', 'interrupt', 'cancelled', 'error', 'error', 'error', 'lost'),
    sent: fc.boolean(),
    idempotent: fc.boolean(),
    atStart: fc.boolean(),
    code: fc.constantFrom(...CODES),
    message: fc.constantFrom(undefined, 'i0 is no use to me.'),
  })
  .map(({ code, message, ...rest }) => ({
    ...rest,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  }));

const SHORT = [1, 149, 150, 59_999, MINUTE] as const;
const LONG = [6 * MINUTE, 11 * MINUTE, 16 * MINUTE, 61 * MINUTE] as const;

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      who,
      nth: fc.nat(3),
      command,
      stale: fc.nat(7).map((one) => one === 0),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bulk' as const), who, command }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      who,
      nth: fc.nat(3),
      verb: fc.constantFrom(...WORKS, 'undo' as const),
      pick: fc.nat(2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resume' as const),
      who,
      whole: fc.nat(2).map((one) => one > 0),
      entries: fc.array(fc.record({ nth: fc.nat(4), command }), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(...SHORT, ...SHORT, ...LONG),
      looked: fc.nat(3).map((one) => one > 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), end }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mend' as const), verb: fc.constantFrom(...MENDS) }),
  },
);

const opening: fc.Arbitrary<Opening> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('interrupts' as const),
      agentId: fc.constantFrom('teller', 'careful'),
      interrupts: fc.array(
        fc.record({ ask: fc.constantFrom(...ASKS), deadline: fc.option(fc.integer({ min: -1, max: 90 })) }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      // Of the one a rule has people answer; the other is its client's.
      tools: fc
        .array(fc.constantFrom('payOut', 'pickSeat'), { minLength: 1, maxLength: 4 })
        .filter((tools) => tools.includes('payOut')),
    }),
  },
);

export interface History {
  readonly opening: Opening;
  readonly moves: readonly Move[];
}

export const HISTORIES: fc.Arbitrary<History> = fc.record({
  opening,
  moves: fc.array(move, { minLength: 8, maxLength: 40 }),
});
