/** Reads of a token whose it is and how long it lasts; whether it is good is for the hub to say. */

export interface TokenClaims {
  readonly subject: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Of a token that cannot be read: it is asked for anew each time. */
const UNREADABLE: TokenClaims = { subject: '', expiresAt: 0 };

const payloadOf = (token: string): unknown => {
  const text = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

export const claimsOf = (token: string): TokenClaims => {
  try {
    const { sub, exp } = payloadOf(token) as { sub?: unknown; exp?: unknown };
    return {
      subject: typeof sub === 'string' ? sub : '',
      expiresAt: typeof exp === 'number' ? exp * 1_000 : 0,
    };
  } catch {
    // Not one of those that can be read.
    return UNREADABLE;
  }
};
