/** The IDs selected in an editor: finds them, and replaces them with names or adds the names. */
import { Range, type Selection, type TextDocument, type TextEditor, window } from 'vscode';
import { escapeLabel } from '../markup/escapeMarkdown.ts';
import { narrow, parseIds } from '../markup/pastedIds.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n } from '../presentation/shown.ts';
import { isIdentifier } from '../service/fields.ts';
import { findIds, type IdMatcher, idAt, isProgram, isValue } from './findIds.ts';

/** An ID and its place in a document. */
interface Target {
  readonly id: string;
  /** The ID as it's written in the document: perhaps in wide digits. */
  readonly text: string;
  readonly range: Range;
}

export interface IdSelection {
  readonly editor: TextEditor;
  readonly targets: readonly Target[];
}

/** How many IDs are looked up at once. */
const MAX_IDS = 1_000;

/** The IDs in an editor's selections, or at its cursors. @throws UserFacingError if there are too many */
export function selectedIds(editor: TextEditor, matcher: IdMatcher): IdSelection {
  const { document, selections } = editor;
  // Several cursors may be on one ID.
  const targets = new Map<string, Target>();
  const ids = new Set<string>();
  for (const selection of selections) {
    for (const target of targetsIn(document, selection, matcher)) {
      const { line, character } = target.range.start;
      targets.set(`${line} ${character}`, target);
      if (ids.add(target.id).size > MAX_IDS) {
        throw new UserFacingError(l10n.t('Select no more than {0} different IDs.', formatCount(MAX_IDS)));
      }
    }
  }
  return { editor, targets: [...targets.values()] };
}

function* targetsIn(document: TextDocument, selection: Selection, matcher: IdMatcher): Generator<Target> {
  const { start, active, isEmpty } = selection;
  if (isEmpty) {
    const at = idAt(document.lineAt(active).text, active.character, matcher);
    if (at) yield { id: at.id, text: at.id, range: new Range(active.line, at.start, active.line, at.end) };
    return;
  }
  const text = document.getText(selection);
  const offset = document.offsetAt(start);
  const rangeOf = (from: number, to: number) =>
    new Range(document.positionAt(offset + from), document.positionAt(offset + to));
  const [only, another] = text.length < MAX_IDS ? parseIds(text) : [];
  const isSingle = only && isIdentifier(only) && !another;
  let hasAny = false;
  for (const found of findIds(text, matcher)) {
    if (!isSingle && !isValue(text, found, isProgram(document))) continue;
    hasAny = true;
    yield { id: found.id, text: found.id, range: rangeOf(found.start, found.end) };
  }
  // A single selected word counts as an ID, whatever it looks like, but for a token.
  if (isSingle && !hasAny && !mentionsToken(text)) {
    // IDs in wide digits are looked up in narrow ones, so the search runs on the text in narrow digits.
    const from = narrow(text).indexOf(only);
    const to = from + only.length;
    yield { id: only, text: text.slice(from, to), range: rangeOf(from, to) };
  }
}

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

/** An editor of the same document that can be edited: VS Code closes an editor that another one has covered. */
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
