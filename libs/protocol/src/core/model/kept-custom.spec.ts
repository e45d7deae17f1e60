import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { verifyWithReference } from '../../../test/reference-client.js';
import { richLog } from '../../../test/rich-streams.js';
import type { AguiEvent } from '../agui.js';
import { MAX_KEPT_CUSTOM_BYTES } from '../limits.js';
import { modelStep } from './model-step.js';
import { emptyModel, type Model } from './model.js';
import { prelude } from './prelude.js';

const RS = w.runStarted();
const fold = (events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());
const card = (name: string): AguiEvent => w.custom(name, { id: name });
const say = (id: string): readonly AguiEvent[] => [w.textStart(id), w.textContent(id, id), w.textEnd(id)];
const placesIn = ({ custom }: Model) => custom.map(({ event, after }) => [event.name, after]);

describe('the place of a CUSTOM event', () => {
  const log = [
    RS,
    card('first'),
    ...say('m1'),
    card('a'),
    w.activity('act', {}),
    card('b'),
    ...say('m2'),
    card('c'),
  ];
  const places = [
    ['first', undefined],
    ['a', 'm1'],
    ['b', 'act'],
    ['c', 'm2'],
  ];

  verifies('PRO-33', 'is after the last message before it, and the same for whoever joins', async () => {
    expect(placesIn(fold(log))).toEqual(places);
    const told = prelude(fold(log));
    expect(fold(told)).toEqual(fold(log));
    expect(fold(prelude(fold(told)))).toEqual(fold(log));
    expect((await verifyWithReference(told)).error).toBeUndefined();
  });

  verifies('PRO-33', 'is said in a prelude only where it is not the end of the conversation', () => {
    const told = prelude(fold(log)).filter(({ type }) => type === 'CUSTOM');
    const at = (name: string, after: string | null) => ({ ...card(name), metadata: { hub: { after } } });
    expect(told).toEqual([at('first', null), at('a', 'm1'), at('b', 'act'), card('c')]);
  });

  verifies('PRO-33', 'leaves the metadata of its producer as it was', () => {
    const metadata = { k: 1, hub: { mark: true } };
    const marked = { ...card('a'), metadata };
    const model = fold([RS, ...say('m1'), marked, ...say('m2')]);
    const told = prelude(model).find(({ type }) => type === 'CUSTOM');
    expect(told?.metadata).toEqual({ k: 1, hub: { mark: true, after: 'm1' } });
    expect(fold(prelude(model)).custom).toEqual([{ event: marked, after: 'm1' }]);
  });

  verifies('PRO-33', 'counts among the bytes that are kept', () => {
    const long = 'm'.repeat(MAX_KEPT_CUSTOM_BYTES / 2);
    const model = fold([RS, ...say(long), card('a'), card('b'), card('c')]);
    expect(placesIn(model)).toEqual([['c', long]]);
    expect(model.customBytes).toBeLessThanOrEqual(MAX_KEPT_CUSTOM_BYTES);
  });

  verifies('PRO-33', 'is the same at any cut of any stream', () => {
    fc.assert(
      fc.property(richLog, fc.nat(500), (events, at) => {
        const cut = at % (events.length + 1);
        const joined = [...prelude(fold(events.slice(0, cut))), ...events.slice(cut)];
        const all = fold(events);
        expect(placesIn(fold(joined))).toEqual(placesIn(all));
        expect(fold(joined).customBytes).toBe(all.customBytes);
      }),
      { numRuns: 60 },
    );
  });
});
