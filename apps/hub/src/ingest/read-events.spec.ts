import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { elementsOf, memberOf } from './json-slices.js';
import { formatOf, MAX_EVENTS, readBody } from './read-events.js';
import { producerInFrame, producerInHeaders } from './read-producer.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

const pointerOf = (read: ReturnType<typeof readBody> | ReturnType<typeof producerInHeaders>): unknown =>
  read.ok ? 'ok' : read.refusal.details?.pointer;

describe('a body of events', () => {
  verifies('ING-8', 'is cut into the texts that were written, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.constantFrom('', ' ', '\n\t'), (texts, space) => {
        const body = `${space}[${texts.map((text) => space + text + space).join(',')}]${space}`;
        expect(elementsOf(body)).toEqual(texts.map((text) => text.trim()));
      }),
    );
    const odd = '{"a" : "\\u0000,]}\\\\", "event":\t{"n": 1.0, "big": 9007199254740993} }';
    expect(elementsOf(`[${odd}, [1,{"x":[]}]]`)).toEqual([odd, '[1,{"x":[]}]']);
    expect(memberOf(odd, 'event')).toBe('{"n": 1.0, "big": 9007199254740993}');
    expect(memberOf('{"event":1,"\\u0065vent":2}', 'event')).toBe('2');
    expect(memberOf('{}', 'event')).toBeUndefined();
  });

  verifies('ING-8', 'that is malformed is told where', () => {
    for (const body of ['', '{}', '[', '[1', '[1,]', '[,1]', '[1]]', '[1] x', 'null'])
      expect([body, pointerOf(readBody(bytes(body), 'array'))]).toEqual([body, '']);
    expect(pointerOf(readBody(bytes('[{"type":"A"},{bad}]'), 'array'))).toBe('/1');
    expect(pointerOf(readBody(bytes('{"type":"A"}\n\n{"type"'), 'lines'))).toBe('/1');
    expect(pointerOf(readBody(Buffer.from([0x5b, 0xff, 0x5d]), 'array'))).toBe('');
    const many = `[${Array.from({ length: MAX_EVENTS + 1 }, () => '1').join(',')}]`;
    expect(readBody(bytes(many), 'array')).toMatchObject({ refusal: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  verifies('ING-8', 'has positions throughout or not at all', () => {
    const at = (position: unknown) => `{"position":${String(position)},"event":{"type":"CUSTOM","n":1.0}}`;
    expect(readBody(bytes(`[${at(3)}]`), 'array')).toMatchObject({
      value: [{ position: 3, type: 'CUSTOM', text: '{"type":"CUSTOM","n":1.0}' }],
    });
    expect(pointerOf(readBody(bytes(`[${at(1)},{"type":"CUSTOM"}]`), 'array'))).toBe('/1');
    for (const bad of ['0', '-1', '1.5', '"1"', 'null', '1e99'])
      expect(pointerOf(readBody(bytes(`[${at(bad)}]`), 'array'))).toBe('/0/position');
  });

  verifies('ING-8', 'comes as JSON or as lines of it', () => {
    expect(formatOf('application/json; charset=utf-8')).toBe('array');
    expect(formatOf('Application/X-NDJSON')).toBe('lines');
    expect([formatOf('text/plain'), formatOf(undefined)]).toEqual([undefined, undefined]);
  });

  verifies('ING-8', 'has a producer, whose every part is checked', () => {
    const headers = { 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': '12' };
    expect(producerInHeaders(headers)).toEqual({ ok: true, value: { id: 'p', epoch: 0, seq: 12 } });
    expect(producerInHeaders({})).toEqual({ ok: true, value: undefined });
    const with1 = (over: object): unknown => pointerOf(producerInHeaders({ ...headers, ...over }));
    expect(with1({ 'producer-id': '' })).toBe('/producer-id');
    expect(with1({ 'producer-epoch': '-1' })).toBe('/producer-epoch');
    for (const bad of ['', '1.5', ' 1', '0x1', '9007199254740993', undefined])
      expect([bad, with1({ 'producer-seq': bad })]).toEqual([bad, '/producer-seq']);
    expect(producerInFrame({ id: 'p', epoch: 0, seq: '0' })).toMatchObject({
      refusal: { details: { pointer: '/producer/seq' } },
    });
    expect(producerInFrame(7)).toMatchObject({ refusal: { details: { pointer: '/producer' } } });
  });
});
