/** An address of this machine at which nobody listens, and one that browsers' `fetch` would go to. */
export const NOWHERE = 'http://127.0.0.1:2/';
