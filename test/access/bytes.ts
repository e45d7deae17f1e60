/** Every byte that one person was sent, by whichever door, with the door's name on it. */
import { once } from 'node:events';
import type { Person, Product } from '@triptych/testkit';
import { WebSocket } from 'ws';
import { leaksIn } from '../streams/planted.js';

type Headers = Record<string, string>;

export interface AskedFor {
  readonly body?: unknown;
  readonly headers?: Headers;
  /** A stream that stays open is read until this is in it. */
  readonly until?: string;
}

export class Bytes {
  private constructor(
    private readonly product: Product,
    private readonly person: Person,
    private readonly hub: string,
    private readonly all: Map<string, string>,
  ) {}

  static of(product: Product, person: Person): Bytes {
    return new Bytes(product, person, product.url, new Map());
  }

  /** The same person at another hub. */
  through(hub: string): Bytes {
    return new Bytes(this.product, this.person, hub, this.all);
  }

  /** Where it was told: no leaks in what tells nothing prove nothing. */
  doorsThatSay(words: string): readonly string[] {
    return [...this.all].flatMap(([door, text]) => (text.includes(words) ? [door] : []));
  }

  token(): Promise<string> {
    return this.product.token(this.person);
  }

  keep(door: string, text: string): string {
    const name = this.hub === this.product.url ? door : `${door} through another hub`;
    this.all.set(name, (this.all.get(name) ?? '') + text);
    return text;
  }

  /** Bodies that are no text are read as one byte a character: what is planted is ASCII. */
  async ask(path: string, asked: AskedFor = {}): Promise<string> {
    const { until, ...rest } = asked;
    const response = await this.product.fetch(path, { ...rest, token: await this.token(), hub: this.hub });
    const name = `${asked.body === undefined ? 'GET' : 'POST'} ${path} ${JSON.stringify(asked.headers ?? {})}`;
    this.keep(name, JSON.stringify([...response.headers]));
    const text = await read(response, until);
    return this.keep(name, text);
  }

  /** A run by the plain socket: one event a frame until it closes. */
  async plainSocket(agent: string, input: object): Promise<string> {
    const headers = { authorization: `Bearer ${await this.token()}` };
    const url = `${this.hub.replace('http', 'ws')}/ws/agui?agent=${agent}`;
    const socket = new WebSocket(url, ['ag-ui.v1+json'], { headers });
    const texts: string[] = [];
    socket.on('message', (data) => texts.push(String(data)));
    await once(socket, 'open');
    const closed = once(socket, 'close');
    socket.send(JSON.stringify(input));
    await closed;
    return this.keep('/ws/agui', texts.join('\n'));
  }

  leaks(reader: 'customer' | 'reviewer'): readonly string[] {
    return [...this.all].flatMap(([door, text]) => leaksIn(reader, text).map((leak) => `${door}: ${leak}`));
  }
}

const read = async (response: Response, until: string | undefined): Promise<string> => {
  if (until === undefined) return Buffer.from(await response.arrayBuffer()).toString('latin1');
  const reader = response.body?.getReader();
  let text = '';
  while (reader && !text.includes(until)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`It ended before ${until}: ${text}`);
    text += Buffer.from(value).toString('latin1');
  }
  await reader?.cancel();
  return text;
};
