/** Holds the list of field cases that this folder answers, so that none of them loses its test unnoticed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const HERE = join(process.cwd(), 'test/field');

/** By area: what streams may hold, state, replay, event streams, sockets. */
const ANSWERED = [
  'SL-02 SL-03 SL-04 SL-05 SL-06 SL-09 SL-11 SL-14 SL-15 SL-16 SL-17 SL-20 SL-21',
  'ST-01 ST-03 ST-04 ST-06 ST-08 ST-10 ST-11',
  'RR-01 RR-03 RR-06 RR-07 RR-08 RR-10 RR-11 RR-13 RR-14 RR-16 RR-17 RR-20',
  'SS-01 SS-02 SS-04 SS-05 SS-08 SS-10',
  'WS-01 WS-02 WS-05 WS-07 WS-08',
].flatMap((area) => area.split(' '));

const citedIn = (text: string): readonly string[] =>
  [...text.matchAll(/['"`]((?:(?:SL|ST|RR|SS|WS)-\d\d(?:, )?)+):/gu)].flatMap(([, ids = '']) =>
    ids.split(', '),
  );

describe('the faults others had in the field', () => {
  verifies('HUB-49', 'have a test each that cites them', () => {
    const specs = readdirSync(HERE).filter((name) => name.endsWith('.spec.ts'));
    const cited = specs.flatMap((name) => citedIn(readFileSync(join(HERE, name), 'utf8')));
    expect([...new Set(cited)].toSorted()).toEqual(ANSWERED.toSorted());
  });
});
