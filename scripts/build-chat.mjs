/**
 * Builds `@triptych/chat` into dist/chat or the given folder: a whole package, to be packed or published. With
 * `--served` the web component alone, into the folder the hub serves.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, loadConfigFromFile } from 'vite';
import { filesUnder } from './build-server.mjs';
import { root } from './processes.mjs';

// Whoever builds it from within a test would else get the slow React, with this machine's paths in it.
process.env.NODE_ENV = 'production';

const PACKAGE = join(root, 'apps/web/chat-package');
const SOURCES = join(root, 'apps/web/src/embed');
/** What a page made with React has already. */
const REACT = /^(react|react-dom)(\/|$)/;
/** The declarations that the package's doors lead to; what lies behind them is not for its users. */
const DECLARATIONS = ['chat-props', 'element', 'triptych-chat', 'triptych-chat-element'];

/** The packages whose code went along, with their licences: they ask to be told. */
const notices = (out) => ({
  name: 'notices',
  generateBundle(_, bundle) {
    const homes = Object.values(bundle)
      .flatMap(({ moduleIds = [] }) => moduleIds)
      .flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
    const told = [...new Set(homes)].toSorted().map((home) => {
      const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
      const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? '' : `\n\n${readFileSync(join(home, file), 'utf8').trim()}`;
      return `${name} ${version} (${license})${text}\n`;
    });
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'THIRD-PARTY.txt'), told.join(`\n${'-'.repeat(80)}\n\n`));
  },
});

/** Like the pages, of the same components, by the same rules. */
const likeThePages = async () => {
  const found = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(root, 'vite.config.ts'),
  );
  const { root: home, plugins, resolve, build: ours } = found.config;
  return {
    base: { configFile: false, root: home, plugins, resolve, base: './', publicDir: false, logLevel: 'warn' },
    // What takes how long is nothing to whoever starts the product.
    rolldown: { treeshake: ours.rolldownOptions.treeshake, checks: { pluginTimings: false } },
  };
};

const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** The web component: one file to name in a page, React in it; forms are loaded when one is asked for. */
export const buildElement = async (out) => {
  const { base, rolldown } = await likeThePages();
  await build({
    ...base,
    plugins: [...base.plugins, notices(out)],
    build: {
      outDir: out,
      emptyOutDir: false,
      target: TARGET,
      sourcemap: false,
      modulePreload: false,
      rolldownOptions: {
        input: { 'triptych-chat': join(SOURCES, 'element.ts') },
        preserveEntrySignatures: 'strict',
        ...rolldown,
        output: { entryFileNames: '[name].js', chunkFileNames: 'assets/[name]-[hash].js' },
      },
    },
  });
};

/** The React component: React stays outside, and the rest is inside, so that nothing of ours is a version of yours. */
const buildReact = async (out) => {
  const { base, rolldown } = await likeThePages();
  await build({
    ...base,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: out,
      emptyOutDir: false,
      target: TARGET,
      minify: false,
      cssMinify: true,
      sourcemap: false,
      lib: { entry: { index: join(SOURCES, 'triptych-chat.tsx') }, formats: ['es'] },
      rolldownOptions: {
        external: REACT,
        ...rolldown,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', banner: `'use client';` },
      },
    },
  });
};

const buildTypes = (out) => {
  const all = mkdtempSync(join(tmpdir(), 'triptych-chat-types-'));
  try {
    const args = ['-p', join(PACKAGE, 'tsconfig.types.json'), '--outDir', all];
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' });
    if (tsc.status !== 0) throw new Error('The declarations of the chat did not build.');
    mkdirSync(join(out, 'types'), { recursive: true });
    for (const name of DECLARATIONS) {
      const found = filesUnder(all).find((path) => path.endsWith(`/embed/${name}.d.ts`));
      copyFileSync(found, join(out, 'types', `${name}.d.ts`));
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
};

export const buildChat = async (out = join(root, 'dist/chat')) => {
  rmSync(out, { recursive: true, force: true });
  await buildElement(join(out, 'element'));
  await buildReact(out);
  buildTypes(out);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
  copyFileSync(join(PACKAGE, 'README.md'), join(out, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
};

/** What of these a page loads at once, and what with the first question. */
const sizesIn = (folder) => {
  const code = filesUnder(folder).filter((path) => path.endsWith('.js'));
  const sum = (paths) =>
    paths.reduce((all, path) => all + gzipSync(readFileSync(path), { level: 9 }).length, 0);
  const isForm = (path) => path.includes('schema-form');
  const kb = (paths) => `${(sum(paths) / 1_000).toFixed(1)} kB`;
  return `${kb(code.filter((path) => !isForm(path)))} gzipped, forms ${kb(code.filter(isForm))}`;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [to] = process.argv.slice(2);
  if (to === '--served') await buildElement(join(root, 'dist/web/embed'));
  else {
    const out = to ?? join(root, 'dist/chat');
    await buildChat(out);
    console.log(`web component, React in it: ${sizesIn(join(out, 'element'))}`);
  }
}
