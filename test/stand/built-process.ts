/** A built app of the house as a process of its own, that a test may stop, kill and start again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

const LEAVES_WITH_US = new URL('../../scripts/leave-with-launcher.mjs', import.meta.url).href;
/** How much of a process's last words is shown. */
const LAST_WORDS_CHARS = 2_000;

/** What one process of the house is started with. */
export interface Around {
  readonly redisUrl: string;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

export class BuiltProcess {
  /** True with its first message, false when it ended without one. */
  spoke: Promise<boolean> = Promise.resolve(false);
  private child: ChildProcess | undefined;

  constructor(
    private readonly main: string,
    private readonly env: Readonly<Record<string, string>>,
    readonly outputFile: string,
  ) {}

  spawn(): void {
    const output = openSync(this.outputFile, 'a');
    const child = spawn(process.execPath, ['--import', LEAVES_WITH_US, this.main], {
      env: { PATH: process.env['PATH'] ?? '', ...this.env },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.child = child;
    this.spoke = new Promise((resolve) => {
      child.once('message', () => resolve(true));
      child.once('exit', () => resolve(false));
    });
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isOver(): boolean {
    return this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  async kill(): Promise<void> {
    if (this.isOver) return;
    const gone = once(this.child as ChildProcess, 'exit');
    this.signal('SIGKILL');
    await gone;
  }

  /** How often it has said this, under all its lives. */
  timesSaid(words: string): number {
    return readFileSync(this.outputFile, 'utf8').split(words).length - 1;
  }

  lastWords(): string {
    return readFileSync(this.outputFile, 'utf8').slice(-LAST_WORDS_CHARS);
  }
}
