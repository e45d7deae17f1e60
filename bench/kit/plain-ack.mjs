/** Acknowledges what Slack signed, and does nothing with it: the least that any server does. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = process.env.PLAIN_SECRET ?? '';

const isSigned = (body, headers) => {
  const time = String(headers['x-slack-request-timestamp']);
  const mac = createHmac('sha256', SECRET).update(`v0:${time}:`).update(body).digest();
  const given = Buffer.from(String(headers['x-slack-signature']).slice('v0='.length), 'hex');
  return mac.length === given.length && timingSafeEqual(mac, given);
};

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    const { payload } = Object.fromEntries(new URLSearchParams(body.toString()));
    const known = isSigned(body, request.headers) && JSON.parse(payload).type === 'block_actions';
    response.writeHead(known ? 200 : 401).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
