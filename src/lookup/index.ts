/** IDs in documents, wired to VS Code. */
import { type Disposable, languages } from 'vscode';
import type { Connection } from '../workbench/connection.ts';
import type { IdHover } from './hover.ts';
import { LANGUAGES } from './languages.ts';

export function registerLookup(connection: Connection): Disposable[] {
  let loaded: Promise<IdHover> | undefined;
  const hover = () => {
    loaded ??= import('./hover.ts').then(({ IdHover }) => new IdHover(connection));
    return loaded;
  };
  return [
    languages.registerHoverProvider(LANGUAGES, {
      provideHover: async (document, position, token) => (await hover()).provideHover(document, position, token),
    }),
  ];
}
