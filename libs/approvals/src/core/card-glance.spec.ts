import { moneyIn, TASK_STATES, type DecisionKind } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { NOON, olga, only, opened, policy, rita, transferOf } from '../../test/bank.js';
import { show, shownOn } from '../shell/show.js';
import type { Batch } from './batch.js';
import { CardGlance } from './card-glance.js';
import { FacetCount } from './inbox-facets.js';
import { cardOf } from './inbox-card.js';
import { asks, matchesInbox, type InboxFilter } from './inbox-query.js';
import type { Matter } from './matter.js';
import type { OpenTask, Task } from './task.js';

const MINUTE = 60_000;

const paying = (amount: number): Batch =>
  opened({
    ...transferOf(amount),
    calls: { c1: { name: 'transfer', argsText: JSON.stringify({ amount, currency: 'EUR', to: 'Ann' }) } },
  });

const asked = (batch: Batch, change: Partial<OpenTask> = {}): Batch => ({
  ...batch,
  tasks: [{ ...(only(batch) as OpenTask), ...change } as Task],
});

const decided = (batch: Batch, kind: DecisionKind): Batch => {
  const { claim: _claim, ...task } = only(batch) as OpenTask;
  const decision = { id: 'd', kind, by: ['rita'], at: NOON + 9, proposalHash: '', payloadHash: '' };
  const settled = { ...task, status: 'settled', decision } as unknown as Task;
  return { ...batch, tasks: [settled], status: { state: 'done', at: NOON + 9 } } as Batch;
};

const seenBy = ({ batch, actor, now }: Pick<Matter, 'batch' | 'actor' | 'now'>) => {
  const task = only(batch);
  const card = cardOf(batch, task, shownOn(policy, batch, task));
  return {
    glance: new CardGlance(card, actor === olga ? 'operator' : 'audience', now),
    view: show(policy, { batch, task, actor, now }),
  };
};

describe('what a question to the inbox asks', () => {
  const claim = { by: 'rita', until: NOON + 5 * MINUTE, maxUntil: NOON + 9 * MINUTE };
  const base = paying(500);
  const batches = [
    base,
    paying(2_000),
    asked(base, { claim }),
    asked(base, { dueAt: NOON + MINUTE }),
    asked(base, { edit: { by: 'rita', at: NOON, args: { amount: 70, currency: 'EUR' } } as never }),
    decided(base, 'approved'),
    decided(base, 'cancelled'),
    opened({ interrupts: [{ id: 'q', reason: 'confirmation' }] }),
  ];
  const everything = { states: TASK_STATES };
  const filters: InboxFilter[] = [
    ...[{ agent: 'teller' }, { agent: 'nobody' }, { tool: 'transfer' }, { reason: 'confirmation' }],
    ...[{ holder: 'rita' }, { holder: 'sven' }, { holder: '' }],
    ...[{ dueBefore: NOON + MINUTE }, { dueBefore: NOON + MINUTE + 1 }, { dueAfter: NOON + MINUTE }],
    ...[{ minAmount: 500 }, { maxAmount: 499 }, { minAmount: 60, maxAmount: 80 }],
    ...[{ minPriority: 50 }, { minPriority: 51 }, { minPriority: 101 }],
    ...[{ decisions: ['approved'] as const }, { decisions: ['cancelled', 'expired'] as const }],
    ...[{ endedAfter: NOON + 9 }, { endedAfter: NOON + 10 }, { q: 'ANN' }, { group: 'advisors' }],
  ].map((filter) => ({ ...everything, ...filter }));
  const moments = [NOON, NOON + 2 * MINUTE, claim.until, NOON + 30 * MINUTE];

  verifies(
    'APR-110',
    'finds by its card what its reader is shown of it, and what they are not shown finds nothing',
    () => {
      const seen = batches.flatMap((batch) =>
        [rita, olga].flatMap((actor) => moments.map((now) => seenBy({ batch, actor, now }))),
      );
      const found = filters.map((filter) => {
        const hits = seen.map(({ glance }) => asks(filter)(glance));
        expect([filter, hits]).toEqual([filter, seen.map(({ view }) => matchesInbox(view, filter))]);
        return hits.filter(Boolean).length;
      });
      const all = seen.length;
      // Each filter is one that finds some and not all, but those that are meant to find none.
      const odd = filters.filter((_, i) => found[i] === 0 || found[i] === all);
      const wanted = filters.filter(
        ({ agent, holder, minPriority, dueBefore, endedAfter }) =>
          agent !== undefined ||
          dueBefore === NOON + MINUTE ||
          holder === 'sven' ||
          [50, 101].includes(minPriority ?? 0) ||
          endedAfter === NOON + 10,
      );
      expect(odd).toEqual(wanted);
    },
  );

  verifies('APR-110', 'a sum that is hidden from whoever asks is none', () => {
    const taxed = { taxId: { amount: 5, currency: 'EUR' } };
    const batch = opened({
      ...transferOf(1),
      calls: { c1: { name: 'transfer', argsText: JSON.stringify(taxed) } },
    });
    expect(moneyIn(taxed)).toEqual({ value: 5, currency: 'EUR' });
    expect(shownOn(policy, batch, only(batch)).sums).toEqual({ operator: 5, audience: undefined });
  });

  verifies('APR-112', 'counts what is open by reader, time and name, and nothing that is over', () => {
    const count = new FacetCount(NOON + 2 * MINUTE);
    for (const batch of batches) {
      const task = only(batch);
      count.add(
        new CardGlance(cardOf(batch, task, shownOn(policy, batch, task)), 'audience', NOON + 2 * MINUTE),
      );
    }
    const facets = count.facetsFor('rita');
    expect(facets).toMatchObject({
      open: 6,
      mine: 1,
      agents: { teller: 6 },
      tools: { transfer: 5 },
      groups: { advisors: 5 },
      holders: { rita: 1 },
    });
    expect(facets.over).toBe(
      batches.slice(0, 5).filter((batch) => {
        const { dueAt } = only(batch);
        return dueAt !== undefined && dueAt < NOON + 2 * MINUTE;
      }).length,
    );
  });
});
