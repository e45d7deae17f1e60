/** One hub and one agent of ours for many threads, with everyone who looks at them. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MO, Product, type Person, type Screen } from '@triptych/testkit';
import type { AguiEvent, Surface } from '@triptych/protocol';
import { LoopbackAgent } from './loopback-agent.js';
import { Reading, type Asked } from './reading.js';

const AGENT = 'played';

const agentsFile = (url: string): string => `
agents:
  - id: ${AGENT}
    connect: { type: http, url: '${url}' }
    accept: { forwardedProps: [], tools: ['choose*'] }
    roles: [customer, operator]
  - id: absent
    connect: { type: http, url: 'http://127.0.0.1:1' }
    roles: [customer, operator]
`;

/** Something of everything that a surface may hide. */
const POLICY = `
surfaces:
  customer:
    state: [/shown]
    tools:
      lookUp: { label: Looking, args: [/city], result: [/sky] }
    steps: { check: Checking }
    custom: ["CARD"]
    activities: [PLAN]
  reviewer:
    state: [""]
    tools: { "*": { args: [""], result: [""] } }
    steps: { "*": "*" }
    subagents: true
approvals:
  rules:
    - id: payments
      match: { reason: tool_call }
      groups: [desk]
      customer: { text: A colleague looks at this. }
    - id: confirmations
      match: { reason: confirmation }
      groups: [desk]
    - id: questions
      match: { reason: input_required }
      audience: customer
`;

/** An entry of the operator's log. */
export interface Logged {
  readonly seq: number;
  readonly source: string;
  readonly event: AguiEvent;
  readonly raw?: string;
}
export interface RefusedEvent {
  readonly refused: true;
  readonly rule: string;
  readonly event: string;
}

export interface ThreadRecord {
  readonly stored: readonly Logged[];
  readonly refused: readonly RefusedEvent[];
}

/** What is asked of the one hub, or of another beside it. */
type AskedHere = Omit<Asked, 'url' | 'attach'> & { readonly hub?: string };

export class Stand {
  private readonly readings: Reading[] = [];

  private constructor(
    readonly product: Product,
    readonly agent: LoopbackAgent,
    private readonly folder: string,
  ) {}

  static async start(env: Readonly<{ [name: string]: string }> = {}): Promise<Stand> {
    const agent = await LoopbackAgent.start();
    // The stock clients remark on much that is meant to be odd here.
    Object.assign(console, { warn: () => undefined, error: () => undefined });
    const folder = mkdtempSync(join(tmpdir(), 'triptych-cases-'));
    const [agents, policy] = [join(folder, 'agents.yaml'), join(folder, 'policy.yaml')];
    writeFileSync(agents, agentsFile(agent.url));
    writeFileSync(policy, POLICY);
    try {
      return new Stand(
        await Product.start({ AGENTS_FILE: agents, POLICY_FILE: policy, LINGER_MS: '500', ...env }),
        agent,
        folder,
      );
    } catch (error) {
      await agent.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const reading of this.readings) await reading.leave();
    await this.agent.stop();
    await this.product.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Somebody new: rates and sockets are counted by subject. */
  someone(role: string, groups: readonly string[] = []): Person {
    return { sub: `${role}-${randomUUID()}`, roles: [role], groups };
  }

  async token(person: Person): Promise<string> {
    return this.product.token(person);
  }

  async openThread(threadId: string, owner: Person, token: string): Promise<void> {
    const body = { threadId, agentId: AGENT, owner: owner.sub };
    const response = await this.product.fetch('/v1/threads', { token, body });
    if (!response.ok) throw new Error(`No thread ${threadId}: ${await response.text()}`);
  }

  /** A run, read live by the stock client. */
  run({ hub = this.product.url, ...asked }: AskedHere, query = ''): Reading {
    return this.read({ ...asked, url: `${hub}/v1/agents/${AGENT}/run${query}` });
  }

  connect({ hub = this.product.url, ...asked }: AskedHere): Reading {
    return this.read({ ...asked, url: `${hub}/v1/agents/${AGENT}/connect` });
  }

  attach({ hub = this.product.url, ...asked }: AskedHere, query = ''): Reading {
    const url = `${hub}/v1/threads/${encodeURIComponent(asked.threadId)}/events${query}`;
    return this.read({ ...asked, url, attach: true });
  }

  screen(surface: Surface, person: Person): Promise<Screen> {
    return this.product.screen(surface, person);
  }

  async record(threadId: string): Promise<ThreadRecord> {
    const token = await this.token(MO);
    const { items } = await this.product.json<{ items: (Logged | RefusedEvent)[] }>(
      `/v1/threads/${encodeURIComponent(threadId)}/log?limit=200`,
      { token },
    );
    return {
      stored: items.filter((item): item is Logged => !('refused' in item)),
      refused: items.filter((item): item is RefusedEvent => 'refused' in item),
    };
  }

  private read(asked: Asked): Reading {
    const reading = new Reading(asked);
    this.readings.push(reading);
    return reading;
  }
}
