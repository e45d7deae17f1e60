/** Sessions on real sockets over a hand log and hand time. */
import { CLIENT_FRAMES, ok, type AguiEvent } from '@triptych/protocol';
import { serveAgent, type AgentSocketOptions } from '../src/adapters/agent-session.js';
import {
  serveSocket,
  type FrameHandlers,
  type SocketOptions,
  type SocketSession,
} from '../src/adapters/socket-session.js';
import { pulseOn } from '../src/shell/pulse.js';
import { type SocketClient, socketServer } from './socket-client.js';
import { stand, THREAD } from './stand.js';
import { foldAll, note } from './story.js';

/** Handlers that say what they were asked; `over` replaces some. */
export const handlers = (over: Partial<FrameHandlers> = {}): FrameHandlers => ({
  ...(Object.fromEntries(
    CLIENT_FRAMES.map((name) => [name, async () => ok({ did: name })]),
  ) as unknown as FrameHandlers),
  ...over,
});

const closers: (() => Promise<void>)[] = [];

/** For `afterEach`: lets go of all that was started. */
export const stopAll = async (): Promise<void> => {
  for (const close of closers.splice(0)) await close();
};

/** A server of sessions over a thread with one note, and a first client. */
export const start = async (options: Partial<SocketOptions> = {}) => {
  const on = stand();
  on.log.append(THREAD, [note(0)]);
  const sessions: SocketSession[] = [];
  const pulse = pulseOn({
    timers: on.time,
    clock: on.time,
    report: (_what, error) => void on.failures.push(error),
  });
  const server = await socketServer((socket, raw) => {
    sessions.push(
      serveSocket({
        ...{ socket, raw, pulse, rooms: on.rooms, clock: on.time, id: `s${sessions.length}` },
        ...{ surface: 'customer', subject: 'ann', expiresAt: Number.POSITIVE_INFINITY },
        ...{
          handlers: handlers(),
          mayRead: async () => ok(true),
          report: (_what, error) => void on.failures.push(error),
        },
        ...options,
      }),
    );
  }, 2_000_000);
  closers.push(async () => {
    on.rooms.close();
    pulse.stop();
    await server.close();
  });
  const client = await server.connect();
  await client.next('ready');
  return { ...on, server, client, sessions, session: sessions[0]! };
};

/** The same for the socket of an agent. */
export const startAgent = async (options: Pick<AgentSocketOptions, 'answer' | 'limits'>) => {
  const on = stand();
  const report = (_what: string, error: unknown): void => void on.failures.push(error);
  const pulse = pulseOn({ timers: on.time, clock: on.time, report });
  const line = {
    pulse,
    clock: on.time,
    report,
    id: 'a',
    subject: 'engine',
    expiresAt: Number.POSITIVE_INFINITY,
  };
  const server = await socketServer((socket) => void serveAgent({ ...options, ...line, socket }), 2_000_000);
  closers.push(async () => {
    pulse.stop();
    await server.close();
  });
  const client = await server.connect();
  await client.next('ready');
  return { client };
};

/** What the frames of a thread add up to, each continuing the one before it. */
export const linesOf = (client: SocketClient) => {
  let pos: unknown;
  let events: readonly AguiEvent[] = [];
  for (const { event, data } of client.frames) {
    if (event !== 'snapshot' && event !== 'agui') continue;
    if (event === 'agui' && pos !== undefined) expect(data['prev']).toBe(pos);
    pos = data['pos'];
    events = event === 'snapshot' ? (data.events ?? []) : [...events, ...(data.events ?? [])];
  }
  return { pos, lines: foldAll(events) };
};
