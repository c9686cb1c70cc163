/** Names in the place of IDs that are selected. */
import { l10n, Range, type TextDocument } from 'vscode';
import { escapeLabel } from '../markup/escapeMarkdown.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { IdSelection } from './selectedIds.ts';

/**
 * Puts names in the place of IDs, or in brackets behind them. What is no longer where it was selected stays as it is.
 * @throws UserFacingError where it does, and where the document cannot be edited
 */
export async function insertNames(
  { editor, targets }: IdSelection,
  names: ReadonlyMap<string, string>,
  how: 'replace' | 'annotate',
): Promise<void> {
  const { document } = editor;
  const edits: [range: Range, text: string][] = [];
  const stands = targets.filter(({ id, range }) => document.getText(range) === id);
  for (const { id, range } of stands) {
    const text = inLanguage(names.get(id) ?? '', document);
    if (!text) continue;
    const note = ` (${text})`;
    const isNoted = document.getText(new Range(range.end, range.end.translate(0, note.length))) === note;
    if (isBareJson(document, range)) edits.push([range, `"${how === 'replace' ? text : id + note}"`]);
    else if (how === 'replace') edits.push([range, text]);
    else if (!isNoted) edits.push([new Range(range.end, range.end), note]);
  }
  const { version } = document;
  const isDone =
    edits.length === 0 ||
    (await editor.edit((builder) => {
      for (const [range, text] of edits) builder.replace(range, text);
    }));
  // In an editor that is only for reading VS Code does nothing, and says that it has.
  if (!isDone || (edits.length > 0 && document.version === version)) {
    throw new UserFacingError(l10n.t('The document could not be changed.'));
  }
  if (stands.length < targets.length) {
    throw new UserFacingError(l10n.t('The document has changed meanwhile: select the IDs again.'));
  }
}

/** Whether a place is outside of the strings of JSON, where no name can stand without quotes. */
function isBareJson(document: TextDocument, { start }: Range): boolean {
  const before = document.lineAt(start).text.slice(0, start.character).replace(/\\./g, '');
  return /^json[cl]?$/.test(document.languageId) && before.split('"').length % 2 === 1;
}

/** A name as text of a language: nobody's name is to become markup, or to end a string. */
function inLanguage(name: string, { languageId, uri }: TextDocument): string {
  // VS Code itself takes tables for plain text.
  switch (/\.[ct]sv$/i.test(uri.path) ? 'csv' : languageId) {
    case 'markdown':
      return escapeLabel(name);
    case 'html':
    case 'xml':
      return name.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
    case 'json':
    case 'jsonc':
    case 'jsonl':
      return JSON.stringify(name).slice(1, -1);
    case 'plaintext':
    case 'log':
    case 'Log':
      return name;
    default:
      // What ends a string, begins a comment or a formula, or separates, differs: words alone are safe in all.
      return name.replace(/[^\p{L}\p{M}\p{N}\p{So}]+/gu, ' ').trim();
  }
}
