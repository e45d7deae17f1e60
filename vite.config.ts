/** Builds the web surfaces into dist/web, where the hub serves them. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = import.meta.dirname;
const pages = ['index', 'customer', 'reviewer', 'operator', 'demo'];
/** Pure libraries: a module nobody imports from has nothing to say in a browser. */
const PURE = /\/libs\/(protocol|client)\/|\/node_modules\/(@ag-ui\/core|zod|@rjsf\/utils)\//;

export default defineConfig({
  root: resolve(here, 'apps/web'),
  plugins: [react()],
  resolve: {
    alias: {
      '@triptych/protocol': resolve(here, 'libs/protocol/src/index.ts'),
      '@triptych/client': resolve(here, 'libs/client/src/index.ts'),
      'decode-named-character-reference': resolve(here, 'apps/web/src/shared/markdown/named-characters.ts'),
      // The package's door also opens its test helpers, which want a validator that compiles code at run time.
      '@rjsf/core': resolve(here, 'node_modules/@rjsf/core/lib/components/Form.js'),
    },
  },
  build: {
    outDir: resolve(here, 'dist/web'),
    emptyOutDir: true,
    sourcemap: true,
    // The pages' content policy allows files of their own only: nothing may become a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(pages.map((page) => [page, resolve(here, `apps/web/${page}.html`)])),
      treeshake: { moduleSideEffects: (id) => !PURE.test(id) },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/v1': 'http://127.0.0.1:4000',
      '/ws': { target: 'ws://127.0.0.1:4000', ws: true },
    },
  },
});
