/** A reader that rests holds its agent back. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import { bodyChunks } from './body-chunks.js';

/** More than the buffers of both kernels hold on a loopback. */
const BODY_BYTES = 64 * 1024 * 1024;

describe('bodyChunks', () => {
  verifies('AGT-13', 'stops reading while nobody asks, and loses nothing by it', async () => {
    let written = false;
    const server = createServer((_request, response) =>
      response.end(Buffer.alloc(BODY_BYTES, 'x'), () => (written = true)),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const request = get({ port: (server.address() as AddressInfo).port, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];

    const paused = once(response, 'pause');
    const chunks = bodyChunks(response);
    await paused;
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(written).toBe(false);

    let read = 0;
    for (let chunk = await chunks.next(); chunk.is === 'bytes'; chunk = await chunks.next())
      read += chunk.bytes.length;
    expect(read).toBe(BODY_BYTES);
    await new Promise((closed) => server.close(closed));
  });
});
