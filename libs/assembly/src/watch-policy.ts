/** Brings a changed policy file into force without a restart; a bad one changes nothing and is told with line and column. */
import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readPolicy } from '@triptych/access';
import { inBackground, type Clock, type Log } from '@triptych/platform';
import type { PolicySource } from './policy-source.js';

export interface PolicyToWatch {
  readonly file: string;
  readonly policy: PolicySource;
  readonly clock: Clock;
  readonly log: Log;
}

/** Editors and deployments write in several steps; after this the file is looked at, ms. */
const SETTLE_MS = 100;

/** The folders, not the file: a file that is replaced would take its watch with it. A link's target is elsewhere. */
const foldersOf = (file: string): ReadonlySet<string> =>
  new Set([dirname(resolve(file)), dirname(realpathSync(file))]);

class PolicyWatch {
  private readonly watchers: readonly FSWatcher[];
  private waiting: NodeJS.Timeout | undefined;
  /** One reading at a time, so that the last one read is the last one written. */
  private reading: Promise<void> = Promise.resolve();
  private refused = '';

  constructor(private readonly watched: PolicyToWatch) {
    this.watchers = [...foldersOf(watched.file)].map((folder) =>
      watch(folder, { persistent: false }, () => this.lookSoon()).on('error', (error) =>
        watched.log.warn('policy.not-watched', { folder, error }),
      ),
    );
  }

  stop(): void {
    clearTimeout(this.waiting);
    for (const watcher of this.watchers) watcher.close();
  }

  /** Not put off by what comes meanwhile: in a busy folder the moment would never come. */
  private lookSoon(): void {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      const look = this.reading.then(() => this.look());
      // A look that failed is told below; the next one takes place regardless.
      this.reading = look.catch(() => undefined);
      inBackground(this.watched.log, 'policy-reload', look);
    }, SETTLE_MS);
  }

  private async look(): Promise<void> {
    const { file, policy, clock, log } = this.watched;
    const read = await readPolicy(file);
    if (read.ok) {
      this.refused = '';
      if (policy.use(read.value)) log.info('policy.changed', { version: read.value.version });
    } else if (read.why !== this.refused) {
      // The folder may change for other reasons: the same fault is told once.
      this.refused = read.why;
      policy.refuse({ at: clock.now(), problems: read.problems });
      log.error('policy.refused', { why: read.why, kept: policy.current().version });
    }
  }
}

export const watchPolicy = (watched: PolicyToWatch): (() => void) => {
  try {
    const begun = new PolicyWatch(watched);
    return () => begun.stop();
  } catch (error) {
    // Some file systems tell of no change; then a restart is what brings a new policy.
    watched.log.warn('policy.not-watched', { file: watched.file, error });
    return () => undefined;
  }
};
