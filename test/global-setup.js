import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net from 'node:net';
import { once } from 'node:events';

export default async function () {
  const s = net.createServer().listen(0, '127.0.0.1');
  await once(s, 'listening');
  const { port } = s.address();
  s.close();
  await once(s, 'close');
  const dir = mkdtempSync(join(tmpdir(), 'triptych-redis-'));
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--appendonly', 'yes', '--save', '']);
  await new Promise((res) => child.stdout.on('data', (d) => /Ready to accept/.test(String(d)) && res()));
  process.env.REDIS_URL = `redis://127.0.0.1:${port}`;
  globalThis.__REDIS__ = child;
}
