/** The IDs that are selected in an editor. */
import { l10n, Range, type Selection, type TextDocument, type TextEditor } from 'vscode';
import { UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { parseIds } from '../service/fields.ts';
import { findIds, type IdMatcher, idAt, isProgram, isValue } from './findIds.ts';

/** Where an ID stands in a document. */
interface Target {
  readonly id: string;
  readonly range: Range;
}

export interface IdSelection {
  readonly editor: TextEditor;
  readonly targets: readonly Target[];
}

/** More are not looked up in one go. */
const MAX_IDS = 1_000;

/** All that the selections of an editor hold, or the cursors in it stand on. @throws UserFacingError for too many */
export function selectedIds(editor: TextEditor, shapes: IdMatcher): IdSelection {
  const { document, selections } = editor;
  // Several cursors may stand on one ID.
  const targets = new Map<string, Target>();
  const ids = new Set<string>();
  for (const selection of selections) {
    for (const target of targetsIn(document, selection, shapes)) {
      const { line, character } = target.range.start;
      targets.set(`${line} ${character}`, target);
      if (ids.add(target.id).size > MAX_IDS) {
        throw new UserFacingError(l10n.t('Select at most {0} different IDs.', formatCount(MAX_IDS)));
      }
    }
  }
  return { editor, targets: [...targets.values()] };
}

function* targetsIn(document: TextDocument, selection: Selection, shapes: IdMatcher): Generator<Target> {
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
  const [only, another] = text.length < MAX_IDS ? parseIds(text) : [];
  const isOne = only && !another;
  let hasAny = false;
  for (const found of findIds(text, shapes)) {
    if (!isOne && !isValue(text, found, isProgram(document))) continue;
    hasAny = true;
    yield { id: found.id, range: place(found.start, found.end) };
  }
  // What is selected by itself is meant to be one, whatever it looks like.
  if (isOne && !hasAny) {
    const from = text.indexOf(only);
    yield { id: only, range: place(from, from + only.length) };
  }
}
