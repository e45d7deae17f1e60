/** One stock AG-UI client on one stream of the hub: what it was sent, what it made of it, and how it ended. */
import { HttpAgent, type Interrupt, type Message, type RunAgentParameters } from '@ag-ui/client';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';

/** The published client in whichever version. */
export type Stock = typeof HttpAgent;

export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly threadId: string;
  readonly runId?: string;
  readonly messages?: readonly Message[];
  readonly state?: unknown;
  readonly resume?: RunAgentInput['resume'];
  readonly tools?: RunAgentInput['tools'];
  /** An attach stream is a GET, and stays open until it is let go. */
  readonly attach?: true;
  readonly lastEventId?: string;
  readonly stock?: Stock;
}

/** What a reader ends with. */
export interface Understood {
  readonly messages: readonly Message[];
  readonly state: unknown;
  readonly pending: readonly Interrupt[];
}

/** Two clients' models are compared as JSON: what one leaves out the other may hold as undefined. */
const plain = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

/** A stream as it came, ended by the hub or let go by its reader. */
const tee = (
  body: ReadableStream<Uint8Array>,
  { heard, letGo }: { heard: (text: string) => void; letGo: Promise<void> },
): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  void letGo.then(() => reader.cancel()).catch(() => undefined);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      heard(decoder.decode(value, { stream: true }));
      controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
};

const MAX_TOLD_CHARS = 2_000;

export class Reading {
  /** How the hub says an attach stream began. */
  recovered: string | null = null;
  /** The bytes of the response, as text. */
  text = '';
  /** What the client took, chunks written out. */
  readonly taken: AguiEvent[] = [];
  /** How the client ended: undefined when `runAgent` resolved. */
  readonly ended: Promise<Error | undefined>;
  private readonly agent: HttpAgent;
  /** The hub has answered. */
  readonly opened: Promise<void>;
  private open = (): void => undefined;
  private letGo = (): void => undefined;
  private wake = (): void => undefined;

  constructor(private readonly asked: Asked) {
    const { url, token, threadId, messages = [], state, stock = HttpAgent } = asked;
    this.opened = new Promise((resolve) => (this.open = resolve));
    const released = new Promise<void>((resolve) => (this.letGo = resolve));
    this.agent = new stock({
      url,
      threadId,
      headers: { authorization: `Bearer ${token}` },
      initialMessages: [...messages],
      ...(state === undefined ? {} : { initialState: state as object }),
      fetch: (target, init) => this.fetch(target, init, released),
    });
    this.ended = this.read();
  }

  /** The events on the wire, in order. */
  get sent(): readonly AguiEvent[] {
    return this.sentTexts.map((json) => JSON.parse(json) as AguiEvent);
  }

  /** Their texts, byte for byte. */
  get sentTexts(): readonly string[] {
    const whole = this.text.split('\n\n').slice(0, -1);
    return whole.flatMap((frame) =>
      frame
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length)),
    );
  }

  get types(): readonly string[] {
    return this.taken.map(({ type }) => type);
  }

  get model(): Understood {
    const { messages, state, pendingInterrupts } = this.agent;
    return plain({ messages, state: state as unknown, pending: pendingInterrupts ?? [] });
  }

  /** Waits until the bytes so far are as wanted. */
  async until(fits: () => boolean): Promise<void> {
    let over: string | undefined;
    void this.ended.then((error) => {
      over = error ? `failed with ${error.message}` : 'ended';
      this.wake();
    });
    while (!fits()) {
      if (over) throw new Error(`The stream ${over} first: ${this.text.slice(-MAX_TOLD_CHARS)}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** The reader leaves; the client sees the stream end. */
  async leave(): Promise<Error | undefined> {
    this.letGo();
    return this.ended;
  }

  private async fetch(target: string, init: RequestInit, released: Promise<void>): Promise<Response> {
    const { attach, lastEventId } = this.asked;
    const headers = new Headers(init.headers);
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    const get = { method: 'GET', headers, signal: init.signal ?? null };
    const response = await fetch(target, attach ? get : init);
    this.recovered = response.headers.get('hub-recovered');
    this.open();
    if (!response.ok || !response.body) return response;
    const heard = (text: string): void => {
      this.text += text;
      this.wake();
    };
    const { status } = response;
    return new Response(tee(response.body, { heard, letGo: released }), {
      status,
      headers: response.headers,
    });
  }

  private async read(): Promise<Error | undefined> {
    const { runId, resume, tools } = this.asked;
    const asked = JSON.parse(JSON.stringify({ runId, resume, tools })) as RunAgentParameters;
    const onEvent = ({ event }: { event: object }): void => void this.taken.push(plain(event) as AguiEvent);
    try {
      await this.agent.runAgent(asked, { onEvent });
      return undefined;
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
  }
}
