/** Thrown by a token source when there is nobody to get a token for. */
export class SignedOut extends Error {
  constructor(message = 'Signed out') {
    super(message);
    this.name = 'SignedOut';
  }
}
