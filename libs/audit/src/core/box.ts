/** Locks the personal parts of a record away under a key that can be dropped, while the record stays what it is. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SubjectKey {
  /** Says nothing of whose it is. */
  readonly id: string;
  readonly secret: Buffer;
}

export interface Box {
  /** The id of the key that opens it. */
  readonly key: string;
  /** Nonce, ciphertext and tag; base64url. */
  readonly box: string;
}

export const lock = (content: unknown, key: SubjectKey, nonce: Buffer): Box => {
  const cipher = createCipheriv(CIPHER, key.secret, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return { key: key.id, box: Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url') };
};

/** undefined: it is not this key's, or was tampered with. */
export const unlock = ({ box }: Box, secret: Buffer): unknown => {
  try {
    const bytes = Buffer.from(box, 'base64url');
    const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE_BYTES));
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text =
      cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
    return JSON.parse(text);
  } catch {
    // Which of the two it was makes no difference to whoever cannot read it.
    return undefined;
  }
};
