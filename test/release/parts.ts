/**
 * Says how large each part of the extension is, with all that is loaded with it, and fails if one brings along what only others
 * need. Follows `esbuild.mjs --production`, which leaves in `out/bundles.json` what it has bundled.
 */
import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { loadedWith, strangersIn } from './rules.ts';

/** What shows Markdown as people read it. */
const MARKDOWN = ['markup/rendered', 'markdown-it'];

/** What is known of a delivery: the lower floors. */
const SENT = ['deliveries/draft', 'deliveries/outbox', 'deliveries/plan'];

/** What each part may have beside its own folder and the rooms that all share: other folders or files, and large libraries. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  agent: MARKDOWN,
  'chats/archiving': ['chats/archive', ...MARKDOWN],
  'chats/history': ['chats/log'],
  'chats/history/commands': ['chats/history', 'chats/log', ...MARKDOWN],
  'deliveries/draft': ['yaml'],
  'deliveries/draft/editing': ['deliveries/draft', 'yaml'],
  'deliveries/draft/preview': ['deliveries/draft', 'yaml'],
  'deliveries/outbox': ['deliveries/draft', ...MARKDOWN],
  'deliveries/replies': ['chats/log', ...SENT, 'deliveries/listedPage.ts', ...MARKDOWN],
  'deliveries/send': [...SENT, ...MARKDOWN, 'yaml'],
  'deliveries/view': [...SENT, 'deliveries/listedPage.ts', ...MARKDOWN],
};

const bundles: Metafile[] = JSON.parse(readFileSync('out/bundles.json', 'utf8'));
const outputs: Metafile['outputs'] = Object.assign({}, ...bundles.map((bundle) => bundle.outputs));
/** The files of the parts, by their folders. What parts import later themselves is named for its file. */
const parts = new Map(
  Object.entries(outputs).flatMap(([file, { entryPoint = '' }]) =>
    /^part:(?!src\/)/.test(entryPoint) ? [[entryPoint.slice('part:'.length), file]] : [],
  ),
);
const inputsOf = (file: string) => loadedWith(file, outputs).flatMap((one) => Object.keys(outputs[one]?.inputs ?? {}));
/** What the part of the platform has, all have: the folders that features share. */
const shared = inputsOf(parts.get('platform') ?? '').map((path) => path.replace(/^src\//, ''));
const problems: string[] = [];
for (const [part, file] of parts) {
  const loaded = loadedWith(file, outputs);
  const bytes = loaded.reduce((sum, one) => sum + (outputs[one]?.bytes ?? 0), 0);
  console.log(`${part}: ${Math.round(bytes / 1000)} kB in ${loaded.length} files`);
  const allowed = [part, ...shared, ...(PARTS[part] ?? [])];
  for (const stranger of strangersIn(inputsOf(file), allowed, [...parts.keys()]))
    problems.push(`${part} brings ${stranger} along.`);
}
for (const problem of problems) console.error(`PROBLEM  ${problem}`);
if (problems.length > 0) process.exitCode = 1;
