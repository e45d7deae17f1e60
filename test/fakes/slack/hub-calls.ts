/** Slack's requests to the hub: signed over the raw body, given three seconds, and sent again like Slack does. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAck, type Ack } from './ack.js';
import type { Members } from './answers.js';
import type { Lines } from './lines.js';
import { clickPayload, eventPayload, submitPayload, type Click, type Submit } from './payloads.js';
import type { Triggers } from './triggers.js';
import type { World } from './world.js';

const ACK_WITHIN_MS = 3_000;
/** Slack waits next to nothing, a minute and five; nobody waits so long for a test. */
const RETRY_AFTER_MS = [0, 200, 500];
const FORM = 'application/x-www-form-urlencoded';
/** A hook of an interaction is good for so many answers within so long. */
const HOOK_USES = 5;
const HOOK_MS = 30 * 60_000;

export interface Delivery {
  readonly path: 'interactions' | 'events';
  readonly type: string;
  readonly body: string;
}

interface Hook {
  readonly channel: string;
  readonly user: string;
  readonly at: number;
  used: number;
}

export interface SignOptions {
  readonly secret?: string;
  readonly skewSeconds?: number;
}

export class HubCalls {
  /** Of the hub, such as `http://127.0.0.1:4000`. */
  hubUrl = '';
  secret = 'fake-signing-secret';
  skewSeconds = 0;
  /** Copies that are sent though the first was acknowledged. */
  copies = 1;
  /** Acks that came after three seconds, or never. */
  readonly late: string[] = [];
  readonly hooks = new Map<string, Hook>();
  private stopped = false;

  constructor(
    private readonly slack: {
      readonly world: World;
      readonly triggers: Triggers;
      readonly url: string;
      readonly lines: Lines;
    },
  ) {}

  stop(): void {
    this.stopped = true;
  }

  /** A person presses a button of a card. */
  click(click: Click): Promise<Ack> {
    const { world, triggers } = this.slack;
    const trigger = triggers.give(world.nextId('trigger.'), click.user);
    const hook = this.newHook(click);
    return this.deliver(interaction(clickPayload(world, { ...click, trigger, hook })));
  }

  /** A person submits a modal; it closes unless the hub says otherwise. */
  async submit(submit: Submit): Promise<Ack> {
    const { world, triggers } = this.slack;
    const opened = world.views.get(submit.view);
    if (!opened) throw new Error(`There is no view ${submit.view}.`);
    const trigger = triggers.give(world.nextId('trigger.'), opened.user);
    const ack = await this.deliver(interaction(submitPayload(world, opened, { ...submit, trigger })));
    if (ack.status !== 200) return ack;
    const { response_action: action, view } = ack.body;
    if (action === undefined || action === 'clear') world.views.delete(submit.view);
    if (action === 'update') Object.assign(opened, { view, hash: world.nextTs() });
    return ack;
  }

  event(event: Members): Promise<Ack> {
    return this.deliver({
      path: 'events',
      type: 'application/json',
      body: JSON.stringify(eventPayload(this.slack.world, event)),
    });
  }

  /** With its copies, and again when nobody acknowledged. */
  async deliver(delivery: Delivery): Promise<Ack> {
    let ack = await this.send(delivery);
    for (let copy = 1; copy < this.copies; copy += 1) await this.send(delivery);
    for (const [nth, afterMs] of RETRY_AFTER_MS.entries()) {
      if (ack.status === 200 || (ack.status >= 400 && ack.status < 500) || this.stopped) return ack;
      await pause(afterMs);
      const why = ack.status === 0 ? 'http_timeout' : 'http_error';
      ack = await this.send(delivery, { 'x-slack-retry-num': String(nth + 1), 'x-slack-retry-reason': why });
    }
    return ack;
  }

  /** As a request that somebody could have captured: the same bytes with the same signature. */
  signed(body: string, { secret = this.secret, skewSeconds = this.skewSeconds }: SignOptions = {}) {
    const timestamp = String(Math.floor(this.slack.world.now() / 1_000) + skewSeconds);
    const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` };
  }

  /** What came to a hook: undefined when it is used up. */
  useHook(id: string): { readonly channel: string; readonly user: string } | undefined {
    const hook = this.hooks.get(id);
    if (!hook || hook.used >= HOOK_USES || this.slack.world.now() - hook.at > HOOK_MS) return undefined;
    hook.used += 1;
    return hook;
  }

  private newHook({ channel, user }: Click): string {
    const id = this.slack.world.nextId('hook');
    this.hooks.set(id, { channel, user, at: this.slack.world.now(), used: 0 });
    return `${this.slack.url}/hooks/${id}`;
  }

  private async send(
    { path, type, body }: Delivery,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Ack> {
    const began = performance.now();
    if (this.slack.lines.open.size > 0) return this.sendOnLine({ path, type, body });
    const answer = await fetch(`${this.hubUrl}/v1/bridges/slack/${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...this.signed(body), ...headers },
      body,
      signal: AbortSignal.timeout(ACK_WITHIN_MS),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      // No answer in time, or none at all: for Slack that is the same.
      () => ({ status: 0, text: '' }),
    );
    if (answer.status === 0) this.late.push(path);
    return parseAck(answer, performance.now() - began);
  }

  /** The same in an envelope, which needs no signature. */
  private async sendOnLine({ path, body }: Delivery): Promise<Ack> {
    const began = performance.now();
    const json = path === 'events' ? body : (new URLSearchParams(body).get('payload') ?? '');
    const type = path === 'events' ? 'events_api' : 'interactive';
    const ack = await this.slack.lines.send(type, JSON.parse(json) as Members);
    if (ack === undefined) this.late.push(path);
    return { status: ack === undefined ? 0 : 200, ms: performance.now() - began, body: ack ?? {} };
  }
}

export const interaction = (payload: Members): Delivery => ({
  path: 'interactions',
  type: FORM,
  body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
});
