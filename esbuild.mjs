// Builds the extension (dist/) and the tests that run inside VS Code (out/extension/test/).
//   --production   minified, without source maps; no tests. Says in out/bundles.json what is bundled
//   --tests        only the tests
//   --watch        rebuild on change; what is new to activation's `import()` needs a new start
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const testsOnly = process.argv.includes('--tests');
const watch = process.argv.includes('--watch');

const common = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  target: 'es2023',
  logLevel: watch ? 'info' : 'warning',
  metafile: true,
};

/** Runs in the extension host. `worker` selects library builds that use the host's own `fetch`. */
const extensionHost = { ...common, platform: 'neutral', mainFields: ['module', 'main'], conditions: ['worker'] };

/**
 * All modules of one folder that VS Code's activation leaves to `import()` become one file, a part, which has the name of the
 * folder. These are the modules of each; no two of a part export the same name.
 */
const modules = new Map();

/**
 * The folders that features share, without what in them needs a large library (their subfolders). Each part brings them along, so
 * that they are a few chunks: split by who needs what, they would be a hundred, and take longer to load than all of them.
 */
const shared = globSync('src/{directory,markup,platform,presentation,protocol,service}/*.ts');

/**
 * Leaves the parts out of what VS Code activates. A module that both need exists twice at run time, and must have no state.
 */
const withoutParts = {
  name: 'without parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = pathFrom('.', join(resolveDir, path));
      const part = pathFrom('src', dirname(file));
      modules.set(part, (modules.get(part) ?? new Set()).add(file));
      return { path: `./${part}.js`, external: true };
    }),
};

/** Makes the parts, and what they import later themselves. */
const parts = {
  name: 'parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const file = pathFrom('.', join(resolveDir, path));
      return kind === 'dynamic-import' && !file.startsWith('src/pages/')
        ? { path: file, namespace: 'part' }
        : undefined;
    });
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => {
      const others = shared.map((file) => `import './${pathFrom('.', file)}';`);
      const own = Array.from(modules.get(path) ?? [path], (file) => `export * from './${file}';`);
      return { contents: [...others, ...own].join('\n'), resolveDir: import.meta.dirname };
    });
  },
};
const pathFrom = (folder, file) => relative(folder, file).replaceAll('\\', '/');

/** The entry point. CommonJS activates in half the time of an ES module. */
const entryPoint = {
  ...extensionHost,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  external: ['vscode'],
  plugins: [withoutParts],
};

/** What the extension host loads on first use, its worker, and the webviews. One build, so that they share their libraries. */
const lazy = {
  ...extensionHost,
  entryPoints: {
    archiveWorker: 'src/chats/archiving/archiveWorker.ts',
    page: 'src/pages/main.ts',
  },
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  external: ['vscode'],
  plugins: [parts],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Pages have no `process`.
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** The same extension for browsers, whose extension host can't load one file from another. */
const browser = {
  ...extensionHost,
  platform: 'browser',
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/web/extension.cjs',
  format: 'cjs',
  charset: 'utf8',
  external: ['vscode'],
};

/** The styles of the webviews. */
const styles = {
  ...common,
  entryPoints: {
    page: 'src/pages/page.css',
    download: 'src/pages/download/download.css',
    history: 'src/pages/history/history.css',
    preview: 'src/pages/preview/preview.css',
    replies: 'src/pages/replies/replies.css',
    report: 'src/pages/report/report.css',
    search: 'src/pages/search/search.css',
    statistics: 'src/pages/statistics/statistics.css',
  },
  outdir: 'dist',
};

/** Built into the packed extension's folder, so that the tests get the same `vscode` module as the extension. */
const tests = {
  ...extensionHost,
  entryPoints: ['test/vscode/index.ts', 'test/vscode/**/*.test.ts'],
  outdir: 'out/extension/test',
  format: 'esm',
  splitting: true,
  external: ['vscode', 'mocha', 'node:*'],
};

const extensionBuilds = testsOnly ? [] : [entryPoint, lazy, browser, styles];
const builds = production ? extensionBuilds : [...extensionBuilds, tests];
if (!testsOnly) rmSync('dist', { recursive: true, force: true });
if (!production) rmSync(tests.outdir, { recursive: true, force: true });
if (!testsOnly) {
  // Finds the parts.
  await esbuild.build({ ...entryPoint, write: false });
  for (const part of modules.keys()) lazy.entryPoints[part] = `part:${part}`;
}
if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  // What opens pages names their modules, so that they are fetched at once. Only a build knows the names.
  if (!testsOnly) {
    const { metafile } = await esbuild.build({ ...lazy, write: false });
    const names = JSON.stringify(modulesOf('dist/page.js', metafile.outputs).join(' '));
    for (const options of [lazy, browser]) options.define = { ...options.define, PAGE_MODULES: names };
  }
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production) {
    mkdirSync('out', { recursive: true });
    writeFileSync('out/bundles.json', JSON.stringify(results.map(({ metafile }) => metafile)));
  }
}

/** The names of the files that a file imports, and of those that these import. */
function modulesOf(file, outputs, found = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (kind !== 'import-statement' || found.has(basename(path))) continue;
    found.add(basename(path));
    modulesOf(path, outputs, found);
  }
  return [...found];
}
