/** The page's words outside of VS Code: the module that has them wants `vscode`, which is not there. */
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { Labels } from '../../src/history/protocol.ts';
import { root } from './places.ts';

const VSCODE = `export const env = { language: 'en' }; export const l10n = { t: (text) => text }; export const Uri = {};`;

/** The labels of the history page, as they are handed to it in this language. */
export async function historyLabels(language: string): Promise<Labels> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'vscode') return next(specifier, context);
      return { url: `data:text/javascript,${encodeURIComponent(VSCODE)}`, shortCircuit: true };
    },
  });
  try {
    const { labels } = await import('../../src/history/page.ts');
    if (language === 'en') return labels();
    const bundle = JSON.parse(await readFile(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
    const translated = Object.entries(labels()).map(([name, text]) => [name, bundle[text] ?? text]);
    return Object.fromEntries(translated);
  } finally {
    hooks.deregister();
  }
}
