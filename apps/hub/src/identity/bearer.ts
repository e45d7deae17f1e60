/** Finds the token a caller brought: in the Authorization header, or among a browser socket's subprotocols. */

/** Longer than any token worth parsing; a header of this size is an attack or a mistake. */
const MAX_TOKEN_LENGTH = 8 * 1024;
const BEARER = /^Bearer +([\w\-.~+/]+=*)$/iu;
const SUBPROTOCOL_PREFIX = 'bearer.';

export const bearerOf = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined || authorization.length > MAX_TOKEN_LENGTH) return undefined;
  return BEARER.exec(authorization)?.[1];
};

export const subprotocolsOf = (header: string | undefined): readonly string[] =>
  header === undefined || header.length > MAX_TOKEN_LENGTH
    ? []
    : header.split(',').map((name) => name.trim());

export const bearerAmong = (subprotocols: readonly string[]): string | undefined =>
  subprotocols.find((name) => name.startsWith(SUBPROTOCOL_PREFIX))?.slice(SUBPROTOCOL_PREFIX.length);
