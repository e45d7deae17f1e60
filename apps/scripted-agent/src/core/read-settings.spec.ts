/** Settings have defaults, and a bad one is named with an example. */
import { readSettings } from './read-settings.js';

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({ SPEED: '' })).toEqual({
      ok: true,
      settings: { port: 0, host: '127.0.0.1', speed: 1, dir: undefined },
    });
  });

  it('names every bad variable with an example', () => {
    const read = readSettings({ PORT: '70000', SPEED: 'fast' });
    expect(read.ok ? [] : read.problems).toEqual([
      expect.stringMatching(/^PORT: .* for example 0/),
      expect.stringMatching(/^SPEED: .* for example 1/),
    ]);
  });
});
