/**
 * Packs the extension as it would be released, and says whether it could be: `npm run release:check`, with a tag such as
 * `v0.2.0` for a release. What only the repository's owner can set is listed, but isn't a problem: a package can be made and
 * installed without it.
 *
 * With `--notes FILE`, the changelog's section goes into that file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { npm } from '../host/install.ts';
import { vsix } from '../host/packed.ts';
import { root } from '../host/places.ts';
import { brokenLinks, changelogSection, isPreRelease, versionProblem } from './rules.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { notes: { type: 'string' } } });
const [tag] = positionals;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const { version } = manifest;
const preRelease = isPreRelease(version) ? ['--', '--pre-release'] : [];
await npm(root, 'run', '--silent', 'package', ...preRelease);
const packed = unzipSync(readFileSync(vsix));
const packedText = (path: string) => strFromU8(packed[`extension/${path}`] ?? new Uint8Array());

let problems = 0;
function check(what: string, found: readonly string[]): void {
  problems += found.length;
  console.log(
    found.length === 0 ? `ok       ${what}` : found.map((problem) => `PROBLEM  ${what}: ${problem}`).join('\n'),
  );
}

const section = changelogSection(read('CHANGELOG.md'), tag === undefined ? 'Unreleased' : version);
check(`version ${version}${isPreRelease(version) ? ', a pre-release' : ''}`, versionProblem(version, tag));
check('changelog', section === '' ? [`There is nothing under [${tag === undefined ? 'Unreleased' : version}].`] : []);

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const files = new Set(execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n'));
check(
  'pictures and links',
  documents.flatMap((path) => brokenLinks(path, read, files)),
);
check('pictures and links of the package', brokenLinks('readme.md', packedText, new Set()));

const notices = packedText('dist/ThirdPartyNotices.txt');
const unnamed = Object.keys(manifest.dependencies).filter((name) => !notices.includes(`\n${name} `));
check(
  'notices',
  unnamed.map((name) => `${name} isn't bundled: it belongs to "devDependencies".`),
);

const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
const listed = execFileSync(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: root, encoding: 'utf8' });
const allowed =
  /^(?:package(?:\.nls(?:\.[\w-]+)?)?\.json|(?:CHANGELOG|README)\.md|LICENSE|(?:l10n|media|dist|skills)\/.+)$/;
const surprising = listed
  .trim()
  .split(/\r?\n/)
  .filter((path) => !allowed.test(path) || path.endsWith('.map'));
check(
  'files of the package',
  surprising.map((path) => `${path} doesn't belong there.`),
);

const settings = [
  ...(manifest.repository ? [] : ['"repository" in package.json: pictures in the README, links to the source']),
  ...(manifest.private ? ['"private" in package.json is to be removed, once "publisher" is yours'] : []),
];
for (const setting of settings) console.log(`not set  ${setting}`);

if (values.notes !== undefined) writeFileSync(values.notes, section);
console.log(problems === 0 ? '\nThis can be released.' : `\n${problems} problems keep this from being released.`);
if (problems > 0) process.exitCode = 1;
