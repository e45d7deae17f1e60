import { runHttpRequest, transformHttpEventStream } from '@ag-ui/client';
import { asPosition, knownOnly, type AguiEvent } from '@triptych/protocol';
import fc from 'fast-check';
import { lastValueFrom, toArray } from 'rxjs';
import { verifies } from '../../../../test/spec/verifies.js';
import { richLog } from '../../../protocol/test/rich-streams.js';
import { encodingFor, EVENT_STREAM, PROTOBUF } from './stream-encodings.js';

const framesOf = (...events: readonly AguiEvent[]): Buffer =>
  PROTOBUF.encode(events.map((event) => ({ json: JSON.stringify(event) })));

/** Bytes; no frame of an event fits in one. */
const PIECE = 23;

/** As the published client reads them, in pieces. */
const decoded = async (bytes: Buffer): Promise<AguiEvent[]> => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, nth) =>
    bytes.subarray(nth * PIECE, (nth + 1) * PIECE),
  );
  const body = new ReadableStream({
    start: (stream) => {
      for (const piece of pieces) stream.enqueue(new Uint8Array(piece));
      stream.close();
    },
  });
  const asked = () =>
    Promise.resolve(new Response(body, { headers: { 'content-type': PROTOBUF.contentType } }));
  return (await lastValueFrom(
    transformHttpEventStream(runHttpRequest(asked)).pipe(toArray()),
  )) as unknown as AguiEvent[];
};

const note = (value: unknown): AguiEvent => ({ type: 'CUSTOM', name: 'note', value });

describe('protobuf', () => {
  verifies('FAN-46', 'an event is four bytes of length and as many bytes as they say', async () => {
    const events = [
      note({ a: [null, 1.5, 'x'] }),
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'user' },
    ];
    const bytes = framesOf(...events);
    const first = bytes.readUInt32BE(0);
    expect(bytes.readUInt32BE(4 + first)).toBe(bytes.length - first - 8);
    expect(await decoded(bytes)).toEqual(events);
  });

  verifies('FAN-46', 'what a later version may add has no field, and the rest comes without it', async () => {
    const events = [
      { type: 'FUTURE_THING', a: 1 },
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'invent', path: '/a' },
          { op: 'remove', path: '/b', more: 1 },
        ],
      },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'future' } },
    ];
    expect(await decoded(framesOf(...events))).toEqual([
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/b' }] },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ]);
  });

  verifies('FAN-46', 'what a double or UTF-8 does not hold is not held', async () => {
    const bytes = PROTOBUF.encode([
      { json: '{"type":"CUSTOM","name":"note","value":12345678901234567890}' },
      { json: '{"type":"CUSTOM","name":"note","value":"\\ud83d"}' },
    ]);
    expect(await decoded(bytes)).toEqual([note(12345678901234567000), note('\ufffd')]);
  });

  verifies('FAN-46', 'whatever a legal thread holds besides comes as it was', async () => {
    /** UTF-8 holds no half of a character, and the message of an input no absent list. */
    const carried = (event: AguiEvent): AguiEvent => {
      const input = event.input && { resume: [], ...event.input };
      return JSON.parse(JSON.stringify({ ...event, input }), (_key, value: unknown) =>
        typeof value === 'string' ? Buffer.from(value).toString() : value,
      ) as AguiEvent;
    };
    await fc.assert(
      fc.asyncProperty(richLog, async (log) => {
        const said = log.flatMap((event) => knownOnly(event) ?? []);
        expect(await decoded(framesOf(...log))).toEqual(said.map(carried));
      }),
      { numRuns: 40 },
    );
  });

  verifies('FAN-46', 'positions and silence have no frame', () => {
    expect(PROTOBUF.encode([])).toHaveLength(0);
    expect(PROTOBUF.sign).toBeUndefined();
    const at = { json: JSON.stringify(note(1)), id: asPosition('p'), name: 'prelude' };
    expect(PROTOBUF.encode([at])).toEqual(framesOf(note(1)));
    expect(String(EVENT_STREAM.encode([at]))).toBe(`event: prelude\nid: p\ndata: ${at.json}\n\n`);
  });

  verifies('HUB-41', 'is for who takes nothing else', () => {
    const proto = PROTOBUF.contentType;
    for (const accept of [proto, proto.toUpperCase(), ` ${proto} ; q=0.5`])
      expect(encodingFor(accept)).toBe(PROTOBUF);
    for (const accept of [
      undefined,
      '',
      '*/*',
      'application/*',
      `${proto},*/*`,
      `text/event-stream, ${proto}`,
    ])
      expect(encodingFor(accept)).toBe(EVENT_STREAM);
  });
});
