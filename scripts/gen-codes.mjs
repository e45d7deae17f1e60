/** Writes docs/codes.md from the tables in libs/protocol; with --check it only says whether the page is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';
import { root } from './processes.mjs';

const PAGE = join(root, 'docs/codes.md');

/** The tables are plain data without imports, so that they can be read without building anything. */
const tableOf = async (file, name) => {
  const { code } = await transformFile(join(root, 'libs/protocol/src/core', file), {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return Object.entries(module[name]);
};

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The page as it should be. */
export const codesPage = async () => {
  const refusals = await tableOf('refusals.ts', 'REFUSALS');
  const closes = await tableOf('close-codes.ts', 'CLOSE');
  const errors = await tableOf('run-error-codes.ts', 'RUN_ERRORS');
  return `# Codes

Generated from \`libs/protocol\` by \`node scripts/gen-codes.mjs\`; edit the tables there.
\`next\` tells a client what to do: \`fix\` the request, \`reauth\`, \`retry\`, \`resync\` from a position, or \`stop\`.

## Refusals

HTTP bodies carry \`{"error":{code,message,next,…}}\`, sockets \`{"event":"refused","data":{…}}\`.

${table(
  ['code', 'HTTP', 'next', 'means'],
  refusals.map(([code, { http, next, means }]) => [`\`${code}\``, http, next, means]),
)}

## WebSocket close codes

${table(
  ['code', 'name', 'next', 'means'],
  closes.map(([name, { code, next, means }]) => [code, `\`${name}\``, next, means]),
)}

## Run errors written by the hub

A \`RUN_ERROR\` with any other code was written by an agent.

${table(
  ['code', 'means'],
  errors.map(([code, means]) => [`\`${code}\``, means]),
)}
`;
};

const main = async (checkOnly) => {
  const page = await codesPage();
  if (!checkOnly) return writeFileSync(PAGE, page);
  let current = '';
  try {
    current = readFileSync(PAGE, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (current === page) return undefined;
  console.error('docs/codes.md is not what the tables say; run: node scripts/gen-codes.mjs');
  process.exitCode = 1;
  return undefined;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.includes('--check'));
