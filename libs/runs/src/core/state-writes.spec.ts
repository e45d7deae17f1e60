import { applyPatch } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { stateWrites } from './state-writes.js';

const writable = ['/application/contact', '/note~1s'];
const after = (state: unknown, given: unknown): unknown => {
  const { patch } = stateWrites(given, { state, writable });
  const patched = applyPatch(state ?? {}, patch);
  return patched.ok ? patched.value : patched.why;
};

describe('the state a client may write', () => {
  verifies('RUN-5', 'counts on the first run too, where nothing exists yet', () => {
    const given = { application: { contact: { mail: 'a' }, status: 'approved' } };
    expect(after({}, given)).toEqual({ application: { contact: { mail: 'a' } } });
    expect(after(undefined, given)).toEqual({ application: { contact: { mail: 'a' } } });
    expect(stateWrites(given, { state: {}, writable }).ignored).toBe(0);
  });

  verifies('RUN-5', 'deletes nothing and touches nothing else', () => {
    const state = { application: { contact: { mail: 'a', phone: '1' }, status: 'draft' } };
    const given = { application: { contact: { mail: 'b' }, status: 'approved' }, other: 1 };
    expect(after(state, given)).toEqual({
      application: { contact: { mail: 'b', phone: '1' }, status: 'draft' },
    });
    expect(stateWrites(given, { state, writable }).ignored).toBe(2);
  });

  verifies('RUN-5', 'goes place by place through lists, and takes nothing out of them', () => {
    expect(after({ 'note/s': [1, { a: 1, b: 2 }, 3] }, { 'note/s': [1, { a: 9 }] })).toEqual({
      'note/s': [1, { a: 9, b: 2 }, 3],
    });
    expect(after({ 'note/s': [1] }, { 'note/s': [2, 3, 4] })).toEqual({ 'note/s': [2, 3, 4] });
  });

  verifies('RUN-5', 'ST-01: writes nothing that no patch may name', () => {
    const given: unknown = JSON.parse('{"note/s":{"__proto__":{"x":1},"a":1}}');
    const { patch, ignored } = stateWrites(given, { state: { 'note/s': {} }, writable });
    expect({ patch, ignored }).toEqual({ patch: [{ op: 'add', path: '/note~1s/a', value: 1 }], ignored: 1 });
  });

  it('reads pointers as RFC 6901 does', () => {
    expect(after({}, { 'note/s': 'x' })).toEqual({ 'note/s': 'x' });
  });

  it('may be all of it', () => {
    expect(stateWrites({ a: 1 }, { state: {}, writable: [''] }).patch).toEqual([
      { op: 'add', path: '/a', value: 1 },
    ]);
  });

  it.each([undefined, null, {}, 7, 'x', []])('hears nothing in %j', (given) => {
    expect(stateWrites(given, { state: { a: 1 }, writable: [''] })).toEqual({ patch: [], ignored: 0 });
  });
});
