/**
 * Writes what a package needs besides its code: `dist/ThirdPartyNotices.txt`, `dist/README.md`, and the bill of materials
 * `out/bot-chats.cdx.json`. Follows `esbuild.mjs --production`, which leaves in `out/bundles.json` what it has bundled.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The hash of its archive, as in package-lock.json. */
  readonly integrity: string;
  /** The text of its license. */
  readonly text: string;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const manifest = readJson('package.json');
const libraries = bundledLibraries(readJson('out/bundles.json'));
const readme = readFileSync('README.md', 'utf8');
writeFileSync('dist/ThirdPartyNotices.txt', noticesOf(libraries));
writeFileSync('dist/README.md', manifest.repository ? readme : withoutRelativeAddresses(readme));
writeFileSync('out/bot-chats.cdx.json', JSON.stringify(billOfMaterials(manifest, libraries), null, 2));

/** The libraries that are bundled. @throws if the license of one isn't permissive, or an audit of the release would skip it */
function bundledLibraries(bundles: readonly Metafile[]): Library[] {
  const { packages } = readJson('package-lock.json');
  const outputs = bundles.flatMap((bundle) => Object.values(bundle.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = readJson(join(folder, 'package.json'));
    if (!/\b(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT)\b/.test(license))
      throw new Error(`${name} can't be bundled: its license is ${license}.`);
    const { dev, integrity } = packages[folder];
    if (dev) throw new Error(`${name} is bundled: move what needs it to "dependencies" in package.json.`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} can't be bundled: its license text is missing.`);
    return { name, version, license, integrity, text: readFileSync(join(folder, file), 'utf8').trim() };
  });
}

function noticesOf(libraries: readonly Library[]): string {
  const notices = libraries.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`);
  return `Bot Chats contains these libraries:\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

type Component = Pick<Library, 'name' | 'version' | 'license'>;

/** A CycloneDX bill of materials. The one of npm lists what is installed, not what is bundled. */
function billOfMaterials({ name, version, license }: Component, libraries: readonly Library[]) {
  const component = (type: string, one: Component) => ({
    type,
    name: one.name,
    version: one.version,
    licenses: [{ expression: one.license.replace(/^\((.*)\)$/, '$1') }],
    purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
  });
  const sha512 = ({ integrity }: Library) => Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', { name, version, license }) },
    components: libraries.map((library) => ({
      ...component('library', library),
      hashes: [{ alg: 'SHA-512', content: sha512(library) }],
    })),
  };
}

/**
 * The README as VS Code can show it. It resolves no relative addresses, and `vsce` can make them absolute only once
 * package.json has a `repository`.
 */
function withoutRelativeAddresses(text: string): string {
  const note = '_Pictures of all this are in the folder `media/readme` of the source code._';
  return text
    .replace(/^<img src="media\/.*>\n\n_[^_]*_\n\n/gm, '')
    .replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1')
    .replace(/^## /m, `${note}\n\n## `);
}
