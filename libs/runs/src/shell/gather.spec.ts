import { once, EventEmitter } from 'node:events';
import { verifies } from '../../../../test/spec/verifies.js';
import { gather } from './gather.js';

const collect = async (source: AsyncIterable<number>, limit: number): Promise<number[][]> => {
  const batches: number[][] = [];
  for await (const batch of gather(source, { limit, abort: new AbortController() })) batches.push([...batch]);
  return batches;
};

async function* count(to: number, pulled: { last: number }): AsyncGenerator<number> {
  for (let n = 1; n <= to; n += 1) {
    pulled.last = n;
    yield n;
  }
}

describe('gather', () => {
  verifies('RUN-18', 'keeps order and never reads further ahead than the limit', async () => {
    const pulled = { last: 0 };
    const batches = gather(count(100, pulled), { limit: 8, abort: new AbortController() });
    const first = await batches.next();
    expect(pulled.last).toBeLessThanOrEqual(17);
    const all = [...(first.value ?? [])];
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(8);
      all.push(...batch);
    }
    expect(all).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  verifies('FAN-56', 'a burst is one batch, also when its source was waited for', async () => {
    const network = new EventEmitter();
    async function* bursts(): AsyncGenerator<number> {
      for (let burst = 0; burst < 3; burst += 1) {
        const [numbers] = (await once(network, 'data')) as [number[]];
        yield* numbers;
      }
    }
    const batches = gather(bursts(), { limit: 64, abort: new AbortController() });
    for (const burst of [[1, 2, 3], [4], [5, 6, 7, 8, 9]]) {
      const batch = batches.next();
      setImmediate(() => network.emit('data', burst));
      expect((await batch).value).toEqual(burst);
    }
  });

  it('hands over what came before a failure, then throws it', async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 1;
      throw new Error('cut');
    }
    const got: number[] = [];
    const reading = (async () => {
      for await (const batch of gather(failing(), { limit: 8, abort: new AbortController() }))
        got.push(...batch);
    })();
    await expect(reading).rejects.toThrow('cut');
    expect(got).toEqual([1]);
  });

  it('aborts a source that waits for ever when its consumer leaves', async () => {
    const abort = new AbortController();
    const network = new EventEmitter();
    async function* silent(): AsyncGenerator<number> {
      yield 1;
      await once(network, 'data', { signal: abort.signal });
    }
    for await (const batch of gather(silent(), { limit: 8, abort })) if (batch.length > 0) break;
    expect(abort.signal.aborted).toBe(true);
  });

  it('answers nothing for an empty source', async () => {
    expect(await collect(count(0, { last: 0 }), 4)).toEqual([]);
  });
});
