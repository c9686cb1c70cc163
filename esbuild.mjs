// Builds what ships (dist/) and the tests that run inside VS Code (out/test/vscode/).
//   --production   minified, without source maps
//   --watch        rebuild on change
import { globSync, rmSync } from 'node:fs';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** The sandbox stays out of the host bundle: it is read from disk only by those who try it. */
const sandboxApart = {
  name: 'sandbox-apart',
  setup: (build) =>
    build.onResolve({ filter: /\/sandbox\/index\.ts$/ }, () => ({ path: './sandbox.cjs', external: true })),
};

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'es2023',
  logLevel: 'warning',
};

/** Runs in the extension host. `worker` picks the builds of libraries that use the host's own fetch. */
const host = { ...shared, format: 'cjs', platform: 'neutral', conditions: ['worker'], external: ['vscode'] };

const builds = [
  { ...host, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.cjs', plugins: [sandboxApart] },
  { ...host, entryPoints: ['src/sandbox/index.ts'], outfile: 'dist/sandbox.cjs' },
  {
    ...shared,
    entryPoints: { history: 'src/history/webview/main.tsx' },
    outdir: 'dist/webview',
    format: 'esm',
    platform: 'browser',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    chunkNames: '[name]-[hash]',
  },
];

const tests = {
  ...shared,
  entryPoints: ['test/vscode/index.ts', ...globSync('test/vscode/**/*.test.ts')],
  outdir: 'out/test/vscode',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  platform: 'node',
  conditions: ['worker'],
  external: ['vscode', 'mocha'],
  minify: false,
  sourcemap: 'linked',
};

for (const folder of ['dist', 'out/test']) rmSync(folder, { recursive: true, force: true });
const all = production ? builds : [...builds, tests];
if (watch) {
  for (const options of all) await (await esbuild.context({ ...options, logLevel: 'info' })).watch();
} else {
  await Promise.all(all.map((options) => esbuild.build(options)));
}
