/** Proves that what is revealed is the value that was asked for. */
import { readPointer, resolvePath } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { hiddenValues } from './hidden-values.js';
import { REDACTED, valueRows } from './values.js';

describe('hidden values', () => {
  verifies('WEB-68', 'are found by the row that shows them, and lie where the pointer says', () => {
    const args = {
      taxId: REDACTED,
      'a/b~c': REDACTED,
      owner: { name: 'Ann', iban: REDACTED },
      owners: [{ iban: 'x' }, { iban: REDACTED }],
    };
    const hidden = hiddenValues(args);
    const rows = (valueRows(args, undefined) ?? []).filter(({ value }) => value.kind === 'redacted');
    expect([...hidden.keys()]).toEqual(rows.map(({ key }) => key));
    expect([...hidden.values()]).toEqual(['/taxId', '/a~1b~0c', '/owner/iban', '/owners/1/iban']);
    for (const pointer of hidden.values())
      expect(resolvePath(args, readPointer(pointer) ?? [])).toEqual({ value: REDACTED });
  });

  verifies('WEB-68', 'whose rows read the same are not offered', () => {
    expect(hiddenValues({ 'a.b': REDACTED, a: { b: REDACTED, c: REDACTED } })).toEqual(
      new Map([['a.c', '/a/c']]),
    );
    expect(hiddenValues('text')).toEqual(new Map());
  });
});
