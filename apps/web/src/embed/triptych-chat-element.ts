/** `<triptych-chat>`: the chat for any page, by attributes, one property and three events. */
import type { ChatProps, GetToken } from './chat-props.js';
import { mountChat, type MountedChat } from './mount-chat.js';
import { tokenFrom } from '../shared/token-source.js';

const ATTRIBUTES = ['hub', 'agent', 'token-url', 'thread-id', 'language', 'theme'] as const;
const PROPERTIES = ['hub', 'agent', 'tokenUrl', 'threadId', 'language', 'theme', 'getToken'] as const;

export class TriptychChatElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ATTRIBUTES;
  private mounted: MountedChat | undefined;
  private source: GetToken | undefined;
  /** Which conversation is open has been said, by the page or the person. */
  private placed = false;
  private readonly tell = (name: string, detail: unknown): void => {
    this.dispatchEvent(new CustomEvent(`triptych-${name}`, { detail, bubbles: true }));
  };
  private readonly token: GetToken = async (need) => {
    if (this.source) return this.source(need);
    if (this.tokenUrl === null) return undefined;
    return (await tokenFrom(new URL(this.tokenUrl, this.baseURI).href)).token;
  };
  private readonly hears: Pick<ChatProps, 'onThread' | 'onConnection' | 'onStatus'> = {
    onThread: (threadId) => {
      if ((this.threadId ?? undefined) === threadId) return;
      this.threadId = threadId ?? null;
      this.tell('thread', { threadId });
    },
    onConnection: (connection) => this.tell('connection', { connection }),
    onStatus: (status) => this.tell('status', status),
  };

  get hub(): string | null {
    return this.getAttribute('hub');
  }
  set hub(value: string | null) {
    this.reflect('hub', value);
  }
  get agent(): string | null {
    return this.getAttribute('agent');
  }
  set agent(value: string | null) {
    this.reflect('agent', value);
  }
  get tokenUrl(): string | null {
    return this.getAttribute('token-url');
  }
  set tokenUrl(value: string | null) {
    this.reflect('token-url', value);
  }
  /** The open conversation; set to `null`, a new one. */
  get threadId(): string | null {
    return this.getAttribute('thread-id');
  }
  set threadId(value: string | null) {
    this.reflect('thread-id', value);
  }
  get language(): string | null {
    return this.getAttribute('language');
  }
  set language(value: string | null) {
    this.reflect('language', value);
  }
  get theme(): string | null {
    return this.getAttribute('theme');
  }
  set theme(value: string | null) {
    this.reflect('theme', value);
  }
  get getToken(): GetToken | undefined {
    return this.source;
  }
  set getToken(value: GetToken | undefined) {
    this.source = value;
    this.draw();
  }

  connectedCallback(): void {
    this.takeEarlyProperties();
    this.mounted ??= mountChat(this, this.props());
  }

  /** Moved within the page it is put back at once, and stays. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.mounted?.end();
      this.mounted = undefined;
    });
  }

  attributeChangedCallback(name: string, _was: string | null, is: string | null): void {
    // The place is left, not forgotten: what follows is a new conversation.
    this.placed ||= name === 'thread-id' && (is !== null || this.mounted !== undefined);
    this.draw();
  }

  private props(): ChatProps {
    const hasSource = this.source !== undefined || this.tokenUrl !== null;
    return {
      hub: this.hub ?? '',
      getToken: hasSource ? this.token : undefined,
      agent: this.agent ?? undefined,
      threadId: this.placed ? this.threadId : undefined,
      language: this.language ?? undefined,
      ...this.hears,
    };
  }

  private draw(): void {
    this.mounted?.update(this.props());
  }

  private reflect(name: string, value: string | null): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** Properties that were set before this class was known hide its own. */
  private takeEarlyProperties(): void {
    const early = this as unknown as Record<string, unknown>;
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = early[name];
      delete early[name];
      early[name] = value;
    }
  }
}
