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
  chunkNames: production ? '[hash]' : '[name]-[hash]',
};

/**
 * VS Code activates CommonJS in half the time of an ES module, but esbuild splits lazy parts from the latter alone: only
 * what activates is rewritten.
 */
const entryAsCommonJs = {
  name: 'entry-as-common-js',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        await mkdir(dirname(path), { recursive: true });
        const isEntry = path.endsWith('extension.js');
        await writeFile(isEntry ? path.replace(/js$/, 'cjs') : path, isEntry ? await asCommonJs(text) : text);
      }
    });
  },
};

async function asCommonJs(text) {
  const options = { format: 'cjs', platform: 'node', target: 'es2023', minify: production };
  return (await esbuild.transform(text, { ...options, sourcemap: production ? false : 'inline' })).code;
}

/** The history page has what renders Markdown: an export of the history uses the same. */
const sharedWithPage = {
  name: 'shared-with-page',
  setup(build) {
    build.onResolve({ filter: /webview\/markdownHtml\.ts$/ }, () => ({
      path: './webview/markdown.js',
      external: true,
    }));
  },
};

/** Runs in the extension host. `worker` picks the builds of libraries that use the host's own fetch. */
const host = {
  ...shared,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  platform: 'neutral',
  conditions: ['worker'],
  external: ['vscode'],
  sourcemap: production ? false : 'inline',
  write: false,
  plugins: [sharedWithPage, entryAsCommonJs],
};

/** Runs in the panels of histories and previews. */
const page = {
  ...shared,
  entryPoints: {
    history: 'src/history/webview/main.tsx',
    markdown: 'src/history/webview/markdownHtml.ts',
    preview: 'src/history/webview/preview/main.tsx',
  },
  outdir: 'dist/webview',
  format: 'esm',
  splitting: true,
  platform: 'browser',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Libraries of libraries, of which the page needs little.
  alias: {
    react: './src/history/webview/libraries/react.ts',
    'react-dom': './src/history/webview/libraries/react.ts',
    'react/jsx-runtime': './src/history/webview/libraries/react.ts',
    entities: './src/history/webview/libraries/entities.ts',
  },
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
