// Builds what ships (dist/) and the tests that run inside VS Code (out/test/vscode/).
//   --production   minified, without source maps, no tests
//   --tests        the tests alone
//   --watch        rebuild on change
import { globSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import esbuild from 'esbuild';
import { minify } from 'terser';

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
 * Writes what was built. VS Code activates CommonJS in half the time of an ES module, but esbuild splits lazy parts from
 * the latter alone: only what activates is rewritten.
 */
const written = {
  name: 'written',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const isEntry = path.endsWith('extension.js');
        const merged = production ? await withOneImport(text) : text;
        const code = isEntry ? asCommonJs(merged) : merged;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(
          isEntry ? path.replace(/js$/, 'cjs') : path,
          production && path.endsWith('.js') ? await smaller(code, !isEntry) : code,
        );
      }
    });
  },
};

/** Each module imports its part of VS Code under names of its own: one import with one set of names is smaller. */
async function withOneImport(text) {
  const define = {};
  const names = new Set();
  const rest = text.replace(/\bimport\{([^}]+)\}from"vscode";/g, (_, imports) => {
    for (const [name, local = name] of imports.split(',').map((one) => one.split(' as '))) {
      names.add(`${name} as vscode_${name}`);
      // A name within a function that is the same by chance stays what it is.
      define[local] = `vscode_${name}`;
    }
    return '';
  });
  if (names.size === 0) return text;
  const code = `import{${[...names]}}from"vscode";${rest}`;
  return (await esbuild.transform(code, { define, minify: true, target: shared.target })).code;
}

function asCommonJs(text) {
  // Another file would have to be read and compiled before anything is there.
  if (/\bimport\s?(?:\{[^;(]*?from\s?)?"\.\//.test(text))
    throw new Error('What activates shares code with a lazy part.');
  const listed = (names, between) => names.replace(/([\w$]+) as ([\w$]+)/g, between);
  return text
    .replace(
      /\bimport\s?\{([^}]+)\}\s?from\s?"vscode"/g,
      (_, names) => `const {${listed(names, '$1: $2')}} = require("vscode")`,
    )
    .replace(/\bexport\s?\{([^}]+)\}/g, (_, names) => `module.exports = {${listed(names, '$2: $1')}}`);
}

/** What esbuild has minified, by another twentieth; notices of licences stay. */
async function smaller(code, module) {
  return (
    await minify(code, {
      module,
      toplevel: true,
      ecma: 2020,
      compress: { lhs_constants: false, passes: 3 },
      format: { comments: /^!/ },
    })
  ).code;
}

/** What is a schema has no other effect: told so, esbuild leaves out those that one side alone uses. */
const schemas = {
  name: 'schemas',
  setup(build) {
    build.onLoad({ filter: /\bsrc\b.*\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      return {
        contents: code.replace(/\bv\.(?!assert|is\(|parse\(|safeParse|set)\w+\(/g, '/* @__PURE__ */ $&'),
        loader: 'ts',
      };
    });
  },
};

/** What the lazy parts have in common. */
const COMMON = [
  'src/words/*.ts',
  'src/service/{client,directory}.ts',
  'src/workbench/{botIds,cancellation,idsIn,listSettings,node,openService}.ts',
  'src/history/protocol.ts',
  'src/history/written/content.ts',
];

/** Where the lazy parts of each room are found; those of small rooms are one file with what all have in common. */
const LARGE = ['chats', 'sending', 'history', 'sandbox'];
const roomOf = (file) => LARGE.find((room) => file.startsWith(resolve('src', room))) ?? 'common';

/**
 * Lazy parts that are used together are one file: each file has a price, and esbuild makes a further one for each set of
 * parts that share something. `groupOf` names the file that a part belongs to, if any.
 */
const grouped = (sources, groupOf, common = []) => ({
  name: 'grouped',
  setup(build) {
    const parts = globSync(sources).flatMap((file) => {
      const imports = readFileSync(file, 'utf8').matchAll(/\bimport\('(\..+?)'\)/g);
      return [...imports].map(([, path]) => resolve(dirname(file), path));
    });
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const group = kind === 'dynamic-import' && groupOf(resolve(resolveDir, path));
      return group ? { path: group, namespace: 'group' } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'group' }, ({ path: group }) => {
      const files = [...new Set(parts)].filter((file) => groupOf(file) === group);
      const names = files.flatMap((file) => {
        const exported = readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm);
        return [...exported].map(([, name]) => name);
      });
      // Of two with one name there would be none.
      if (new Set(names).size < names.length) throw new Error(`a name is exported twice: ${names.sort()}`);
      const lines = [
        ...globSync(common).map((file) => `import ${JSON.stringify(resolve(file))};`),
        ...files.map((file) => `export * from ${JSON.stringify(file)};`),
      ];
      return { contents: lines.join('\n'), resolveDir: '.' };
    });
  },
});

/**
 * What a library in one file makes at its top level has no other effect: told so, esbuild leaves out what is not used.
 * `unused` are parts of the file that use others and are never used themselves.
 */
const inParts = (file, ...unused) => ({
  name: 'in-parts',
  setup(build) {
    build.onLoad({ filter: file }, async ({ path }) => {
      const whole = await readFile(path, 'utf8');
      const used = unused.reduce((text, part) => {
        const left = text.replace(part, '');
        if (left === text) throw new Error(`${path} has no ${part} any more.`);
        return left;
      }, whole);
      const made = /^(?:const|var) (\S+) = ((?!class|"|\d|-\d).*(?:\n[\t \])}].*)*);$/gm;
      return { contents: used.replace(made, 'var $1 = /* @__PURE__ */ (() => ($2))();') };
    });
  },
});

/** Over half of js-yaml is schemas and writing. Errors quote the lines around them, which nobody is shown. */
const yaml = inParts(/js-yaml\.mjs$/, /^\t\tmark\.snippet = .*\n/m);

/** Runs in the extension host. `worker` picks the builds of libraries that use the host's own fetch. */
const host = {
  ...shared,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  platform: 'neutral',
  conditions: ['worker'],
  mainFields: ['module', 'main'],
  external: ['vscode'],
  sourcemap: production ? false : 'inline',
  write: false,
  // Of the HTTP library's own libraries nothing is used.
  alias: { ufo: './src/service/unused.ts', destr: './src/service/unused.ts' },
  plugins: [grouped(['src/*.ts', 'src/*/*.ts', 'src/*/{editing,export}/*.ts'], roomOf, COMMON), schemas, yaml, written],
};

/** Runs in the panels of histories and previews. */
const page = {
  ...shared,
  entryPoints: { history: 'src/history/webview/main.tsx', preview: 'src/history/webview/preview/main.tsx' },
  outdir: 'dist/webview',
  format: 'esm',
  splitting: true,
  platform: 'browser',
  jsx: 'automatic',
  jsxImportSource: 'preact',
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

const onlyTests = process.argv.includes('--tests');
const all = onlyTests ? [tests] : production ? [host, page] : [host, page, tests];
for (const folder of onlyTests ? ['out/test'] : production ? ['dist'] : ['dist', 'out/test'])
  rmSync(folder, { recursive: true, force: true });
if (watch) {
  for (const options of all) await (await esbuild.context({ ...options, logLevel: 'info' })).watch();
} else {
  await Promise.all(all.map((options) => esbuild.build(options)));
}
if (production) {
  // VS Code shows no picture that lies in a package, and whoever has installed it does not build it.
  const readme = await readFile('README.md', 'utf8');
  const left = readme
    .replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '')
    .replace(/^## (?:Try it|Contributing)\n[\s\S]*?(?=^## |$(?!\n))/gm, '');
  await writeFile('dist/README.md', left);
}
