/** Proves that no page asks its reader to wait for more script than it needs at first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { verifies } from '../spec/verifies.js';

const BUILT = join(process.cwd(), 'dist/web');
const BUDGET_BYTES = 200_000;
const PAGES = ['index', 'customer', 'reviewer', 'operator', 'demo'] as const;
/** Comes when it is asked for. */
const LATER = /palette-dialog|trail-page|schema-form|runs-look|saw-look|bulk-pane/u;

const textOf = (file: string): string => readFileSync(join(BUILT, file), 'utf8');

/** The page's own script, what it preloads, and all that these import before anything runs. */
const scriptsOf = (page: string): ReadonlySet<string> => {
  const named = textOf(`${page}.html`).matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/gu);
  const found = new Set<string>();
  const take = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, next] of textOf(file).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/gu))
      take(`assets/${next}`);
  };
  for (const [, file] of named) take(file as string);
  return found;
};

for (const page of PAGES)
  verifies(
    'WEB-90',
    `${page}: its first view is at most 200 kB of script, and what comes later is not in it`,
    () => {
      const scripts = [...scriptsOf(page)];
      const bytes = scripts.reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0);
      expect(scripts.length).toBeGreaterThan(1);
      expect(scripts.filter((file) => LATER.test(file))).toEqual([]);
      expect({ [page]: bytes > BUDGET_BYTES ? bytes : 'fits' }).toEqual({ [page]: 'fits' });
    },
  );
