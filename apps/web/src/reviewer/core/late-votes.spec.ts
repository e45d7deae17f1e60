/** Proves that a late answer is told apart from those that count. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { lateVotes } from './late-votes.js';

describe('answers that came too late', () => {
  verifies('WEB-67', 'are read from the history, each with its verb', () => {
    const history = [
      { at: 1, by: 'ruth', action: 'approve' },
      { at: 2, by: 'jan', action: 'late', text: 'reject' },
      { at: 3, by: 'tove', action: 'late', text: 'something else' },
      { at: 4, by: 'tove', action: 'comment', text: 'reject' },
    ];
    expect(lateVotes({ history })).toEqual([{ by: 'jan', verb: 'reject', at: 2 }]);
    expect(lateVotes({})).toEqual([]);
  });
});
