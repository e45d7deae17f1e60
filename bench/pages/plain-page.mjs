/** The least a page can do: it appends each text it is told, as a text node. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { play } from '../kit/script.mjs';

const PAGE = `<!doctype html><title>plain</title><body><script>
  const socket = new WebSocket(location.href.replace('http', 'ws'));
  socket.onmessage = ({ data }) => document.body.append(data);
</script>`;

export const startPlain = async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
  });
  const sockets = new WebSocketServer({ server });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    tell: (texts, everyMs) =>
      play(texts, {
        everyMs,
        say: (text) => sockets.clients.forEach((socket) => socket.send(text)),
      }),
    stop: () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    },
  };
};
