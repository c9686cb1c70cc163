/** The pages' words outside of VS Code: the modules that have them want `vscode`, which is not there. */
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { PreviewWords } from '../../src/history/previewProtocol.ts';
import type { Labels } from '../../src/history/protocol.ts';
import { root } from './places.ts';

const VSCODE = `export const env = { language: 'en' }; export const l10n = { t: (text) => text };
  export const commands = {}, Uri = {}, ViewColumn = {}, window = {};`;

/** The words of messages and of a preview, as they are handed to a page in this language. */
export async function pageWords(language: string): Promise<{ labels: Labels; words: PreviewWords }> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'vscode') return next(specifier, context);
      return { url: `data:text/javascript,${encodeURIComponent(VSCODE)}`, shortCircuit: true };
    },
  });
  try {
    const [{ labels }, { words }] = await Promise.all([
      import('../../src/history/page.ts'),
      import('../../src/history/preview.ts'),
    ]);
    const bundle =
      language === 'en' ? {} : JSON.parse(await readFile(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
    const translated = <T extends object>(all: T) =>
      Object.fromEntries(Object.entries(all).map(([name, text]) => [name, bundle[text] ?? text])) as T;
    return { labels: translated(labels()), words: translated(words()) };
  } finally {
    hooks.deregister();
  }
}
