import { verifies } from '../../../../test/spec/verifies.js';
import { instantOf } from './instant.js';

describe('instants', () => {
  verifies('APR-13', 'agree with the calendar, without a zone in UTC', () => {
    const texts = [
      '2026-03-01T09:00:00Z',
      '2026-03-01T09:00:00.125Z',
      '2026-03-01T09:00:00+01:00',
      '2024-02-29T23:59:59-11:30',
      '1970-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999Z',
      '2100-03-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '2026-03-01',
      '2026-12-31T24:00:00Z',
    ];
    for (const text of texts) expect([text, instantOf(text)]).toEqual([text, Date.parse(text)]);
    expect(instantOf('2026-03-01T09:00:00')).toBe(Date.UTC(2026, 2, 1, 9));
    expect(instantOf('2026-03-01 09:00')).toBe(Date.UTC(2026, 2, 1, 9));
    expect(instantOf('2026-03-01T10:00:00.123456+0100')).toBe(Date.UTC(2026, 2, 1, 9, 0, 0, 123));
  });

  it('walks every day of four centuries as the calendar does', () => {
    for (let day = Date.UTC(1900, 0, 1); day < Date.UTC(2300, 0, 1); day += 86_400_000 * 13)
      expect(instantOf(new Date(day).toISOString())).toBe(day);
  });

  verifies('APR-13', 'what is no date is none', () => {
    for (const text of [
      'soon',
      '',
      '1756800000',
      '2026-13-01',
      '2026-02-30',
      '2026-03-01T25:00Z',
      '2026-03-01T09:00:00+99:00',
      'PT15M',
    ])
      expect([text, instantOf(text)]).toEqual([text, undefined]);
  });
});
