/** Proves what a subscribe promises about the frames around its reply. */
import { ok, refuse, type Position, type Result } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { HandReader } from '../../test/hand-reader.js';
import { stand, THREAD } from '../../test/stand.js';
import { note } from '../../test/story.js';
import { Subscriptions, type Answer } from './subscriptions.js';

const given = (answer: Result<Answer>): Answer => {
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.value;
};

describe('subscriptions', () => {
  verifies('FAN-49', 'what is written meanwhile comes after the reply that nothing changes', async () => {
    const { rooms, log, time } = stand();
    const reader = new HandReader();
    const mayRead = (): Promise<Result<unknown>> => Promise.resolve(ok(undefined));
    const threads = new Subscriptions({ rooms, surface: 'customer', reader, mayRead, maxThreads: 4 });
    log.append(THREAD, [note(1)]);
    given(await threads.subscribe(THREAD, undefined)).afterwards?.();
    const held = reader.pos as Position;
    const answer = given(await threads.subscribe(THREAD, held));
    log.write(THREAD, [note(2)]);
    time.advance(50);
    expect([reader.pos, answer.reply]).toEqual([held, { pos: held }]);
    answer.afterwards?.();
    expect(reader.pos).not.toBe(held);
    expect(reader.gaps).toBe(0);
  });

  verifies('AUD-35', 'are told of once each, before anything is shown, and not when refused', async () => {
    const { rooms, log } = stand();
    log.append(THREAD, [note(1)]);
    const reader = new HandReader();
    const told: string[] = [];
    let allowed: Result<unknown> = refuse('NOT_FOUND');
    const threads = new Subscriptions({
      ...{ rooms, surface: 'operator', reader, maxThreads: 4 },
      mayRead: () => Promise.resolve(allowed),
      beforeShown: async (thread) => {
        expect(reader.deliveries).toEqual([]);
        told.push(thread);
        // Rights are judged anew meanwhile.
        if (told.length === 1) await threads.judge();
      },
    });
    expect((await threads.subscribe(THREAD, undefined)).ok).toBe(false);
    expect(told).toEqual([]);
    allowed = ok(undefined);
    given(await threads.subscribe(THREAD, undefined)).afterwards?.();
    given(await threads.subscribe(THREAD, undefined)).afterwards?.();
    expect(told).toEqual([THREAD]);
    expect(reader.deliveries.length).toBeGreaterThan(0);
    threads.unsubscribe(THREAD);
    reader.deliveries.length = 0;
    given(await threads.subscribe(THREAD, undefined)).afterwards?.();
    expect(told).toEqual([THREAD, THREAD]);
  });

  verifies('AUD-35', 'do not come about where it cannot be told', async () => {
    const { rooms } = stand();
    const threads = new Subscriptions({
      ...{ rooms, surface: 'operator', reader: new HandReader(), maxThreads: 4 },
      mayRead: () => Promise.resolve(ok(undefined)),
      beforeShown: () => Promise.reject(new Error('the store is away')),
    });
    await expect(threads.subscribe(THREAD, undefined)).rejects.toThrow('away');
    expect(threads.threads).toEqual([]);
  });
});
