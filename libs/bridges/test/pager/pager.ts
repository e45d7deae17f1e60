/** A kind of place that the product does not have: all that a further one takes is in this folder. */
import { z } from 'zod';
import { shapeOf } from '@triptych/access';
import type { BridgeTerms, Place } from '../../src/contract.js';
import { LIMITED_MS } from '../../src/contract.js';
import type { Bridge, Delivery, Notice } from '../../src/core/bridge.js';
import type { DestinationOf } from '../../src/core/destination.js';
import { kind } from '../../src/core/kind.js';
import { CHAT_SCHEDULE } from '../../src/core/retry.js';
import { isAnswerable } from '../../src/core/task-facts.js';
import { visible } from '../../src/core/visible.js';
import { NOWHERE } from '../benches/nowhere.js';
import { FakePager } from './fake-pager.js';

export const pagerKind = kind({
  fields: { address: z.string().regex(/^\d{4}$/, 'must be the four digits of a pager') },
  isHeard: false,
});
/** To the compiler a twin of mail, for the list of kinds knows nothing of it. */
export const PAGER = 'pager' as 'mail';

/** What fits on its display. */
const DISPLAY = 120;

const lineOf = ({ task, link }: Notice): string => {
  const state = isAnswerable(task) ? 'waits' : (task.decision?.kind ?? task.state);
  return visible(`${state} ${link} ${task.proposal.toolName ?? ''}`).slice(0, DISPLAY);
};

export class PagerBridge implements Bridge<'mail'> {
  readonly kind = PAGER;
  readonly gapMs = 0;
  readonly schedule = CHAT_SCHEDULE;

  constructor(private readonly url: string) {}

  /** Pages have names: the same one again is changed. */
  async show(notice: Notice<'mail'>): Promise<Delivery> {
    const { destination, noticeId } = notice;
    try {
      const answer = await fetch(`${this.url}${destination.address}/${noticeId}`, {
        method: 'PUT',
        body: lineOf(notice),
      });
      return this.meaningOf(answer, noticeId);
    } catch {
      // Whatever came of it, sending it again makes no second one.
      return { kind: 'failed', why: 'no answer' };
    }
  }

  private meaningOf({ status, headers }: Response, noticeId: string): Delivery {
    if (status === 429) return { kind: 'later', retryAfterMs: Number(headers.get('retry-after')) * 1_000 };
    return status === 204 ? { kind: 'shown', posted: noticeId } : { kind: 'refused', why: String(status) };
  }
}

const destinationAt = (address: string): DestinationOf<'mail'> => ({
  ...{ id: 'pager', kind: PAGER, tenant: 'default', args: shapeOf(['']), address },
});

const placeIn = (pager: FakePager, number: string): Place<'mail'> => ({
  destination: destinationAt(number),
  found: () => pager.at(number).map((raw) => ({ raw, markup: '', buttons: 0 })),
  meet: (trouble) => pager.meet(number, trouble),
});

export const pagerTerms: BridgeTerms<'mail'> = {
  ...{ changes: true, decides: false, limits: true, resends: true, maxBytes: 3 * DISPLAY, marks: [] },
  start: async () => {
    const pager = await FakePager.start(LIMITED_MS);
    let made = 1_000;
    return {
      bridge: new PagerBridge(pager.url),
      place: () => Promise.resolve(placeIn(pager, String((made += 1)))),
      astray: () => ({ bridge: new PagerBridge(NOWHERE), destination: destinationAt('0000') }),
      later: () => Promise.resolve(),
      close: () => pager.stop(),
    };
  },
};
