/** The port to the key that decisions and checkpoints are signed with. */
export interface Signer {
  /** Names the key in each signature: its thumbprint (RFC 7638). */
  readonly kid: string;
  /** A detached JWS (RFC 7515, appendix F) by EdDSA: whoever verifies it brings the text along. */
  sign(text: string): Promise<string>;
}
