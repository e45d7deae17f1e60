import { asPosition, asThreadId, type Surface } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { aguiDelivery, snapshotDelivery, type AguiDelivery, type Render } from './delivery.js';
import { Reworded } from './reworded.js';

const THREAD = asThreadId('t');
const pos = (n: number) => asPosition(`p${n}`);

const step = (
  prev: number,
  to: number,
  texts: readonly string[],
  surface: Surface = 'customer',
): AguiDelivery =>
  aguiDelivery({
    ...{ surface, threadId: THREAD, prev: pos(prev), pos: pos(to), positionAfter: () => pos(to) },
    shown: texts.map((json, index) => ({
      type: 'X',
      json,
      seq: index + 1,
      index: 0,
      at: index,
      source: 'agent',
    })),
  });

/** Counts what it says of a stream, and is silent about what is odd. */
const counting = (): Render => {
  let count = 0;
  return (json) => (json === '"odd"' ? [] : [JSON.stringify(`${(count += 1)} ${json}`)]);
};

const dataOf = (frame: string) => (JSON.parse(frame) as { data: Record<string, unknown> }).data;

describe('a socket with words of its own', () => {
  verifies('FAN-68', 'is told every place, also where no event is left', () => {
    const own = new Reworded(counting);
    expect(dataOf(own.frameOf(step(0, 1, ['"odd"'])))).toEqual({
      ...{ threadId: 't', prev: 'p0', pos: 'p1', events: [] },
    });
    expect(dataOf(own.frameOf(step(1, 2, ['"a"', '"odd"', '"b"'])))).toMatchObject({
      ...{ prev: 'p1', pos: 'p2', events: ['1 "a"', '2 "b"'] },
    });
  });

  verifies('FAN-68', 'an operator’s columns keep one entry an event', () => {
    const data = dataOf(new Reworded(counting).frameOf(step(0, 1, ['"a"', '"odd"', '"b"'], 'operator')));
    expect(data).toMatchObject({ events: ['1 "a"', '2 "b"'], seqs: [1, 3], at: [0, 2] });
  });

  verifies('FAN-68', 'a stream goes on where its frames continue, and begins anew where they do not', () => {
    const own = new Reworded(counting);
    const eventsOf = (delivery: Parameters<Reworded['frameOf']>[0]) => dataOf(own.frameOf(delivery)).events;
    const snapshot = snapshotDelivery({ threadId: THREAD, pos: pos(1), reason: 'join', events: ['"s"'] });
    expect(eventsOf(snapshot)).toEqual(['1 "s"']);
    expect(eventsOf(step(1, 2, ['"a"']))).toEqual(['2 "a"']);
    expect(eventsOf(step(2, 3, ['"b"']))).toEqual(['3 "b"']);
    expect(eventsOf(step(1, 2, ['"a"']))).toEqual(['1 "a"']);
    expect(eventsOf({ ...step(2, 3, ['"c"']), threadId: asThreadId('other') })).toEqual(['1 "c"']);
    expect(eventsOf(snapshot)).toEqual(['1 "s"']);
  });
});
