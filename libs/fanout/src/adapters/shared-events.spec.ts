/** Proves that attach streams share what is written, and that one with words of its own does not. */
import { verifies } from '../../../../test/spec/verifies.js';
import { settled, stand, THREAD } from '../../test/stand.js';
import { note } from '../../test/story.js';
import type { StreamEvent, StreamLine } from '../core/stream-line.js';
import type { Render } from '../core/delivery.js';
import { serveAttach } from './serve-stream.js';
import { EVENT_STREAM, PROTOBUF } from './stream-encodings.js';

/** A line that keeps what it is sent. */
const keepingLine = () => {
  const sent: (readonly StreamEvent[])[] = [];
  const line: StreamLine = {
    closed: false,
    onceClosed: () => undefined,
    open: () => undefined,
    send: (events) => void sent.push(events),
    clear: () => true,
    unsent: () => 0,
    taken: () => 0,
    end: () => undefined,
  };
  return { line, sent };
};

verifies('FAN-55', 'one print a delivery and one text an encoding; other words are their own', async () => {
  const { log, time, rooms } = stand();
  const lines = [keepingLine(), keepingLine(), keepingLine()];
  const shout: Render = (json) => [json, json];
  for (const [nth, { line }] of lines.entries())
    await serveAttach({
      ...{ line, rooms, thread: THREAD, surface: 'customer' },
      ...(nth === 2 && { render: shout }),
    });
  log.write(THREAD, [note(1)]);
  time.advance(50);
  await settled();
  const [first, second, own] = lines.map(({ sent }) => sent.at(-1)!);
  expect(first).toHaveLength(1);
  expect(second).toBe(first);
  expect(own).toHaveLength(2);
  for (const encoding of [EVENT_STREAM, PROTOBUF])
    expect(encoding.encode(first!)).toBe(encoding.encode(second!));
  expect(EVENT_STREAM.encode(first!).toString()).toBe(`id: ${first![0]!.id}\ndata: ${first![0]!.json}\n\n`);
  expect(EVENT_STREAM.encode(own!)).not.toBe(EVENT_STREAM.encode(first!));
});
