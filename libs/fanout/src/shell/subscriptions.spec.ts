/** Proves what a subscribe promises about the frames around its reply. */
import { ok, type Position, type Result } from '@triptych/protocol';
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
});
