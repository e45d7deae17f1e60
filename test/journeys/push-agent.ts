/** An agents file that knows, beside all others, agents that come by themselves, and how to push as they do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product, type Person } from '@triptych/testkit';

export const ENGINE: Person = { sub: 'engine', roles: ['agent'] };
/** Its runs stop where nobody reads. */
export const SHY_ENGINE: Person = { sub: 'shy-engine', roles: ['agent'] };

const AGENT = (timeouts: string): string => `
  - id: engine
    connect: { type: push }
    timeouts: { ${timeouts} }
    roles: [customer, operator]
  - id: shy-engine
    connect: { type: push }
    onNoSubscribers: cancel
    timeouts: { ${timeouts} }
    roles: [customer, operator]
`;

const pushAgents = (timeouts = 'connectMs: 3000, firstEventMs: 20000, idleMs: 20000') => {
  const folder = mkdtempSync(join(tmpdir(), 'triptych-push-'));
  const agentsFile = join(folder, 'agents.yaml');
  writeFileSync(agentsFile, readFileSync('config/agents.yaml', 'utf8').trimEnd() + AGENT(timeouts));
  return { agentsFile, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The product with that agents file; `stop` leaves nothing of either. */
export const pushStage = async (
  asked: { timeouts?: string; env?: Readonly<Record<string, string>> } = {},
) => {
  const agents = pushAgents(asked.timeouts);
  const product = await Product.start({ AGENTS_FILE: agents.agentsFile, ...asked.env }).catch(
    (error: unknown) => {
      agents.remove();
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await product.stop();
    agents.remove();
  };
  return { product, stop };
};

export interface Batch {
  readonly events: readonly object[];
  readonly seq?: number;
  readonly epoch?: number;
  readonly producer?: string;
}

export interface Answered {
  readonly status: number;
  readonly accepted?: number;
  readonly duplicates?: number;
  readonly buffered?: number;
  readonly refused?: number;
  readonly pos?: string;
  readonly error?: { readonly code: string; readonly details?: Record<string, unknown> };
}

const read = async (response: Response): Promise<Answered> => ({
  status: response.status,
  ...((await response.json()) as object),
});

export const pusherFor = (token: string) => ({
  push: async (
    hub: string,
    threadId: string,
    { events, seq = 0, epoch = 0, producer = 'p' }: Batch,
  ): Promise<Answered> =>
    read(
      await fetch(`${hub}/v1/threads/${threadId}/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          'producer-id': producer,
          'producer-epoch': String(epoch),
          'producer-seq': String(seq),
        },
        body: events.map((event) => JSON.stringify(event)).join('\n'),
      }),
    ),
  /** Events with positions, as one of several sources. */
  place: async (
    hub: string,
    threadId: string,
    sent: readonly { readonly position: number; readonly event: object }[],
  ): Promise<Answered> =>
    read(
      await fetch(`${hub}/v1/threads/${threadId}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      }),
    ),
  raw: async (hub: string, threadId: string, init: { headers: Record<string, string>; body: string }) =>
    read(
      await fetch(`${hub}/v1/threads/${threadId}/events`, {
        method: 'POST',
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      }),
    ),
});
