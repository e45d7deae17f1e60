/** Ends what the setup started and takes its data away. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default async function teardown() {
  for (const { stop, dir } of globalThis.__STARTED__ ?? []) {
    await stop();
    rmSync(dirname(dir), { recursive: true, force: true });
  }
}
