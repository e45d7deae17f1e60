/** The contract's side of workflows, which are told and nothing more. */
import { FakeWorkflow } from '../../../../test/fakes/teams/fake-workflow.js';
import { type BridgeTerms, LIMITED_MS, type Place } from '../../src/contract.js';
import { NOWHERE } from './nowhere.js';
import { adaptive, openTeams, teamsAt } from './teams.js';

const placeAt = (flow: FakeWorkflow): Place<'teams'> => ({
  destination: teamsAt(flow.url, 'workflow'),
  found: () => flow.cards.map(adaptive),
  meet: (trouble) => {
    if (trouble === 'limited')
      flow.meet({ kind: 'answer', status: 429, headers: { 'retry-after': String(LIMITED_MS / 1_000) } });
    else flow.meet(trouble === 'never' ? { kind: 'answer', status: 404 } : { kind: trouble });
  },
});

export const workflowTerms: BridgeTerms<'teams'> = {
  ...{ changes: false, decides: false, limits: true, resends: false, maxBytes: 28 * 1024 },
  marks: ['**', '](https:', '<at>', '{{DATE'],
  start: async () => {
    const flows: FakeWorkflow[] = [];
    const { bridge, close } = await openTeams();
    return {
      bridge,
      place: async () => {
        const flow = await FakeWorkflow.start();
        flows.push(flow);
        return placeAt(flow);
      },
      astray: () => ({ bridge, destination: teamsAt(NOWHERE, 'workflow') }),
      later: () => Promise.resolve(),
      close: async () => {
        await Promise.all(flows.map((flow) => flow.stop()));
        await close();
      },
    };
  },
};
