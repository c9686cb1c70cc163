/** The IDs that are selected in an editor, and names in their place. */
import { l10n, Range, type Selection, type TextDocument, type TextEditor, WorkspaceEdit, workspace } from 'vscode';
import { escapeLabel } from '../words/escape.ts';
import { UserFacingError } from '../words/explain.ts';
import { idsIn } from '../workbench/idsIn.ts';
import { findIds, idAt, type Shapes } from './ids.ts';

/** Where an ID stands in a document. */
interface Target {
  readonly id: string;
  readonly range: Range;
}

export interface Selected {
  readonly document: TextDocument;
  readonly targets: readonly Target[];
}

/** More are not looked up in one go. */
const MOST = 1_000;

/** All that the selections of an editor hold, or the cursors in it stand on. @throws UserFacingError for too many */
export function selectedIds({ document, selections }: TextEditor, shapes: Shapes): Selected {
  // Several cursors may stand on one ID.
  const targets = new Map<string, Target>();
  for (const selection of selections) {
    for (const target of targetsIn(document, selection, shapes)) {
      const { line, character } = target.range.start;
      targets.set(`${line} ${character}`, target);
      if (targets.size > MOST) throw new UserFacingError(l10n.t('Select at most {0} IDs.', MOST));
    }
  }
  return { document, targets: [...targets.values()] };
}

function* targetsIn(document: TextDocument, selection: Selection, shapes: Shapes): Generator<Target> {
  const { start, active, isEmpty } = selection;
  if (isEmpty) {
    const at = idAt(document.lineAt(active).text, active.character, shapes);
    if (at) yield { id: at.id, range: new Range(active.line, at.start, active.line, at.end) };
    return;
  }
  const text = document.getText(selection);
  const offset = document.offsetAt(start);
  const place = (from: number, to: number) =>
    new Range(document.positionAt(offset + from), document.positionAt(offset + to));
  let hasAny = false;
  for (const { id, start, end } of findIds(text, shapes)) {
    hasAny = true;
    yield { id, range: place(start, end) };
  }
  // What is selected by itself is meant to be one, whatever it looks like.
  const [only, another] = !hasAny && text.length < MOST ? idsIn(text) : [];
  if (only && !another) {
    const from = text.indexOf(only);
    yield { id: only, range: place(from, from + only.length) };
  }
}

/**
 * Puts names in the place of IDs, or in brackets behind them. What is no longer where it was selected stays as it is.
 * @throws UserFacingError where it does, and where the document cannot be edited
 */
export async function write(
  { document, targets }: Selected,
  names: ReadonlyMap<string, string>,
  how: 'replace' | 'annotate',
): Promise<void> {
  const edit = new WorkspaceEdit();
  const stands = targets.filter(({ id, range }) => document.getText(range) === id);
  for (const { id, range } of stands) {
    const text = inLanguage(names.get(id) ?? '', document);
    if (!text) continue;
    const note = ` (${text})`;
    const isNoted = document.getText(new Range(range.end, range.end.translate(0, note.length))) === note;
    if (how === 'replace') edit.replace(document.uri, range, text);
    else if (!isNoted) edit.insert(document.uri, range.end, note);
  }
  if (edit.size > 0 && !(await workspace.applyEdit(edit))) {
    throw new UserFacingError(l10n.t('The document could not be changed.'));
  }
  if (stands.length < targets.length) {
    throw new UserFacingError(l10n.t('The document has changed meanwhile: select the IDs again.'));
  }
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
