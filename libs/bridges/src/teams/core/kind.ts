/** A place in Teams, as the file names it. */
import { z } from 'zod';
import { isWebUrl, kind, webUrl } from '../../core/kind.js';

const APP = ['TEAMS_APP_ID', 'TEAMS_APP_PASSWORD'];

export const teamsKind = kind({
  fields: {
    /** The id of a conversation; of a workflow, its URL. */
    address: z.string().min(1, 'may not be empty'),
    /** Where the connector of that conversation is. */
    serviceUrl: webUrl.default('https://smba.trafficmanager.net/teams/'),
    /** A Workflows webhook takes cards and gives nothing back: it is told, and nobody decides there. */
    mode: z.enum(['bot', 'workflow']).default('bot'),
  },
  isHeard: true,
  needs: ({ mode }) =>
    mode === 'workflow' ? { shown: [], heard: [] } : { shown: APP, heard: [...APP, 'TEAMS_TENANTS'] },
  tellsRuns: ({ mode }) => mode === 'bot',
  objection: ({ address, mode }) =>
    mode === 'workflow' && !isWebUrl(address) ? 'must be the URL of a workflow' : undefined,
});
