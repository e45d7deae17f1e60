/** A mail address, as the file names it. */
import { z } from 'zod';
import { kind } from '../../core/kind.js';

export const mailKind = kind({
  fields: { address: z.email('must be a mail address') },
  isHeard: false,
  needs: () => ({ shown: ['SMTP_URL', 'mail in bridges.yaml'], heard: [] }),
});
