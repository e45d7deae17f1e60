/** Where the client gets its tokens. */
export type TokenSource = (need: { readonly fresh: boolean }) => Promise<string>;
