// Builds what ships (dist/) and the tests that run inside VS Code (out/test/vscode/).
//   --production   minified, without source maps, no tests
//   --watch        rebuild on change
import { globSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'es2023',
  logLevel: 'warning',
  chunkNames: '[name]-[hash]',
};

/**
 * esbuild splits lazy parts from a bundle only in the form of ES modules, and the extension host wants CommonJS: what
 * was split as one is rewritten as the other.
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const options = { format: 'cjs', platform: 'node', target: 'es2023', supported: { 'dynamic-import': false } };
        const { code } = await esbuild.transform(text, {
          ...options,
          minify: production,
          sourcemap: production ? false : 'inline',
        });
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, code);
      }
    });
  },
};

/** Runs in the extension host. `worker` picks the builds of libraries that use the host's own fetch. */
const host = {
  ...shared,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'esm',
  splitting: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['worker'],
  external: ['vscode'],
  sourcemap: production ? false : 'inline',
  write: false,
  plugins: [asCommonJs],
};

/** Runs in the history panel. */
const page = {
  ...shared,
  entryPoints: { history: 'src/history/webview/main.tsx' },
  outdir: 'dist/webview',
  format: 'esm',
  splitting: true,
  platform: 'browser',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The virtual list is written for React.
  alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
};

const tests = {
  ...shared,
  entryPoints: ['test/vscode/index.ts', ...globSync('test/vscode/**/*.test.ts')],
  outdir: 'out/test/vscode',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  platform: 'node',
  conditions: ['worker'],
  external: ['vscode', 'mocha'],
};

const all = production ? [host, page] : [host, page, tests];
for (const folder of production ? ['dist'] : ['dist', 'out/test']) rmSync(folder, { recursive: true, force: true });
if (watch) {
  for (const options of all) await (await esbuild.context({ ...options, logLevel: 'info' })).watch();
} else {
  await Promise.all(all.map((options) => esbuild.build(options)));
}
if (production) {
  // VS Code shows no picture that lies in a package: the packed README does without.
  const readme = await readFile('README.md', 'utf8');
  await writeFile('dist/README.md', readme.replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, ''));
}
