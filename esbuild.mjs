// Builds what ships (dist/), and the tests that run inside VS Code (out/extension/test/).
//   --production   minified, without source maps, with the notices of the libraries inside; no tests
//   --tests        the tests alone
//   --watch        rebuild on change
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import esbuild from 'esbuild';

const production = process.argv.includes('--production');
const onlyTests = process.argv.includes('--tests');
const watch = process.argv.includes('--watch');

const shared = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  target: 'es2023',
  logLevel: watch ? 'info' : 'warning',
  metafile: true,
};

/** In the extension host. `worker` picks the builds of libraries that use the host's own `fetch`. */
const host = { ...shared, platform: 'neutral', mainFields: ['module', 'main'], conditions: ['worker'] };

/** What VS Code activates, which is CommonJS: that starts in half the time of an ES module. */
const activated = {
  ...host,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  external: ['vscode', './lazy.js'],
};

/** Loaded when the person first needs it. */
const lazy = {
  ...host,
  entryPoints: ['src/lazy.ts'],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  external: ['vscode'],
};

/** The pages in the panels of histories and previews. */
const pages = {
  ...shared,
  entryPoints: { history: 'src/pages/history/main.tsx', preview: 'src/pages/preview/main.tsx' },
  outdir: 'dist/webview',
  format: 'esm',
  splitting: true,
  platform: 'browser',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Run inside VS Code, from the folder of the extension under test: both get the same API there. */
const tests = {
  ...host,
  entryPoints: ['test/vscode/index.ts', 'test/vscode/**/*.test.ts'],
  outdir: 'out/extension/test',
  format: 'esm',
  splitting: true,
  external: ['vscode', 'mocha', 'node:*'],
};

const shipped = onlyTests ? [] : [activated, lazy, pages];
const builds = production ? shipped : [...shipped, tests];
if (!onlyTests) rmSync('dist', { recursive: true, force: true });
if (!production) rmSync(tests.outdir, { recursive: true, force: true });
if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production) writeFileSync('dist/ThirdPartyNotices.txt', noticesOf(results));
}

/** The licences of all libraries in these bundles. @throws where one is not permissive, or its text is missing */
function noticesOf(results) {
  const outputs = results.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const notices = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!/\b(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT)\b/.test(license))
      throw new Error(`${name} must not be packed: its licence is ${license}.`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} must not be packed: the text of its licence is missing.`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  });
  return `Bot Chats contains these libraries:\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
