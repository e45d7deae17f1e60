/** An AG-UI agent behind a hub, over a socket that is resumed: `HttpAgent` by another name. */
import {
  AbstractAgent,
  type AgentConfig,
  type AgentSubscriber,
  type BaseEvent,
  type RunAgentInput,
  type RunAgentParameters,
  type RunAgentResult,
} from '@ag-ui/client';
import { pendingInterruptsOf, type Surface } from '@triptych/protocol';
import { Observable, type Subscriber } from 'rxjs';
import { HubClient, type HubClientOptions } from '../hub-client.js';
import { lentClient, ownClient, type ClientLease } from './client-lease.js';
import { ConnectStream } from './connect-stream.js';
import { RunStream } from './run-stream.js';

/** What stands for questions the hub does not show this surface: they are for others to answer. */
const UNDER_REVIEW = 'hub:under_review';

/** One client, and so one socket, for any number of agents: its owner starts and stops it. */
interface SharedClient {
  readonly client: HubClient;
}

/** A client of the agent's own: connected when it is needed, and left a few seconds after. */
interface OwnClient extends Omit<HubClientOptions, 'surface'> {
  /** Default: `customer`. */
  readonly surface?: Surface;
}

export type HubAgentConfig = AgentConfig & {
  /** The agent's id in the hub. */
  readonly agentId: string;
} & (SharedClient | OwnClient);

/**
 * Runs and connects like any `AbstractAgent`; what differs from `HttpAgent`:
 *
 * - A lost connection is no error. The stream goes on from its position, without a lost or doubled event.
 * - `run` ends with the end of its own run. What an agent says after that belongs to the thread: `connectAgent`.
 * - `connectAgent` works: the thread as it stands, then live until no run is under way and no question is open.
 * - `abortRun` cancels the run at the hub; the stream then ends as the run does.
 * - A refusal is an error {@link HubRefused} with `code`, `next` and `details`.
 * - `pendingInterrupts` are dropped where they are not this caller's to answer: the hub judges.
 */
export class HubAgent extends AbstractAgent {
  private lease: ClientLease;
  private streaming: RunStream | ConnectStream | undefined;
  private connected: ConnectStream | undefined;

  constructor(config: HubAgentConfig) {
    super(config);
    this.lease =
      'client' in config ? lentClient(config.client) : ownClient({ surface: 'customer', ...config });
  }

  /** The connection, for its state, and to share it with others. */
  get client(): HubClient {
    return this.lease.client;
  }

  override runAgent(parameters?: RunAgentParameters, subscriber?: AgentSubscriber): Promise<RunAgentResult> {
    this.pendingInterrupts = this.pendingInterrupts.filter(({ reason }) => reason !== UNDER_REVIEW);
    return super.runAgent(parameters, subscriber);
  }

  override async connectAgent(
    parameters?: RunAgentParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    // The stream says which questions are open; old ones would keep it from being read.
    this.pendingInterrupts = [];
    this.connected = undefined;
    const result = await super.connectAgent(parameters, subscriber);
    // A batch may be over without a run that says so.
    if (this.connected) this.pendingInterrupts = openQuestions(this.connected);
    return result;
  }

  override run(input: RunAgentInput): Observable<BaseEvent> {
    return this.stream((reader) => new RunStream(this.agentId ?? '', input, { lease: this.lease, reader }));
  }

  /** Cancels at the hub what this agent streams; to look away only, `detachActiveRun`. */
  override abortRun(): void {
    this.streaming?.abort();
  }

  /** The same conversation at the same point, over the same client. */
  override clone(): HubAgent {
    const cloned = super.clone() as HubAgent;
    cloned.lease = this.lease;
    cloned.streaming = undefined;
    cloned.connected = undefined;
    return cloned;
  }

  /** Disconnects at once what this agent and its clones connected. A shared client stays as it is. */
  close(): void {
    this.lease.close();
  }

  protected override connect({ threadId }: RunAgentInput): Observable<BaseEvent> {
    return this.stream((reader) => {
      this.connected = new ConnectStream(threadId, { lease: this.lease, reader });
      return this.connected;
    });
  }

  private stream(begin: (reader: Subscriber<BaseEvent>) => RunStream | ConnectStream): Observable<BaseEvent> {
    return new Observable<BaseEvent>((reader) => {
      const stream = begin(reader);
      this.streaming = stream;
      return () => {
        stream.leave();
        if (this.streaming === stream) this.streaming = undefined;
      };
    });
  }
}

const openQuestions = ({ model }: ConnectStream): HubAgent['pendingInterrupts'] =>
  structuredClone([...pendingInterruptsOf(model)]);
