import { verifies } from '../../../../test/spec/verifies.js';
import { openCursor, sealCursor } from './sealed-cursor.js';

const SECRET = Buffer.alloc(32, 1);

describe('a cursor', () => {
  verifies('HUB-21', 'comes back as it was given, and nothing else does', () => {
    for (const cursor of ['', 'MTcwMCB0LTE', 'x'.repeat(400)]) {
      const sealed = sealCursor(SECRET, cursor);
      expect(openCursor(SECRET, sealed)).toBe(cursor);
      const last = sealed.at(-1) === 'A' ? 'B' : 'A';
      for (const other of [cursor, sealed.slice(1), `${sealed}A`, `${sealed.slice(0, -1)}${last}`, ''])
        expect(openCursor(SECRET, other)).toBeUndefined();
      expect(openCursor(Buffer.alloc(32, 2), sealed)).toBeUndefined();
    }
  });
});
