/** Holds the list of threats and field cases that this folder answers, so that none of them loses its test unnoticed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../spec/verifies.js';

const HERE = join(process.cwd(), 'test/access/threats');

/** 14, planted secrets, has a story of its own. */
const ANSWERED = [
  ...[1, 2, 3, 4, 5, 7, 8, 12, 13, 15, 16, 17, 19, 21].map((number) => `threat ${number}`),
  ...['01', '03', '05', '06', '08', '10', '13', '14'].map((number) => `SE-${number}`),
];

/** The numbers at the head of a test's name. */
const citedIn = (text: string): readonly string[] =>
  [...text.matchAll(/tries\(\s*['"`]((?:(?:SE-\d\d|threat \d+)(?:, )?)+):/gu)].flatMap(([, ids = '']) =>
    ids.split(', '),
  );

describe('what others tried on theirs', () => {
  verifies('HUB-79', 'has a test each that cites it', () => {
    const cited = readdirSync(HERE).flatMap((name) => citedIn(readFileSync(join(HERE, name), 'utf8')));
    expect([...new Set(cited)].toSorted()).toEqual(ANSWERED.toSorted());
    const played = readFileSync(join(HERE, '../threats.spec.ts'), 'utf8');
    const citing = readdirSync(HERE).filter(
      (name) => citedIn(readFileSync(join(HERE, name), 'utf8')).length > 0,
    );
    for (const name of citing) expect(played).toContain(`${name.slice(0, -'.ts'.length)}(onStage)`);
  });
});
