import { applyPatch } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { stateWrites } from './state-writes.js';

const writable = ['/application/contact', '/note~1s'];
const writesOf = (state: unknown, given: unknown) => stateWrites(given, { state, shown: state, writable });
const after = (state: unknown, given: unknown): unknown => {
  const { patch } = writesOf(state, given);
  const patched = applyPatch(state ?? {}, patch);
  return patched.ok ? patched.value : patched.why;
};

describe('the state a client may write', () => {
  verifies('RUN-5', 'counts on the first run too, where nothing exists yet', () => {
    const given = { application: { contact: { mail: 'a' }, status: 'approved' } };
    expect(after({}, given)).toEqual({ application: { contact: { mail: 'a' } } });
    expect(after(undefined, given)).toEqual({ application: { contact: { mail: 'a' } } });
    expect(writesOf({}, given).ignored).toEqual([]);
  });

  verifies('RUN-5', 'deletes nothing and touches nothing else', () => {
    const state = { application: { contact: { mail: 'a', phone: '1' }, status: 'draft' } };
    const given = { application: { contact: { mail: 'b' }, status: 'approved' }, other: 1 };
    expect(after(state, given)).toEqual({
      application: { contact: { mail: 'b', phone: '1' }, status: 'draft' },
    });
    expect(writesOf(state, given).ignored).toEqual(['/application/status', '/other']);
  });

  verifies('RUN-5', 'goes place by place through lists, and takes nothing out of them', () => {
    expect(after({ 'note/s': [1, { a: 1, b: 2 }, 3] }, { 'note/s': [1, { a: 9 }] })).toEqual({
      'note/s': [1, { a: 9, b: 2 }, 3],
    });
    expect(after({ 'note/s': [1] }, { 'note/s': [2, 3, 4] })).toEqual({ 'note/s': [2, 3, 4] });
  });

  verifies('RUN-5', 'ST-01: writes nothing that no patch may name', () => {
    const given: unknown = JSON.parse('{"note/s":{"__proto__":{"x":1},"a":1}}');
    const { patch, ignored } = writesOf({ 'note/s': {} }, given);
    expect(patch).toEqual([{ op: 'add', path: '/note~1s/a', value: 1 }]);
    expect(ignored).toEqual(['/note~1s/__proto__']);
  });

  it('reads pointers as RFC 6901 does', () => {
    expect(after({}, { 'note/s': 'x' })).toEqual({ 'note/s': 'x' });
  });

  it('may be all of it', () => {
    expect(stateWrites({ a: 1 }, { state: {}, shown: {}, writable: [''] }).patch).toEqual([
      { op: 'add', path: '/a', value: 1 },
    ]);
  });

  it.each([undefined, null, {}, 7, 'x', []])('hears nothing in %j', (given) => {
    expect(writesOf({ a: 1 }, given)).toEqual({ patch: [], ignored: [] });
  });
});

describe('a state that comes back', () => {
  const state = {
    form: { name: 'Ann', iban: 'DE1', rows: [{ secret: 1 }, { open: 1, secret: 2 }, 'three'] },
    inner: { score: 7 },
    desk: { iban: 'DE2', name: 'Ben' },
  };
  const shown = {
    form: { name: 'Ann', iban: '[redacted]', rows: [{}, { open: 1 }, {}] },
    desk: { iban: '[redacted]', name: 'Ben' },
  };
  const written = (given: unknown) => stateWrites(given, { state, shown, writable: ['/form'] });

  verifies('RUN-40', 'as it was shown is no difference, redacted and hidden values included', () => {
    expect(written(structuredClone(shown))).toEqual({ patch: [], ignored: [] });
  });

  verifies('RUN-40', 'with a change writes the change, and keeps what was not shown', () => {
    const rows = [{}, { open: 2 }, {}];
    const { patch, ignored } = written({ ...shown, form: { ...shown.form, name: 'Eve', rows } });
    expect(ignored).toEqual([]);
    const { form } = state;
    expect(applyPatch(state, patch)).toMatchObject({
      value: {
        ...state,
        form: { ...form, name: 'Eve', rows: [form.rows[0], { open: 2, secret: 2 }, 'three'] },
      },
    });
  });

  verifies('RUN-40', 'is compared with what was shown: what is not to be seen is not known', () => {
    expect(written({ inner: { score: 7 }, desk: { iban: 'DE2' } }).ignored).toEqual(['/inner', '/desk/iban']);
  });

  verifies('RUN-41', 'with the mark of another time replaces nothing', () => {
    expect(written({ form: { name: '[redacted]', iban: 'DE9' } })).toEqual({
      patch: [{ op: 'replace', path: '/form/iban', value: 'DE9' }],
      ignored: ['/form/name'],
    });
  });
});
