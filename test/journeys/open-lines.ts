/** Keeps lines of every kind open, notes what comes over them, and tells how they end. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Something open: all it was told, and its end, a close code or `ended`. */
export interface OpenLine {
  readonly said: () => string;
  readonly isOpen: () => boolean;
  readonly end: Promise<number | 'ended'>;
}

/** The body of a response as it comes. */
export const openStream = async (url: string, init: RequestInit): Promise<OpenLine> => {
  const response = await fetch(url, init);
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let [text, open] = ['', true];
  const read = async (): Promise<'ended'> => {
    for await (const bytes of response.body!) text += Buffer.from(bytes).toString();
    open = false;
    return 'ended';
  };
  return { said: () => text, isOpen: () => open, end: read() };
};

export const openSocket = async (
  url: string,
  protocols: readonly string[],
  more: { readonly token?: string; readonly first?: object } = {},
): Promise<OpenLine> => {
  const headers = more.token === undefined ? {} : { authorization: `Bearer ${more.token}` };
  const socket = new WebSocket(url.replace(/^http/u, 'ws'), [...protocols], { headers });
  let text = '';
  socket.on('message', (data) => (text += String(data)));
  await once(socket, 'open');
  const end = once(socket, 'close').then(([code]) => code as number);
  if (more.first) socket.send(JSON.stringify(more.first));
  return { said: () => text, isOpen: () => socket.readyState === WebSocket.OPEN, end };
};
