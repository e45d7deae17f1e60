import { verifies } from '../../../../../test/spec/verifies.js';
import { asksFor, eventNamed } from '../../operator/core/palette-finds.js';
import { matching, SHOWN, withFound, type PaletteEntry } from './entries.js';

const entry = (group: string, id: string, label: string, hint?: string): PaletteEntry => ({
  ...{ group, id, label, hint },
  icon: 'right',
  run: () => undefined,
});
const ALL = [
  entry('Tasks', 'aa.bb.cc', 'Open account for Amélie', 'acct-1'),
  entry('Tasks', 'dd.ee.ff', 'Refund a parcel', 'refund-7'),
  entry('Threads', 'refund-7', 'My parcel never came'),
  entry('Do', 'approve', 'Approve'),
];
const idsFor = (text: string): readonly string[] => matching(ALL, text).map(({ id }) => id);

verifies('WEB-88', 'the palette finds what holds all words, whatever their case and marks', () => {
  expect(idsFor('')).toEqual(['aa.bb.cc', 'dd.ee.ff', 'refund-7', 'approve']);
  expect(idsFor('  AMELIE open ')).toEqual(['aa.bb.cc']);
  expect(idsFor('parcel refund')).toEqual(['dd.ee.ff', 'refund-7']);
  expect(idsFor('parcel amelie')).toEqual([]);
  expect(idsFor('do')).toEqual(['approve']);
});

verifies('WEB-88', 'what is named by its whole id comes first, and its group with it', () => {
  expect(idsFor('refund-7')).toEqual(['refund-7', 'dd.ee.ff']);
  const close = [entry('Tasks', '1', 'The approve page'), ...ALL];
  expect(matching(close, 'approve').map(({ id }) => id)).toEqual(['approve', '1']);
});

verifies('WEB-88', 'so many are shown and no more; what the hub found adds what was not here', () => {
  const many = Array.from({ length: 100 }, (_, nth) => entry('Tasks', `t${nth}`, 'Same'));
  expect(matching(many, 'same')).toHaveLength(SHOWN);
  expect(withFound(many.slice(0, SHOWN), many)).toHaveLength(SHOWN);
  expect(withFound([ALL[0]!], [ALL[0]!, ALL[1]!]).map(({ id }) => id)).toEqual(['aa.bb.cc', 'dd.ee.ff']);
});

verifies('WEB-88', 'an event is named by its number, however it is written', () => {
  expect(['1284', '#1284', '1,284', '#1 284', '9f2c41aa:1284'].map(eventNamed)).toEqual(
    Array.from({ length: 5 }, () => 1284),
  );
  expect(['', 'refund 7', '1,28', 'x:', '1.2.3'].map(eventNamed)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

verifies('WEB-88', 'a whole task id is asked for itself, words of threads and tasks', () => {
  expect(asksFor('sZsgIvvKXuvi8jr5T.RUNJ5CLwUpcZHq0T.yZJiOq7s40r4')).toEqual([
    { of: 'task', path: '/v1/approvals/sZsgIvvKXuvi8jr5T.RUNJ5CLwUpcZHq0T.yZJiOq7s40r4' },
  ]);
  expect(asksFor('a b').map(({ path }) => path)).toEqual([
    '/v1/threads?q=a%20b&limit=10',
    '/v1/approvals?q=a%20b&limit=10',
  ]);
});
