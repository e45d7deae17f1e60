/** What a button carries: it opens only where it was sealed, and only as it was. */
import { verifies } from '../../../../test/spec/verifies.js';
import { chatValues } from './chat-value.js';

const shown = {
  taskId: 'Zm9vYmFyYmF6cXV4MTIzNA.abcdefgh12345678.hgfedcba87654321',
  rev: 3,
  proposalHash: 'aa11',
};
const values = chatValues(Buffer.from('a secret of the hub that nobody knows'));

describe('the value of a button', () => {
  verifies('BRG-3', 'names task and revision, and what its card showed', () => {
    const text = values.seal(shown);
    expect(text).toMatch(/^t1\.[\w.-]+\.3\.[\w-]{32}$/);
    const value = values.open(text);
    expect(value).toMatchObject({ taskId: shown.taskId, rev: 3 });
    expect([value?.showed('aa11'), value?.showed('bb22')]).toEqual([true, false]);
  });

  verifies('BRG-3', 'opens to nothing when a character of it is another, or its secret is', () => {
    const text = values.seal(shown);
    const spoilt = Array.from(text).map(
      (char, at) => text.slice(0, at) + (char === 'x' ? 'y' : 'x') + text.slice(at + 1),
    );
    for (const each of [...spoilt.slice(0, -16), '', 't1', 't1.a.1.', `${text}x`, text.replace('.3.', '.4.')])
      expect(values.open(each)).toBeUndefined();
    // The last half of the seal vouches for the proposal alone.
    for (const each of spoilt.slice(-15)) expect(values.open(each)?.showed('aa11')).toBe(false);
    expect(chatValues(Buffer.from('another secret')).open(text)).toBeUndefined();
  });
});
