/** Asks at a door as somebody, and hears in one word how it was answered. */
import { PLAIN_SUBPROTOCOL, SUBPROTOCOL } from '@triptych/protocol';
import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  /** `ok`, or the refusal's code. */
  readonly code: string;
  /** All that was said, less what differs by the hour. */
  readonly said: string;
  readonly status: number;
}

const STREAMS = /event-stream|event\+proto/u;
const OK = 'ok';
const CLOSED_WELL = 1000;

const codeIn = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    // Not JSON: no refusal.
    return undefined;
  }
};

/** Of a stream only its first words: it may stay open for long. */
const wordsOf = async (response: Response, leave: () => void): Promise<string> => {
  if (!STREAMS.test(response.headers.get('content-type') ?? '')) return response.text();
  const first = await response.body?.getReader().read();
  leave();
  return Buffer.from(first?.value ?? []).toString();
};

export const askHttp = async (
  url: string,
  { method, path, body, headers }: Asked,
  token?: string,
): Promise<Answered> => {
  const away = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    signal: away.signal,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await wordsOf(response, () => away.abort());
  const { date: _date, ...rest } = Object.fromEntries(response.headers);
  const { status } = response;
  const code = status < 400 ? OK : (codeIn(text) ?? `HTTP ${status}`);
  return { code, status, said: JSON.stringify({ status, rest, text }) };
};

export interface Frame {
  readonly event: string;
  readonly id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const jsonOf = (data: RawData): unknown => JSON.parse(String(data as Buffer));

/** A socket by which one thing after another can be asked. */
export class Line {
  readonly frames: Frame[] = [];
  private asked = 0;
  closedWith: number | undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('close', (code) => (this.closedWith = code));
    socket.on('message', (data) => void this.frames.push(jsonOf(data) as Frame));
    socket.on('error', () => undefined);
  }

  /** A refusal before the upgrade is answered as one. */
  static async open(url: string, path: string, token?: string): Promise<Line | Answered> {
    const protocols = [
      path.startsWith('/ws/agui') ? PLAIN_SUBPROTOCOL : SUBPROTOCOL,
      ...(token === undefined ? [] : [`bearer.${token}`]),
    ];
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols);
    const line = new Line(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(line));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (bytes) => (text += String(bytes)));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({ code: codeIn(text) ?? `HTTP ${status}`, status, said: text });
        });
      });
    });
  }

  /** `said` is the answer without the id it was asked under. */
  async ask(event: string, data: unknown): Promise<Answered> {
    const id = `a${(this.asked += 1)}`;
    this.socket.send(JSON.stringify({ event, id, data }));
    const frame = await this.heard((one) => one.id === id);
    const code = frame.event === 'refused' ? String(frame.data.code) : OK;
    return { code, status: 0, said: JSON.stringify({ event: frame.event, data: frame.data }) };
  }

  /** On a plain socket: its first words are an event. */
  async tell(input: unknown): Promise<Answered> {
    this.socket.send(JSON.stringify(input));
    const first = await this.heard(() => true).catch((error: unknown) => {
      // What starts no run is recorded, and told by nothing but the end.
      if (this.closedWith === CLOSED_WELL) return { type: 'closed' };
      throw error;
    });
    const { type, code = '' } = first as unknown as { type: string; code?: string };
    const refused = type === 'RUN_ERROR' && code.startsWith('hub/');
    const name = code.slice('hub/'.length).replaceAll('-', '_').toUpperCase();
    return { code: refused ? name : OK, status: 0, said: JSON.stringify(first) };
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.terminate();
    await closed;
  }

  private heard(fits: (frame: Frame) => boolean): Promise<Frame> {
    const here = this.frames.find(fits);
    if (here) return Promise.resolve(here);
    return new Promise((resolve, reject) => {
      const gone = (code: number): void => reject(new Error(`closed with ${code} before an answer`));
      const look = (): void => {
        const found = this.frames.find(fits);
        if (!found) return;
        this.socket.off('message', look);
        this.socket.off('close', gone);
        resolve(found);
      };
      this.socket.on('message', look);
      this.socket.once('close', gone);
    });
  }
}

export const isLine = (opened: Line | Answered): opened is Line => opened instanceof Line;
