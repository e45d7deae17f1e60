/** Holds the socket of an agent that comes by itself, from its first frame to its close. */
import { AGENT_FRAMES, ok, type AgentFrameName, type CloseReason } from '@triptych/protocol';
import type { KnownFrame } from '../core/client-frame.js';
import { HEARTBEAT_MS } from '../core/liveness.js';
import type { SessionLimits } from '../core/session.js';
import type { Answered } from '../shell/frame-answers.js';
import type { Answer } from '../shell/subscriptions.js';
import { FrameLoop, type LineOptions, type Served } from './frame-loop.js';

export interface AgentFrame {
  readonly event: AgentFrameName;
  readonly data: Readonly<Record<string, unknown>>;
  /** As it came: events are stored as they were written. */
  readonly text: string;
}

export interface AgentSocketOptions extends LineOptions {
  /** Never rejects. */
  readonly answer: (frame: AgentFrame) => Promise<Answered<unknown>>;
  readonly limits: SessionLimits;
}

const NAMES: ReadonlySet<string> = new Set(AGENT_FRAMES);

export class AgentSession {
  readonly id: string;
  private readonly loop: FrameLoop;

  constructor(private readonly options: AgentSocketOptions) {
    const { id, subject, limits } = options;
    this.id = id;
    const read: Served['read'] = (frame) => ({ work: () => this.answer(frame) });
    this.loop = new FrameLoop(options, { limits, names: NAMES, read });
    const { framesBurst, framesPerSecond, frameBytes } = limits;
    const told = { framesBurst, framesPerSecond, frameBytes };
    this.send('ready', { session: id, subject, heartbeatMs: HEARTBEAT_MS, limits: told });
  }

  send(event: string, data: unknown): void {
    this.loop.send(event, data);
  }

  /** A new token was accepted. */
  renew(expiresAt: number): void {
    this.loop.renew(expiresAt);
  }

  close(reason: CloseReason): void {
    this.loop.close(reason);
  }

  private async answer({ event, data, text }: KnownFrame): Promise<Answered<Answer>> {
    const name = event as string as AgentFrameName;
    const answer = await this.options.answer({ event: name, data, text });
    return answer.ok ? ok({ reply: answer.value }) : answer;
  }
}

/** Greets the socket and serves it until it closes. */
export const serveAgent = (options: AgentSocketOptions): AgentSession => new AgentSession(options);
