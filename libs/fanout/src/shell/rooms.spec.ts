/** Proves what readers of a room get, step by step. */
import { verifies } from '../../../../test/spec/verifies.js';
import { HandReader } from '../../test/hand-reader.js';
import { stand, THREAD } from '../../test/stand.js';
import { note, text, wholeOf } from '../../test/story.js';

describe('joining', () => {
  verifies('FAN-1', 'smoke', async () => {
    const { log, join, time, rooms } = stand();
    log.write(THREAD, [note(1), text('a', 'x')]);
    const { reader } = await join('customer');
    log.write(THREAD, [text('a', 'y'), text('a', 'z')]);
    log.write(THREAD, [text('a', 'w')]);
    time.advance(25);
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    expect(reader.frames.map((frame) => frame.event)).toEqual(['snapshot', 'agui', 'agui']);
    expect(reader.gaps).toBe(0);
    expect(new HandReader().gaps).toBe(0);
    rooms.close();
  });
});
