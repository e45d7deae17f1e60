/** A place in Slack, as the file names it. */
import { z } from 'zod';
import { kind } from '../../core/kind.js';

export const slackKind = kind({
  fields: {
    /** A channel, or a person's direct messages. */
    address: z
      .string()
      .regex(/^[CDGUW][A-Z0-9]{2,20}$/, 'must be the id of a channel or person, such as "C0123ABCD"'),
  },
  isHeard: true,
  tellsRuns: () => true,
  needs: () => ({
    shown: ['SLACK_BOT_TOKEN'],
    heard: ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'slack in bridges.yaml'],
  }),
});
