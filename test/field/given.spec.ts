/** Holds the list of field cases that these folders answer, so that none of them loses its test unnoticed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';

/** Timers that need a broken store or a frozen worker are tried where such things are at hand. */
const FOLDERS = ['test/field', 'test/deadlines'].map((path) => join(process.cwd(), path));

/** By area: what streams may hold, state, replay, event streams, sockets, interrupts, queues and timers. */
const ANSWERED = [
  'SL-02 SL-03 SL-04 SL-05 SL-06 SL-09 SL-11 SL-14 SL-15 SL-16 SL-17 SL-20 SL-21',
  'ST-01 ST-03 ST-04 ST-06 ST-08 ST-10 ST-11',
  'RR-01 RR-03 RR-06 RR-07 RR-08 RR-10 RR-11 RR-13 RR-14 RR-16 RR-17 RR-20',
  'SS-01 SS-02 SS-04 SS-05 SS-08 SS-10',
  'WS-01 WS-02 WS-05 WS-07 WS-08',
  'IN-01 IN-03 IN-06 IN-07 IN-09 IN-10 IN-12 IN-13 IN-15 IN-17 IN-18',
  'QT-01 QT-02 QT-05 QT-06 QT-08 QT-09 QT-11',
].flatMap((area) => area.split(' '));

const citedIn = (text: string): readonly string[] =>
  [...text.matchAll(/['"`]((?:(?:SL|ST|RR|SS|WS|IN|QT)-\d\d(?:, )?)+):/gu)].flatMap(([, ids = '']) =>
    ids.split(', '),
  );

describe('the faults others had in the field', () => {
  verifies('HUB-49', 'have a test each that cites them', () => {
    const specs = FOLDERS.flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)));
    const cited = specs
      .filter((path) => path.endsWith('.spec.ts'))
      .flatMap((path) => citedIn(readFileSync(path, 'utf8')));
    expect([...new Set(cited)].toSorted()).toEqual(ANSWERED.toSorted());
  });
});
