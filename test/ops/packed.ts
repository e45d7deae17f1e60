/** A package of ours as whoever installs it has it: built, packed, and put into an empty folder beside what they bring. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

export const PACKAGE_MS = 300_000;
const root = resolve('.');

const call = (command: string, args: readonly string[], cwd: string): string => {
  // As whoever ships a page does, not as a test.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} left with ${status}:\n${stdout}${stderr}`);
  return stdout;
};

export class Packed {
  private constructor(
    private readonly folder: string,
    /** The project it was installed in. */
    readonly home: string,
    /** What the package holds. */
    readonly files: readonly string[],
  ) {}

  static install(script: string): Packed {
    const folder = mkdtempSync(join(tmpdir(), 'triptych-packed-'));
    const [home, built] = [join(folder, 'home'), join(folder, 'built')];
    mkdirSync(home);
    call(process.execPath, [join(root, script), built], root);
    const pack = ['pack', built, '--json', '--pack-destination', folder];
    const [{ filename, files }] = JSON.parse(call('npm', pack, folder)) as [
      { filename: string; files: { path: string }[] },
    ];
    writeFileSync(join(home, 'package.json'), '{ "name": "home", "private": true, "type": "module" }');
    const install = [
      'install',
      join(folder, filename),
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
    ];
    call('npm', install, home);
    return new Packed(
      folder,
      home,
      files.map(({ path }) => path),
    );
  }

  has(name: string): boolean {
    return existsSync(this.inHome(name));
  }

  read(name: string): string {
    return readFileSync(this.inHome(name), 'utf8');
  }

  /** What the package only asks for, as a project has it that is built on that. */
  bring(...names: readonly string[]): void {
    for (const name of names) {
      if (this.has(name)) continue;
      mkdirSync(dirname(this.inHome(name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), this.inHome(name));
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.home, name), text);
  }

  /** Code as a project that installed the package would have it. */
  run(code: string): string {
    return call(process.execPath, ['--input-type=module', '-e', code], this.home);
  }

  /** A strict project compiles it, by both ways of finding modules. */
  compile(file: string): void {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const strict = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--jsx',
      'react-jsx',
    ];
    for (const how of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ])
      call(process.execPath, [tsc, file, ...strict, ...how], this.home);
  }

  /** What a bundler makes of an entry, by the names of the files. */
  bundle(entry: string): ReadonlyMap<string, string> {
    this.write('entry.js', entry);
    const input = `rolldownOptions: { input: 'entry.js', preserveEntrySignatures: 'strict' }`;
    const config = `export default { logLevel: 'warn', base: './', build: { outDir: 'out', emptyOutDir: true, modulePreload: false, ${input} } };`;
    this.write('vite.config.js', config);
    call(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], this.home);
    const out = join(this.home, 'out/assets');
    return new Map(
      readdirSync(out)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, readFileSync(join(out, name), 'utf8')]),
    );
  }

  /** All of it in one. */
  bundled(entry: string): string {
    return [...this.bundle(entry).values()].join('\n');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private inHome(name: string): string {
    return join(this.home, 'node_modules', name);
  }
}

export const sizes = (code: string): string => `${code.length} bytes, ${gzipSync(code).length} gzipped`;
