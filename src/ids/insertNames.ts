/** Replaces selected IDs with names, or adds the names. */
import { l10n, Range, type TextDocument, type TextEditor, window } from 'vscode';
import { escapeLabel } from '../markup/escapeMarkdown.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { IdSelection } from './selectedIds.ts';

/**
 * Replaces IDs with names, or adds the names in parentheses. Skips an ID that is no longer where it was.
 * @throws UserFacingError if an ID was skipped, or the document can't be edited
 */
export async function insertNames(
  { editor: selected, targets }: IdSelection,
  names: ReadonlyMap<string, string>,
  how: 'replace' | 'annotate',
): Promise<void> {
  const editor = await shown(selected);
  const { document } = editor;
  const edits: [range: Range, text: string][] = [];
  const unmoved = targets.filter(({ text, range }) => document.getText(range) === text);
  for (const { id, range } of unmoved) {
    const text = escapeFor(names.get(id) ?? '', document);
    if (!text) continue;
    const note = ` (${text})`;
    const isAnnotated = document.getText(new Range(range.end, range.end.translate(0, note.length))) === note;
    if (isBareJson(document, range)) edits.push([range, `"${how === 'replace' ? text : id + note}"`]);
    else if (how === 'replace') edits.push([range, text]);
    else if (!isAnnotated) edits.push([new Range(range.end, range.end), note]);
  }
  const { version } = document;
  const isDone =
    edits.length === 0 ||
    (await editor.edit((builder) => {
      for (const [range, text] of edits) builder.replace(range, text);
    }));
  // In a read-only editor, VS Code reports success without editing.
  if (!isDone || (edits.length > 0 && document.version === version)) throw unchanged();
  if (unmoved.length < targets.length) {
    throw new UserFacingError(l10n.t('The document has changed. Select the IDs again.'));
  }
}

const unchanged = () => new UserFacingError(l10n.t("The document couldn't be changed."));

/** An editor of the same document that can be edited: VS Code closes one that another has covered since. */
async function shown(editor: TextEditor): Promise<TextEditor> {
  const { document } = editor;
  const visible = window.visibleTextEditors.filter((one) => one.document === document);
  if (visible.includes(editor)) return editor;
  if (document.isClosed) throw unchanged();
  return visible[0] ?? window.showTextDocument(document);
}

/** Whether a range is outside the strings of a JSON document, where a name requires quotes. */
function isBareJson(document: TextDocument, { start }: Range): boolean {
  const before = document.lineAt(start).text.slice(0, start.character).replace(/\\./g, '');
  return /^json[cl]?$/.test(document.languageId) && before.split('"').length % 2 === 1;
}

/** Escapes a name for a language, so that it can't become markup or end a string. */
function escapeFor(name: string, { languageId, uri }: TextDocument): string {
  // VS Code opens tables as plain text.
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
      // Only words are safe in every other language.
      return name.replace(/[^\p{L}\p{M}\p{N}\p{So}]+/gu, ' ').trim();
  }
}
