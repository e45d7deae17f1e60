/** How a reader of each kind of server joins, and what the texts it gets mean. */
import { get } from 'node:http';
import { WsWire } from './ws-wire.mjs';

const startsWith = (bytes, start) => bytes.length >= start.length && bytes.indexOf(start) === 0;

const overWebSocket = (reader, { port, path, protocols, open = () => {}, text }) =>
  new WsWire(
    { port, path, protocols },
    {
      open,
      text,
      closed: (why) => reader.fault(why),
    },
  );

/** The hub's own frames. */
const hub = {
  connect: (reader, { port, surface, token }) =>
    overWebSocket(reader, {
      port,
      path: `/ws/${surface}`,
      protocols: ['triptych.v1+json', `bearer.${token}`],
      open: () => {
        const data = { threadId: reader.threadId, ...(reader.from && { from: reader.from }) };
        reader.send(JSON.stringify({ event: 'subscribe', id: 's', data }));
      },
      text: (bytes) => {
        const { event, data } = reader.parse(bytes);
        if (data?.threadId !== undefined && data.threadId !== reader.threadId) return;
        if (event === 'agui') return reader.heard(data);
        if (event === 'snapshot') return reader.snapshot(data);
        if (event === 'reply') reader.joined();
        if (event === 'refused' || event === 'closing') reader.fault(bytes.toString());
      },
    }),
};

/** A bare broadcast of the same frames. */
const plain = {
  connect: (reader, { port }) =>
    overWebSocket(reader, {
      port,
      path: `/${reader.threadId}`,
      open: () => reader.joined(),
      text: (bytes) => reader.heard(reader.parse(bytes).data),
    }),
};

const CONNECT = '40';
const EVENT = '42';
const PING = '2';

/** Engine.IO over WebSocket with Socket.IO's packets in it: `42["agui",{…},"offset"]`. */
const socketio = {
  connect: (reader, { port }) =>
    overWebSocket(reader, {
      port,
      path: `/socket.io/?EIO=4&transport=websocket&thread=${reader.threadId}`,
      text: (bytes) => {
        if (startsWith(bytes, EVENT)) return reader.heard(reader.parse(bytes.subarray(EVENT.length))[1]);
        if (startsWith(bytes, CONNECT)) reader.joined();
        else if (startsWith(bytes, '0')) reader.send(CONNECT);
        else if (bytes.toString() === PING) reader.send('3');
        else reader.fault(bytes.toString());
      },
    }),
};

/** Server-Sent Events; a comment, and the prelude of a thread without a run, are nothing. */
const sse = {
  connect: (reader, { port, token, path = '/v1/threads' }) => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = get({
      port,
      host: '127.0.0.1',
      path: `${path}/${reader.threadId}/events`,
      headers,
      agent: false,
    });
    let rest = '';
    asking.once('error', (error) => reader.fault(error.message));
    asking.once('response', (response) => {
      if (response.statusCode !== 200) return reader.fault(`HTTP ${response.statusCode}`);
      response.setEncoding('utf8').on('data', (text) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) {
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (data !== undefined) reader.heardBare([reader.parse(Buffer.from(data))]);
        }
      });
      reader.joined();
    });
    return { end: () => asking.destroy() };
  },
};

export const DIALECTS = { hub, plain, socketio, sse };
