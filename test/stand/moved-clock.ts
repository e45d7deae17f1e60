/** Clocks that are wrong: a server's that a test moves, and an app's that is off from its start. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a server is to be started with, and the hand at its clock. */
export interface MovedClock {
  readonly env: Readonly<Record<string, string>>;
  /** So far ahead of the true time from now on, seconds. */
  ahead(seconds: number): void;
  stop(): void;
}

/** Debian's `faketime` keeps its library beside those of the machine's kind. */
const kindsOf = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : []);
const libraryOf = (kind: string): string => `/usr/lib/${kind}/faketime/libfaketime.so.1`;
const KIND = kindsOf('/usr/lib').find((kind) => existsSync(libraryOf(kind)));

/** False where no `faketime` is installed; suites that need it say so and skip. */
export const hasFaketime = (): boolean => KIND !== undefined;

export const movedClock = (): MovedClock => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-clock-'));
  const file = join(dir, 'time');
  const ahead = (seconds: number): void => writeFileSync(file, `+${seconds}\n`);
  ahead(0);
  return {
    env: {
      // Without the C library after it, the server's allocator and the moved clock wait for each other.
      LD_PRELOAD: `${libraryOf(KIND ?? '')} /lib/${KIND}/libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    ahead,
    stop: () => rmSync(dir, { recursive: true, force: true }),
  };
};

/** What node is to load first, so that its clock is off by so much. */
export const offBy = (ms: number): Readonly<Record<string, string>> => {
  const code = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length) super(...given); else super(Real.now() + ${ms}); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
};
