/** Proves that a position can be read, forged and moved by nobody. */
import { asThreadId } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { START } from './place.js';
import { policyMark, positionCodec } from './position.js';

const codec = positionCodec(Buffer.alloc(32, 1));
const thread = asThreadId('conversation');
const standing = { thread, epoch: '00c0ffee', policyVersion: 'policy-7', place: { seq: 42, index: 3 } };

const standings = fc.record({
  epoch: fc.integer({ min: 0, max: 0xffff_ffff }).map((n) => n.toString(16).padStart(8, '0')),
  policyVersion: fc.string({ maxLength: 80 }),
  place: fc.record({ seq: fc.integer({ min: 1, max: 2 ** 48 - 1 }), index: fc.nat({ max: 0xffff_fffe }) }),
});

describe('position', () => {
  verifies('FAN-1', 'opens to what was sealed, always of one length, the same on every instance', () => {
    const other = positionCodec(Buffer.alloc(32, 1));
    fc.assert(
      fc.property(standings, fc.constantFrom('customer' as const, 'reviewer' as const), (where, surface) => {
        const position = codec.seal(surface, { thread, ...where });
        expect(position).toMatch(/^[A-Za-z0-9_-]{48}$/);
        expect(other.seal(surface, { thread, ...where })).toBe(position);
        expect(codec.open(surface, thread, position)).toEqual({
          epoch: where.epoch,
          policyMark: policyMark(where.policyVersion),
          place: where.place,
        });
      }),
    );
  });

  verifies('FAN-1', 'neighbours have nothing in common', () => {
    const one = Buffer.from(codec.seal('customer', standing), 'base64url');
    const next = codec.seal('customer', { ...standing, place: { seq: 43, index: 3 } });
    const same = Buffer.from(next, 'base64url').filter((byte, at) => byte === one[at]).length;
    expect(same).toBeLessThan(12);
  });

  verifies('FAN-2', 'opens for its own surface, thread and secret only', () => {
    const position = codec.seal('customer', standing);
    expect(codec.open('reviewer', thread, position)).toBeUndefined();
    expect(codec.open('customer', asThreadId('another'), position)).toBeUndefined();
    expect(positionCodec(Buffer.alloc(32, 2)).open('customer', thread, position)).toBeUndefined();
  });

  verifies('FAN-2', 'opens to nothing with any byte changed, cut or added', () => {
    const position = codec.seal('reviewer', standing);
    for (let at = 0; at < position.length; at += 1) {
      const char = position[at] === 'A' ? 'B' : 'A';
      expect(
        codec.open('reviewer', thread, position.slice(0, at) + char + position.slice(at + 1)),
      ).toBeUndefined();
    }
    expect(codec.open('reviewer', thread, position.slice(1))).toBeUndefined();
    expect(codec.open('reviewer', thread, `${position}A`)).toBeUndefined();
  });

  verifies('FAN-2', 'what was never a position opens to nothing (SS-08)', () => {
    const rubbish = [
      '',
      'abc',
      '-1',
      '99999999999999999999',
      '00c0ffee:-1',
      '00c0ffee:1\r\n',
      '00c0ffee:007',
      ':1',
    ];
    for (const surface of ['customer', 'reviewer', 'operator'] as const)
      for (const text of rubbish) expect(codec.open(surface, thread, text)).toBeUndefined();
    expect(codec.open('operator', thread, '00c0ffee:99999999999999999999')).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => codec.open('customer', thread, text) === undefined));
  });

  verifies('FAN-3', "the operator's is readable and counts as a number", () => {
    expect(codec.seal('operator', standing)).toBe('00c0ffee:42');
    const ten = codec.open('operator', thread, '00c0ffee:10');
    const nine = codec.open('operator', thread, '00c0ffee:9');
    expect(ten!.place.seq).toBeGreaterThan(nine!.place.seq);
    expect(ten!.policyMark).toBeUndefined();
  });

  verifies('FAN-4', 'who saw nothing stands at the same place in every log and under every policy', () => {
    const empty = { thread, epoch: '', policyVersion: 'a', place: START };
    const later = { thread, epoch: '00c0ffee', policyVersion: 'b', place: START };
    for (const surface of ['customer', 'reviewer', 'operator'] as const)
      expect(codec.seal(surface, empty)).toBe(codec.seal(surface, later));
    expect(codec.seal('operator', empty)).toBe('00000000:0');
  });

  verifies('FAN-1', 'an epoch that is none is a bug, not a position', () => {
    expect(() => codec.seal('customer', { ...standing, epoch: 'xyz' })).toThrow('8 hex digits');
  });
});
