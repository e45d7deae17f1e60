/** An agent over HTTP that asks for approvals, keeps count of the answers it is given, and can be watched at each stage of a call. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AguiEvent, Interrupt, RunAgentInput } from '@triptych/protocol';

/** How far a call has come: received, headers sent, first event sent, in the middle, last event sent. */
export const STAGES = ['called', 'opened', 'begun', 'midway', 'ended'] as const;
export type Stage = (typeof STAGES)[number];

/** What the agent wants to do on a thread, and asks for: one call each. */
export interface Wish {
  readonly tool: string;
  readonly args: object;
  readonly reason?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly schema?: Interrupt['responseSchema'];
}

/** The agent goes on when this has resolved. */
export type Watch = (stage: Stage, input: RunAgentInput) => Promise<void>;

export const isAnswered = ({ resume = [] }: RunAgentInput): boolean => resume.length > 0;

/** Ids are of their run, for it may have to be asked for again. */
const callOf = (runId: string, nth: number): string => `${runId}-call-${nth + 1}`;

const asking = (wishes: readonly Wish[], runId: string): readonly AguiEvent[] =>
  wishes.flatMap(({ tool: toolCallName, args }, nth) => {
    const toolCallId = callOf(runId, nth);
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  });

const interrupts = (wishes: readonly Wish[], runId: string): readonly Interrupt[] =>
  wishes.map(({ reason = 'tool_call', expiresAt, schema }, nth) => ({
    id: callOf(runId, nth),
    reason,
    toolCallId: callOf(runId, nth),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(schema === undefined ? {} : { responseSchema: schema }),
  }));

/** An interrupt has its call's name. */
const doing = ({ resume = [] }: RunAgentInput): readonly AguiEvent[] =>
  resume.map(({ interruptId: toolCallId }) => ({
    type: 'TOOL_CALL_RESULT',
    messageId: `${toolCallId}-result`,
    toolCallId,
    content: 'done',
  }));

export class AskingAgent {
  /** Every input, in the order it came. */
  readonly calls: RunAgentInput[] = [];
  private readonly wishes = new Map<string, readonly Wish[]>();
  private readonly refusals = new Map<string, string>();
  private watch: Watch = () => Promise.resolve();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on(
      'end',
      () => void this.answer(JSON.parse(Buffer.concat(chunks).toString()) as RunAgentInput, response),
    );
  });

  static async start(): Promise<AskingAgent> {
    const agent = new AskingAgent();
    agent.server.listen(0, '127.0.0.1');
    await once(agent.server, 'listening');
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What it asks for on this thread until it is answered. */
  wants(threadId: string, wishes: readonly Wish[]): void {
    this.wishes.set(threadId, wishes);
  }

  /** What it says to the next answer on this thread instead of doing what was answered. */
  refuses(threadId: string, code: string): void {
    this.refusals.set(threadId, code);
  }

  /** Told of every stage of every call from now on. */
  watched(by: Watch): void {
    this.watch = by;
  }

  /** Every input with answers. */
  get resumes(): readonly RunAgentInput[] {
    return this.calls.filter(isAnswered);
  }

  resumesOf(threadId: string): readonly RunAgentInput[] {
    return this.resumes.filter((input) => input.threadId === threadId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private refusalOf(input: RunAgentInput): string | undefined {
    const code = isAnswered(input) ? this.refusals.get(input.threadId) : undefined;
    if (code !== undefined) this.refusals.delete(input.threadId);
    return code;
  }

  private async answer(input: RunAgentInput, response: ServerResponse): Promise<void> {
    const { threadId, runId } = input;
    const answered = isAnswered(input);
    this.calls.push(input);
    const wishes = this.wishes.get(threadId) ?? [];
    // Whoever called may have been killed meanwhile; that is what it is watched for.
    response.on('error', () => undefined);
    const send = (...events: readonly AguiEvent[]): void => {
      for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    await this.watch('called', input);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await this.watch('opened', input);
    send({ type: 'RUN_STARTED', threadId, runId });
    await this.watch('begun', input);
    const code = this.refusalOf(input);
    if (code !== undefined) {
      send({ type: 'RUN_ERROR', message: 'Not so.', code });
      response.end();
      return;
    }
    send(...(answered ? doing(input) : asking(wishes, runId)));
    await this.watch('midway', input);
    const asks = { outcome: { type: 'interrupt', interrupts: interrupts(wishes, runId) } };
    send({ type: 'RUN_FINISHED', threadId, runId, ...(answered || wishes.length === 0 ? {} : asks) });
    await this.watch('ended', input);
    response.end();
  }
}
