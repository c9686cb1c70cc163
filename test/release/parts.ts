/**
 * Says how large each part of the extension is, with all that is loaded with it, and fails if one brings along what only others
 * need. Follows `esbuild.mjs --production`, which leaves in `out/bundles.json` what it has bundled.
 */
import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { loadedWith, strangersIn } from './rules.ts';

/** What is known of a delivery: the lower floors. */
const SENT = ['deliveries/draft', 'deliveries/outbox', 'deliveries/plan'];

/** What each part may have beside its own folder and the rooms that all share: other folders or files, and large libraries. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  agent: ['markdown-it'],
  'chats/archiving': ['chats/archive', 'markdown-it'],
  'chats/history': ['chats/log'],
  'chats/history/commands': ['chats/history', 'chats/log', 'markdown-it'],
  'deliveries/draft': ['yaml'],
  'deliveries/draft/editing': ['deliveries/draft', 'yaml'],
  'deliveries/draft/preview': ['deliveries/draft', 'yaml'],
  'deliveries/outbox': ['deliveries/draft', 'markdown-it'],
  'deliveries/replies': ['chats/log', ...SENT, 'deliveries/listedPage.ts', 'markdown-it'],
  'deliveries/send': [...SENT, 'markdown-it', 'yaml'],
  'deliveries/view': [...SENT, 'deliveries/listedPage.ts', 'markdown-it'],
};

const bundles: Metafile[] = JSON.parse(readFileSync('out/bundles.json', 'utf8'));
const outputs: Metafile['outputs'] = Object.assign({}, ...bundles.map((bundle) => bundle.outputs));
const problems: string[] = [];
for (const file of Object.keys(outputs)) {
  // What parts import later themselves has no name of its own.
  const part = /^part:(?!src\/)(.*)/.exec(outputs[file]?.entryPoint ?? '')?.[1];
  if (part === undefined) continue;
  const loaded = loadedWith(file, outputs);
  const inputs = loaded.flatMap((one) => Object.keys(outputs[one]?.inputs ?? {}));
  const bytes = loaded.reduce((sum, one) => sum + (outputs[one]?.bytes ?? 0), 0);
  console.log(`${part}: ${Math.round(bytes / 1000)} kB in ${loaded.length} files`);
  for (const stranger of strangersIn(part, inputs, PARTS[part] ?? []))
    problems.push(`${part} brings ${stranger} along.`);
}
for (const problem of problems) console.error(`PROBLEM  ${problem}`);
if (problems.length > 0) process.exitCode = 1;
