// Builds the extension (dist/) and the tests that run inside VS Code (out/extension/test/).
//   --production   minified, without source maps, with what a package needs besides, and out/bot-chats.cdx.json; no tests
//   --tests        only the tests
//   --watch        rebuild on change
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

/** The entry point. CommonJS activates in half the time of an ES module. */
const entryPoint = {
  ...extensionHost,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  external: ['vscode', './lazy.js'],
};

/** What the extension host loads on first use, its worker, and the webviews. One build, so that they share their libraries. */
const lazy = {
  ...extensionHost,
  entryPoints: {
    lazy: 'src/lazy.ts',
    archiveWorker: 'src/chats/archiving/archiveWorker.ts',
    page: 'src/pages/main.ts',
  },
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  external: ['vscode'],
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
  if (production) writePackageFiles(bundledLibraries(results));
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

/** The libraries that are bundled. @throws if the license of one isn't permissive, or an audit of the release would skip it */
function bundledLibraries(results) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const outputs = results.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!/\b(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT)\b/.test(license))
      throw new Error(`${name} can't be bundled: its license is ${license}.`);
    const { dev, integrity } = packages[folder];
    if (dev) throw new Error(`${name} is bundled: move what needs it to "dependencies" in package.json.`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} can't be bundled: its license text is missing.`);
    return { name, version, license, integrity, text: readFileSync(join(folder, file), 'utf8').trim() };
  });
}

function writePackageFiles(libraries) {
  const notices = libraries.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`);
  const text = `Bot Chats contains these libraries:\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
  writeFileSync('dist/ThirdPartyNotices.txt', text);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  mkdirSync('out', { recursive: true });
  writeFileSync('out/bot-chats.cdx.json', JSON.stringify(billOfMaterials(manifest, libraries), null, 2));
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('dist/README.md', manifest.repository ? readme : withoutRelativeAddresses(readme));
}

/** A CycloneDX bill of materials. The one of npm lists what is installed, not what is bundled. */
function billOfMaterials({ name, version, license }, libraries) {
  const component = (type, library) => ({
    type,
    name: library.name,
    version: library.version,
    licenses: [{ expression: library.license.replace(/^\((.*)\)$/, '$1') }],
    purl: `pkg:npm/${library.name.replace('@', '%40')}@${library.version}`,
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', { name, version, license }) },
    components: libraries.map((library) => ({
      ...component('library', library),
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(library.integrity.slice('sha512-'.length), 'base64').toString('hex') },
      ],
    })),
  };
}

/**
 * The README as VS Code can show it. It resolves no relative addresses, and `vsce` can make them absolute only once
 * package.json has a `repository`.
 */
function withoutRelativeAddresses(readme) {
  const note = '_Pictures of all this are in the folder `media/readme` of the source code._';
  return readme
    .replace(/^<img src="media\/.*>\n\n_[^_]*_\n\n/gm, '')
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1')
    .replace(/^## /m, `${note}\n\n## `);
}
