/** Plants files in a bare copy of the house, so that a fence can be seen to bite. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();
const HOUSE_FILES = ['package.json', 'tsconfig.json', '.oxlintrc.json', '.dependency-cruiser.cjs'];

export interface Planted {
  readonly dir: string;
  run(bin: string, args: readonly string[]): { readonly status: number | null; readonly out: string };
  remove(): void;
}

/** A temporary house with the real rules and only the given files (path → text). */
export const plant = (files: Readonly<Record<string, string>>): Planted => {
  const dir = mkdtempSync(join(tmpdir(), 'triptych-fence-'));
  for (const file of HOUSE_FILES) copyFileSync(join(root, file), join(dir, file));
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return {
    dir,
    run: (bin, args) => {
      const done = spawnSync(join(root, 'node_modules/.bin', bin), args, { cwd: dir, encoding: 'utf8' });
      return { status: done.status, out: `${done.stdout}${done.stderr}` };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
};
