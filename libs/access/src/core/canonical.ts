/** Writes values as canonical JSON (RFC 8785), where they have one. */
import canonicalize from 'canonicalize';

/** undefined: the value has no canonical form (a lone surrogate, or no JSON at all). */
export const canonicalOf = (value: unknown): string | undefined => {
  try {
    return canonicalize(value);
  } catch {
    // Only lone surrogates throw once a value came out of JSON; other readers of such text would hash it differently.
    return undefined;
  }
};
