/** How the room for calls is shared out, and what becomes of those that wait when it is closed. */
import { verifies } from '../../../test/spec/verifies.js';
import { CallRoom } from './call-room.js';

/** Calls that are under way until they are told to end. */
const callsIn = (room: CallRoom) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const call = (agent: string): Promise<void> =>
    room.call(agent, async () => {
      begun.push(agent);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  return { begun, ends, call };
};
const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('the room for calls', () => {
  verifies('RUN-60', 'is shared out: an agent that answers nobody keeps no other waiting', async () => {
    const { begun, ends, call } = callsIn(new CallRoom({ all: 5, toOne: 2 }));
    const calls = ['slow', 'slow', 'slow', 'slow', 'quick', 'quick'].map(call);
    await settled();
    expect(begun).toEqual(['slow', 'slow', 'quick', 'quick']);
    ends.shift()?.();
    await settled();
    expect(begun).toEqual(['slow', 'slow', 'quick', 'quick', 'slow']);
    while (begun.length < calls.length || ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await settled();
    }
    await Promise.all(calls);
  });

  verifies('RUN-63', 'is free when there is room for one more, and not before', async () => {
    const room = new CallRoom({ all: 2, toOne: 2 });
    const { ends, call } = callsIn(room);
    expect(await room.free()).toBe(true);
    const calls = [call('a'), call('b')];
    await settled();
    let isFree = false;
    const free = room.free().then(() => (isFree = true));
    await settled();
    expect(isFree).toBe(false);
    ends.shift()?.();
    await free;
    ends.shift()?.();
    await Promise.all(calls);
  });

  verifies('RUN-64', 'is closed to all that waits, and what is under way goes on', async () => {
    const room = new CallRoom({ all: 1, toOne: 1 });
    const { begun, ends, call } = callsIn(room);
    const first = call('a');
    await settled();
    const waiting = [call('a'), call('b'), room.free()] as const;
    await settled();
    room.close();
    ends.shift()?.();
    await first;
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ value: false });
    expect(await room.free()).toBe(false);
    expect(begun).toEqual(['a']);
  });
});
