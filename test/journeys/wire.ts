/** What the journeys ask over plain HTTP, and how they read the answers. */
import { request } from 'node:http';
import { MO, TOVE, until, type Product } from '@triptych/testkit';
import type { AguiEvent, TaskView } from '@triptych/protocol';

/** A run's input as a client sends it that names no version. */
export const runBody = (threadId: string, content = 'hello', runId = `${threadId}-r`) => ({
  threadId,
  runId,
  messages: [{ id: `${runId}-m`, role: 'user', content }],
  tools: [],
  context: [],
});

export const inputOf = (threadId: string, content: string, more: object = { protocolVersion: '1.0' }) => ({
  ...runBody(threadId, content),
  ...more,
});

/** The events of a whole SSE body. */
export const eventsIn = (text: string): AguiEvent[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as AguiEvent);

export interface Answer {
  readonly status: number;
  readonly code?: string;
}

/** What asking for a socket is answered with, as plain HTTP. */
export const upgradeAnswer = (url: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (bytes) => (text += String(bytes)));
      response.on('end', () => {
        const { error } = JSON.parse(text) as { error: { code: string } };
        resolve({ status: response.statusCode ?? 0, code: error.code });
      });
    });
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101 });
    });
    asked.on('error', reject);
    asked.end();
  });

/** The first task of the thread that waits for a reviewer. */
export const taskOf = async (product: Product, threadId: string): Promise<TaskView> => {
  const token = await product.token(TOVE);
  let found: TaskView | undefined;
  await until(async () => {
    const path = `/v1/approvals?threadId=${threadId}`;
    found = (await product.json<{ items: TaskView[] }>(path, { token })).items[0];
    return found !== undefined;
  });
  return found!;
};

export const approve = async (
  product: Product,
  { taskId, rev, proposalHash }: TaskView,
  person = TOVE,
): Promise<void> => {
  const token = await product.token(person);
  const body = { rev, proposalHash, verb: 'approve' };
  const path = `/v1/approvals/${encodeURIComponent(taskId)}/decide`;
  expect((await product.fetch(path, { token, body })).status).toBe(200);
};

export interface Logged {
  readonly seq: number;
  readonly refused?: boolean;
  readonly rule?: string;
  readonly event: AguiEvent;
}

/** The thread as the operator's log lists it. */
export const logOf = async (product: Product, threadId: string): Promise<readonly Logged[]> => {
  const token = await product.token(MO);
  return (await product.json<{ items: Logged[] }>(`/v1/threads/${threadId}/log?limit=1000`, { token })).items;
};
