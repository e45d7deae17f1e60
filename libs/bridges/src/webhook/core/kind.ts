/** An endpoint, as the file names it. */
import { z } from 'zod';
import { kind, webUrl } from '../../core/kind.js';
import { readSigningKey, secretsRead } from './keys.js';

export const webhookKind = kind({
  fields: {
    address: webUrl,
    /** `whsec_…` signs with HMAC, `whsk_…` with Ed25519; several while they are rotated. */
    secrets: secretsRead(readSigningKey, 'whsec_… (24 to 64 bytes) or whsk_… (Ed25519)'),
    /** `thin`: ids only. */
    payload: z.enum(['thin', 'full']).default('thin'),
  },
  isHeard: false,
});
