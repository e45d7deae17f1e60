/** What becomes of attempts: pure judgements, hour by hour. */
import { verifies } from '../../../../test/spec/verifies.js';
import { decided, taskOf, viewOf } from '../../test/views.js';
import { compileBridges } from './bridges.js';
import type { Delivery } from './bridge.js';
import { afterDelivery, beginSending, dueAt, isBehind, isUnsure, revived, type Posting } from './posting.js';
import { printOf, wasOf, whatSince } from './print.js';
import { CHAT_SCHEDULE, ENDPOINT_SCHEDULE, type Schedule } from './retry.js';
import { slackCard } from '../slack/core/card.js';
import { cutFor, destinationsFor, reachable, type Standing } from './route.js';

const HOUR = 3_600_000;
const view = viewOf('aaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb.cccccccccccccccc');
const at = (now: number, schedule = CHAT_SCHEDULE, chance = 0) => ({
  schedule,
  print: 'p1',
  then: { print: 'p1', was: wasOf(view) },
  now,
  chance,
});
const FAILED: Delivery = { kind: 'failed', why: 'http 500' };

/** When a destination that never works is tried, until it is given up. */
const triesOf = (schedule: Schedule, chance = 0): number[] => {
  const tries: number[] = [];
  let posting: Posting = {};
  for (let now: number | undefined = 1_000; now !== undefined;) {
    tries.push(now - 1_000);
    const outcome = afterDelivery(posting, FAILED, at(now, schedule, chance));
    ({ posting } = outcome);
    now = outcome.again;
    expect(outcome.dead === undefined).toBe(now !== undefined);
  }
  expect(posting).toMatchObject({ dead: true, failing: { attempts: tries.length, why: 'http 500' } });
  return tries;
};

describe('an attempt', () => {
  verifies('BRG-10', 'that fails is made again by the schedule of its bridge, for a day', () => {
    const hours = [2, 5, 10, 14, 20, 24].map((n) => n * HOUR);
    expect(triesOf(ENDPOINT_SCHEDULE)).toEqual([0, 5_000, 300_000, 1_800_000, ...hours]);
    const chats = triesOf(CHAT_SCHEDULE);
    expect(chats.slice(0, 4)).toEqual([0, 1_000, 5_000, 30_000]);
    expect(chats.at(-1)).toBe(24 * HOUR);
    const jittered = triesOf(ENDPOINT_SCHEDULE, 0.5);
    expect(jittered.slice(0, 3)).toEqual([0, 5_250, 315_000]);
  });

  verifies('BRG-10', 'that is refused is given up at once, and its destination counts as ill', () => {
    const outcome = afterDelivery({}, { kind: 'refused', why: 'x'.repeat(999) }, at(1_000));
    expect(outcome).toMatchObject({ posting: { dead: true }, health: 'ill' });
    expect(outcome.dead).toHaveLength(300);
    expect(isBehind(outcome.posting, 'p2')).toBe(false);
    expect(revived(outcome.posting)).toEqual({});
  });

  verifies(
    'BRG-9',
    'that comes too soon costs nothing but the time asked for, up to a quarter of an hour',
    () => {
      for (const [asked, given] of [
        [700, 700],
        [0, 50],
        [Number.NaN, 50],
        [HOUR, 900_000],
      ] as const) {
        const outcome = afterDelivery({}, { kind: 'later', retryAfterMs: asked }, at(1_000));
        expect(outcome).toEqual({ posting: {}, again: 1_000 + given, holdMs: given });
      }
    },
  );

  verifies('BRG-115', 'of one that waits alone is tried again, spends no attempt and holds nobody up', () => {
    const lost = afterDelivery({}, { kind: 'unsure', why: 'timeout' }, at(1_000)).posting;
    const outcome = afterDelivery(lost, { kind: 'waits', forMs: 2_000 }, at(5_000));
    expect(outcome).toEqual({ posting: lost, again: 7_000 });
    const long = afterDelivery({}, { kind: 'waits', forMs: Number.POSITIVE_INFINITY }, at(0));
    expect(long).toEqual({ posting: {}, again: 50 });
  });

  verifies('BRG-8', 'that nobody answered leaves the next one unsure, until something is shown', () => {
    expect(isUnsure(beginSending({}, 'p1'))).toBe(true);
    const lost = afterDelivery({}, { kind: 'unsure', why: 'timeout' }, at(1_000)).posting;
    expect(isUnsure(lost)).toBe(true);
    // A plain failure after it says nothing of the one before.
    const still = afterDelivery(lost, FAILED, at(2_000)).posting;
    expect(isUnsure(still)).toBe(true);
    const shown = afterDelivery(still, { kind: 'shown', posted: 'C/1' }, at(3_000)).posting;
    expect(shown).toEqual({ shown: { posted: 'C/1', print: 'p1', was: wasOf(view) } });
    expect([isUnsure(shown), isBehind(shown, 'p1'), isBehind(shown, 'p2')]).toEqual([false, false, true]);
  });

  verifies('BRG-10', 'of something new does not wait for the retry of what was before it', () => {
    const failing = afterDelivery({}, FAILED, at(1_000)).posting;
    expect([dueAt(failing, 'p1', 1_500), dueAt(failing, 'p2', 1_500)]).toEqual([2_000, 1_500]);
  });
});

describe('what has happened', () => {
  const claim = { by: 'rita', until: 5_000, maxUntil: 9_000 };
  const cases: readonly (readonly [string, Partial<typeof view>, Partial<typeof view>])[] = [
    ['claimed', {}, { state: 'claimed', claim }],
    ['changed', { state: 'claimed', claim }, {}],
    ['changed', {}, { rev: 2 }],
    ['escalated', {}, { groups: ['advisors', 'desk-leads'] }],
    ['expired', {}, { state: 'expired' }],
    ['decided', { state: 'voting' }, { state: 'decided' }],
    ['resumed', { state: 'decided' }, { state: 'dispatched' }],
    ['failed', { state: 'dispatched' }, { state: 'decided', batch: { ...view.batch, state: 'unknown' } }],
  ];
  for (const [what, before, after] of cases)
    verifies('BRG-7', `is told by what was shown: ${what}, after ${JSON.stringify(before)}`, () => {
      expect(whatSince(wasOf({ ...view, ...before }), { ...view, ...after })).toBe(what);
    });

  verifies('BRG-7', 'is nothing where a claim is renewed or the hour goes on', () => {
    const claimed = { ...view, state: 'claimed', claim } as const;
    expect(printOf({ ...claimed, claim: { ...claim, until: 6_000 }, priority: 60 })).toBe(printOf(claimed));
    expect(printOf(decided(view))).not.toBe(printOf(view));
    expect(whatSince(undefined, decided(view))).toBe('created');
  });
});

describe('a card that is answered', () => {
  const answered = decided(viewOf(view.taskId, { batch: { ...view.batch, open: 2, total: 3 } }));
  const textOf = (task: typeof view): string =>
    JSON.stringify(slackCard({ task, names: {}, chat: true, link: 'https://hub.example/', value: 'x' }));

  verifies('BRG-15', 'is behind when a sibling is answered, or the agent told', () => {
    const later = [{ open: 1 }, { open: 0, state: 'dispatching' }, { open: 0, state: 'done' }] as const;
    const stages = [
      answered,
      ...later.map((batch) => ({ ...answered, batch: { ...answered.batch, ...batch } })),
    ];
    expect(new Set(stages.map(textOf)).size).toBe(stages.length);
    expect(new Set(stages.map(printOf)).size).toBe(stages.length);
  });

  verifies('BRG-15', 'was not before: an open one says nothing of its siblings', () => {
    const waiting = viewOf(view.taskId, { batch: { ...view.batch, open: 1, total: 3 } });
    const other = { ...waiting, batch: { ...waiting.batch, open: 2 } };
    expect([textOf(other), printOf(other)]).toEqual([textOf(waiting), printOf(waiting)]);
  });
});

describe('a route', () => {
  const bridges = (routes: unknown, over: object = {}) => {
    const ids = ['a', 'b', 'c'];
    const destinations = ids.map((id) => ({ id, kind: 'slack', address: `C0${id.toUpperCase()}`, ...over }));
    const read = compileBridges({ destinations, routes }, {});
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  };
  const chosen = (routes: unknown, ill: readonly string[] = [], standing: Record<string, Standing> = {}) =>
    destinationsFor(reachable(bridges(routes), taskOf(view)), {
      ill: new Set(ill),
      standing: (id) => standing[id] ?? 'new',
    }).map(({ id }) => id);
  const FIRST = [{ to: ['a', 'b', 'c'], deliver: 'first' }];

  verifies('BRG-5', 'that matches counts, each destination once', () => {
    const match = {
      rule: 'large-*',
      group: 'adv*',
      agent: 'bank',
      tool: 'trans?er',
      reason: '*',
      tenant: '*',
    };
    expect(chosen([{ match, to: ['a', 'b'] }, { to: ['b', 'c'] }])).toEqual(['a', 'b', 'c']);
    for (const [key, glob] of Object.entries({
      rule: 'small-*',
      group: 'x',
      agent: 'b',
      tool: 'x',
      tenant: 'x',
    }))
      expect(chosen([{ match: { [key]: glob }, to: ['a'] }])).toEqual([]);
  });

  verifies(
    'BRG-5',
    'to the first that works passes over the ill and the given-up, and stays where it is',
    () => {
      expect(chosen(FIRST)).toEqual(['a']);
      expect(chosen(FIRST, ['a'])).toEqual(['b']);
      expect(chosen(FIRST, ['a'], { b: 'given-up' })).toEqual(['c']);
      expect(chosen(FIRST, ['b'], { b: 'there' })).toEqual(['b']);
      expect(chosen(FIRST, ['a', 'b', 'c'])).toEqual(['a']);
      expect(chosen(FIRST, [], { a: 'given-up', b: 'given-up', c: 'given-up' })).toEqual([]);
    },
  );

  verifies('BRG-5', 'never leads out of the task’s tenant', () => {
    const other = bridges([{ to: ['a'] }], { tenant: 'acme' });
    expect(reachable(other, taskOf(view)).flatMap(([, to]) => to)).toEqual([]);
  });

  verifies('BRG-6', 'leads to a destination that may show less than reviewers see', () => {
    const [[, [shy]] = [undefined, []]] = reachable(
      bridges([{ to: ['a'] }], { args: ['/amount', '/iban'], redact: ['/iban'] }),
      taskOf(view),
    );
    const whole = {
      ...view,
      proposal: { toolName: 'transfer', args: { amount: 1, iban: 'CH93', note: 'x' } },
      edit: { by: 'rita', at: 1, args: { amount: 2, iban: 'DE11', note: 'y' } },
      policy: { ...view.policy, matched: [{ pointer: '/note', op: 'eq', want: 'x', got: 'x' }] },
      decision: { kind: 'approved', by: ['rita'], at: 1, editedArgs: { note: 'z' }, payload: { note: 'z' } },
    } as const;
    const cut = JSON.stringify(cutFor(shy!, whole));
    expect(cut).toContain('"args":{"amount":1,"iban":"[redacted]"}');
    for (const secret of ['CH93', 'DE11', '"note"', '"z"']) expect(cut).not.toContain(secret);
    const text = { ...view, proposal: { toolName: 'transfer', argsText: '{"iban":1,"iban":"CH93"}' } };
    expect(JSON.stringify(cutFor(shy!, text))).not.toContain('CH93');
  });
});
