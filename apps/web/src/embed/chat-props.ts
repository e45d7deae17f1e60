/** What whoever embeds the chat says, and what they are told. The package's door: nothing of ours behind it shows. */

/** A current token of the person at the page. Nothing: nobody is signed in. */
export type GetToken = (need: {
  /** The last one did not do, or is about to end. */
  readonly fresh: boolean;
}) => Promise<string | undefined>;

/**
 * `away`: it is tried again by itself. `not-allowed`: the hub lets no page of this origin in. `signed-out`, `forbidden`
 * and `closed` want the person, or whoever runs the page.
 */
export type ChatConnection =
  'connecting' | 'ready' | 'away' | 'not-allowed' | 'signed-out' | 'forbidden' | 'closed';

export interface ChatStatus {
  readonly threadId: string;
  readonly status: 'idle' | 'running' | 'waiting' | 'failed';
  /** A question waits for the person at the page, not for an adviser. */
  readonly asksYou: boolean;
}

export interface ChatProps {
  /** Where the hub is, as `https://hub.example`. */
  readonly hub: string;
  readonly getToken?: GetToken | undefined;
  /** The agent that is talked to; else the person chooses among theirs. */
  readonly agent?: string | undefined;
  /** The open conversation. `null`: a new one. Left out: the one that was open last on this device. */
  readonly threadId?: string | null | undefined;
  /** `en` or `zh`; else that of the page, else that of the browser. */
  readonly language?: string | undefined;
  /** Another conversation was opened. */
  readonly onThread?: ((threadId: string | undefined) => void) | undefined;
  readonly onConnection?: ((connection: ChatConnection) => void) | undefined;
  /** How the open conversation stands, each time that it stands differently. */
  readonly onStatus?: ((status: ChatStatus | undefined) => void) | undefined;
}
