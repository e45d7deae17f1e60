/** How a reader of each kind of server joins, and what the texts it gets mean. */
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

export const DIALECTS = { hub, plain, socketio };
