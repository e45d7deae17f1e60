/** What every bridge must do, wherever it leads: a suite to be run against each of them, with its own honest fake. */
import { randomUUID } from 'node:crypto';
import type { TaskView } from '@triptych/protocol';
import { verifies as verifiesWithin } from '../../../test/spec/verifies.js';
import { CRUEL, HIDING, HUGE, MEAN, ODD_POSTED, ODD_TASKS, taskOf } from '../test/contract-tasks.js';
import { type Bridge, type Delivery, MAX_POSTED, type Notice } from './core/bridge.js';
import type { BridgeKind, DestinationOf } from './core/destination.js';
import { afterDelivery, isUnsure, type Posting } from './core/posting.js';
import { hashOf, printOf, wasOf, whatSince } from './core/print.js';

/** One message as a person finds it. */
export interface Found {
  /** All of it, as it came. */
  readonly raw: string;
  /** What of it is read as markup there. */
  readonly markup: string;
  /** By which something is done; a link is none. */
  readonly buttons: number;
}

/** What the next sending to a place meets. */
export type Trouble =
  /** It is asked to wait for {@link LIMITED_MS}. */
  | 'limited'
  /** It is done, and nobody hears of it. */
  | 'drop'
  /** It is not done, and nobody hears why. */
  | 'reset'
  /** It is not taken, now or ever. */
  | 'never';

export interface Place<K extends BridgeKind> {
  readonly destination: DestinationOf<K>;
  /** What is known there for the same is found once. */
  found(): readonly Found[];
  meet(trouble: Trouble): void;
}

export interface BridgeBench<K extends BridgeKind> {
  readonly bridge: Bridge<K>;
  /** Nothing was shown there yet. */
  place(): Promise<Place<K>>;
  /** A way that leads to nobody. */
  astray(): { readonly bridge: Bridge<K>; readonly destination: DestinationOf<K> };
  /** So much later, when everybody has seen what they have before them. */
  later(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface BridgeTerms<K extends BridgeKind> {
  start(): Promise<BridgeBench<K>>;
  /** What is shown is changed; else what it is now is told once more. */
  readonly changes: boolean;
  /** People decide there. */
  readonly decides: boolean;
  /** It can ask for patience. */
  readonly limits: boolean;
  /** What is lost is sent again; else it may stay lost, for nobody could take a second one back. */
  readonly resends: boolean;
  readonly maxBytes: number;
  /** What would be markup there, and must not come from others. */
  readonly marks: readonly string[];
}

/** As long as a place asks for, ms. */
export const LIMITED_MS = 7_000;
/** Fakes that make keys take their time on a busy machine, ms. */
const UP_MS = 240_000;
/** More would not come to an end. */
const MAX_ATTEMPTS = 60;

interface Sent {
  readonly delivery: Delivery;
  readonly posting: Posting;
}

const decidedFrom = (task: TaskView): TaskView => ({
  ...task,
  state: 'closed',
  rev: task.rev + 1,
  decision: { kind: 'approved', by: ['rita'], at: task.createdAt + 60_000 },
  batch: { ...task.batch, state: 'done', open: 0 },
});

export const bridgeContract = <K extends BridgeKind>(name: string, terms: BridgeTerms<K>): void => {
  const verifies = (id: string, what: string, body: () => Promise<void>): void =>
    verifiesWithin(id, what, body, UP_MS);

  describe(`a bridge to ${name}`, () => {
    let bench: BridgeBench<K>;
    beforeAll(async () => {
      bench = await terms.start();
    }, UP_MS);
    afterAll(() => bench.close(), UP_MS);

    const noticeOf = (destination: DestinationOf<K>, task: TaskView, posting: Posting = {}): Notice<K> => ({
      ...{ noticeId: hashOf(task.taskId), changeId: hashOf(task.taskId, printOf(task)) },
      ...{ destination, task, names: {}, what: whatSince(posting.shown?.was, task), chat: true },
      ...{ link: `https://hub.example/reviewer?task=${task.taskId}`, unsure: isUnsure(posting) },
      ...(posting.shown ? { posted: posting.shown.posted } : {}),
    });

    /** As the spine does, until it does no more. */
    const send = async ({ destination }: Place<K>, task: TaskView, before: Posting = {}): Promise<Sent> => {
      let [posting, now] = [before, Date.now()];
      for (let nth = 0; nth < MAX_ATTEMPTS; nth += 1) {
        const delivery = await bench.bridge.show(noticeOf(destination, task, posting));
        const outcome = afterDelivery(posting, delivery, {
          ...{ schedule: bench.bridge.schedule, print: printOf(task), now, chance: 0 },
          then: { print: printOf(task), was: wasOf(task) },
        });
        posting = outcome.posting;
        const { again } = outcome;
        await bench.later(again === undefined ? 0 : again - now);
        if (again === undefined) return { delivery, posting };
        now = again;
      }
      throw new Error('It is tried without an end.');
    };
    const fresh = (over: Partial<TaskView> = {}): TaskView => taskOf({ taskId: randomUUID(), ...over });

    verifies('BRG-118', 'shows a task once, however often it is shown', async () => {
      const [place, task] = [await bench.place(), fresh()];
      const { delivery, posting } = await send(place, task);
      expect(delivery.kind).toBe('shown');
      expect(posting.shown?.posted.length).toBeLessThanOrEqual(MAX_POSTED);
      const { delivery: again } = await send(place, task, posting);
      expect(again.kind).toBe('shown');
      expect(place.found().map(({ raw }) => raw.includes(task.taskId))).toEqual([true]);
      expect(place.found()[0]!.buttons > 0).toBe(terms.decides);
    });

    verifies('BRG-118', 'says that it is over, and has no button then', async () => {
      const [place, task] = [await bench.place(), fresh()];
      const { posting } = await send(place, task);
      const { delivery } = await send(place, decidedFrom(task), posting);
      expect(delivery.kind).toBe('shown');
      const found = place.found();
      expect(found).toHaveLength(terms.changes ? 1 : 2);
      expect(found.map(({ buttons }) => buttons)).toEqual(found.map(() => 0));
      expect(found.at(-1)?.raw).toMatch(/approved|decided/iu);
    });

    if (terms.limits)
      verifies('BRG-119', 'waits where it is asked to, as long as it is, and nowhere else', async () => {
        const [busy, other] = [await bench.place(), await bench.place()];
        busy.meet('limited');
        expect(await bench.bridge.show(noticeOf(busy.destination, fresh()))).toEqual({
          kind: 'later',
          retryAfterMs: LIMITED_MS,
        });
        expect(await bench.bridge.show(noticeOf(other.destination, fresh()))).toMatchObject({
          kind: 'shown',
        });
        expect([busy.found().length, other.found().length]).toEqual([0, 1]);
      });

    verifies('BRG-120', 'that is not told what arrived has it there once in the end', async () => {
      for (let nth = 0; nth < 3; nth += 1) {
        const [place, task] = [await bench.place(), fresh()];
        place.meet('drop');
        expect((await send(place, task)).delivery.kind).toBe('shown');
        expect(place.found()).toHaveLength(1);
      }
    });

    verifies('BRG-120', 'sends what was lost again, and never makes two of it', async () => {
      const [place, task] = [await bench.place(), fresh()];
      place.meet('reset');
      expect((await send(place, task)).delivery.kind).toBe('shown');
      expect(place.found()).toHaveLength(terms.resends ? 1 : 0);
    });

    verifies('BRG-121', 'gives up at once what never will be taken', async () => {
      const place = await bench.place();
      place.meet('never');
      const { delivery } = await send(place, fresh());
      expect(['refused', 'gone']).toContain(delivery.kind);
      expect(place.found()).toEqual([]);
    });

    verifies('BRG-121', 'knows that nothing was sent where nobody listens', async () => {
      const { bridge, destination } = bench.astray();
      expect(await bridge.show(noticeOf(destination, fresh()))).toMatchObject({ kind: 'failed' });
    });

    verifies('BRG-121', 'answers whatever it is given', async () => {
      for (const odd of ODD_TASKS)
        expect((await send(await bench.place(), fresh(odd))).delivery.kind).toBe('shown');
      const { destination } = await bench.place();
      for (const posted of ODD_POSTED)
        expect(typeof (await bench.bridge.show({ ...noticeOf(destination, fresh()), posted })).kind).toBe(
          'string',
        );
    });

    for (const [what, over] of [
      ['mean', MEAN],
      ['huge', HUGE],
      ['both', CRUEL],
    ] as const)
      verifies('BRG-122', `shows text that is ${what} as text, and not without end`, async () => {
        const [place, task] = [await bench.place(), fresh(over)];
        const first = await send(place, task);
        expect(first.delivery.kind).toBe('shown');
        const reason = over.message ?? '';
        const over_ = decidedFrom(task);
        const told = { ...over_, decision: { ...over_.decision!, reason } };
        expect((await send(place, told, first.posting)).delivery.kind).toBe('shown');
        for (const { raw, markup } of place.found()) {
          expect(Buffer.byteLength(raw)).toBeLessThanOrEqual(terms.maxBytes);
          expect(terms.marks.filter((mark) => markup.includes(mark))).toEqual([]);
          expect(raw).not.toMatch(HIDING);
        }
      });
  });
};
