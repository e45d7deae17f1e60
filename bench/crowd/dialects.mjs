/** How a reader of each kind of server joins, and what the texts it gets mean. */

const isText = (bytes, start) => bytes.length > start.length && bytes.indexOf(start) === 0;

/** The hub's own frames. `from` is a position to come back by. */
const hub = {
  protocols: ({ token }) => ['triptych.v1+json', `bearer.${token}`],
  path: ({ surface }) => `/ws/${surface}`,
  open: (reader) => {
    const { threadId, from } = reader;
    reader.send(JSON.stringify({ event: 'subscribe', id: 's', data: { threadId, ...(from && { from }) } }));
  },
  text: (reader, bytes) => {
    const { event, data } = reader.parse(bytes);
    if (event === 'agui') return reader.heard(data);
    if (event === 'snapshot') reader.fold.startOver(data);
    if (event === 'reply' && data.recovered === 'replay') reader.fold.pos = reader.from;
    if (event === 'snapshot' || event === 'reply') reader.joined();
    if (event === 'refused' || event === 'closing') reader.fault(bytes.toString());
  },
};

/** A bare broadcast of the same frames. */
const plain = {
  path: ({ threadId }) => `/${threadId}`,
  open: (reader) => reader.joined(),
  text: (reader, bytes) => reader.heard(reader.parse(bytes).data),
};

const CONNECT = '40';
const EVENT = '42';
const PING = '2';

/** Engine.IO over WebSocket with Socket.IO's packets in it: `42["agui",{…},"offset"]`. */
const socketio = {
  path: ({ threadId }) => `/socket.io/?EIO=4&transport=websocket&thread=${threadId}`,
  open: () => {},
  text: (reader, bytes) => {
    if (isText(bytes, EVENT)) return reader.heard(reader.parse(bytes.subarray(EVENT.length))[1]);
    if (isText(bytes, CONNECT)) reader.joined();
    else if (isText(bytes, '0')) reader.send(CONNECT);
    else if (bytes.toString() === PING) reader.send('3');
    else reader.fault(bytes.toString());
  },
};

export const DIALECTS = { hub, plain, socketio };
