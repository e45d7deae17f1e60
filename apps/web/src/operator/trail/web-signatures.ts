/** The browser's own cryptography; where it has none, or no Ed25519, nothing is verified and the page says so. */
import type { SealTools } from '../core/seal-check.js';

export interface KeySet {
  readonly keys: readonly (JsonWebKey & { readonly kid?: string })[];
}

const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const toBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/u, '');

const headOf = (part: string): { readonly alg?: string; readonly kid?: string } => {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64url(part))) as object;
  } catch {
    // No signature of ours begins so.
    return {};
  }
};

const importedKeys = async (subtle: SubtleCrypto, { keys }: KeySet) => {
  const ours = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
  return Promise.all(
    ours.map(async ({ kid, kty = '', crv = '', x = '' }) => ({
      kid,
      key: await subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']),
    })),
  );
};

/** Detached signatures (RFC 7515, appendix F). Undefined: this browser cannot verify any. */
export const signatureTools = async (keySet: KeySet): Promise<SealTools | undefined> => {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const keys = await importedKeys(subtle, keySet).catch(() => undefined);
  if (keys === undefined) return undefined;
  const signed = async (jws: string, text: string): Promise<boolean> => {
    const [head = '', , signature = ''] = jws.split('.');
    const { alg, kid } = headOf(head);
    const key = keys.find((each) => each.kid === kid)?.key;
    if (alg !== 'EdDSA' || key === undefined) return false;
    const input = new TextEncoder().encode(`${head}.${toBase64url(new TextEncoder().encode(text))}`);
    return subtle.verify({ name: 'Ed25519' }, key, fromBase64url(signature), input).catch(() => false);
  };
  return { signed, sha256: (bytes) => subtle.digest('SHA-256', bytes) };
};
