/** Where in Slack something was pressed. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { compileBridges } from '../../core/bridges.js';
import { slackPlaces } from './places.js';

describe('a place in Slack', () => {
  const read = compileBridges(
    {
      destinations: [
        { id: 'desk', kind: 'slack', address: 'C0DESK' },
        { id: 'ann', kind: 'slack', address: 'U0ANN' },
        { id: 'teams', kind: 'teams', address: 'C0TEAMS' },
      ],
    },
    {},
  );
  if (!read.ok) throw new Error('The file is wrong.');
  const placeOf = slackPlaces(read.value.destinations.values());

  const PLACES: readonly (readonly [string, string, string | undefined])[] = [
    ['C0DESK', 'U0ANN', 'desk'],
    ['C0DESK', 'U0BOB', 'desk'],
    ['D0ANN', 'U0ANN', 'ann'],
    ['D0BOB', 'U0BOB', undefined],
    ['C0OTHER', 'U0ANN', undefined],
    ['G0OTHER', 'U0ANN', undefined],
    ['C0TEAMS', 'U0BOB', undefined],
  ];
  for (const [channel, user, id] of PLACES)
    verifies('BRG-117', `${channel}, where ${user} pressed, is ${id ?? 'none of ours'}`, () => {
      expect(placeOf(channel, user)?.id).toBe(id);
    });
});
