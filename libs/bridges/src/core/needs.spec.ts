/** What is missing for a place to work, by what is set. */
import { verifies } from '../../../../test/spec/verifies.js';
import { compileBridges } from './bridges.js';
import { linesOf, unmetNeeds, type Side } from './needs.js';

const FLOW = 'https://prod-1.logic.azure.com/workflows/1';
const read = compileBridges(
  {
    destinations: [
      { id: 'desk', kind: 'slack', address: 'C0DESK' },
      { id: 'audit', kind: 'slack', address: 'C0AUDIT' },
      { id: 'board', kind: 'teams', address: '19:a' },
      { id: 'flow', kind: 'teams', address: FLOW, mode: 'workflow' },
      { id: 'post', kind: 'mail', address: 'desk@bank.example' },
      {
        id: 'crm',
        kind: 'webhook',
        address: FLOW,
        secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
      },
    ],
  },
  {},
);
const saidOf = (side: Side, ...given: readonly string[]) => {
  if (!read.ok) throw new Error('The file is wrong.');
  return linesOf(unmetNeeds(read.value, { side, given: new Set(given) }));
};

describe('what is missing', () => {
  verifies('BRG-124', 'is named once for all places that lack the same', () => {
    expect(saidOf('shown')).toEqual([
      { missing: 'SLACK_BOT_TOKEN', destinations: 'desk, audit' },
      { missing: 'TEAMS_APP_ID, TEAMS_APP_PASSWORD', destinations: 'board' },
      { missing: 'SMTP_URL, mail in bridges.yaml', destinations: 'post' },
    ]);
    expect(saidOf('heard', 'SLACK_BOT_TOKEN', 'TEAMS_APP_ID', 'TEAMS_APP_PASSWORD')).toEqual([
      { missing: 'SLACK_SIGNING_SECRET, slack in bridges.yaml', destinations: 'desk, audit' },
      { missing: 'TEAMS_TENANTS', destinations: 'board' },
    ]);
  });

  verifies('BRG-124', 'is nothing where all is set', () => {
    const all = ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'slack in bridges.yaml', 'TEAMS_APP_ID'];
    const more = ['TEAMS_APP_PASSWORD', 'TEAMS_TENANTS', 'SMTP_URL', 'mail in bridges.yaml'];
    for (const side of ['shown', 'heard'] as const) expect(saidOf(side, ...all, ...more)).toEqual([]);
  });
});
