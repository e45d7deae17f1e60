import { levelOf } from './news-level.js';

describe('a piece of news', () => {
  it.each([
    ['run.failed', 'error'],
    ['run.heartbeat-failed', 'warn'],
    ['run.lost', 'warn'],
    ['approvals.knock-failed', 'warn'],
    ['approvals.index-late', 'warn'],
    ['approvals.something-failed', 'error'],
    ['audit.tail-lost', 'error'],
    ['run.anything-new', 'info'],
  ])('%s is told as %s', (event, level) => {
    expect(levelOf(event)).toBe(level);
  });
});
