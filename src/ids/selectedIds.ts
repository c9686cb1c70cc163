/** Finds the IDs selected in an editor. */
import { l10n, Range, type Selection, type TextDocument, type TextEditor } from 'vscode';
import { narrow, parseIds } from '../markup/pastedIds.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { isIdentifier } from '../service/fields.ts';
import { findIds, type IdMatcher, idAt, isProgram, isValue } from './findIds.ts';

/** An ID and its place in a document. */
interface Target {
  readonly id: string;
  /** How it stands there: perhaps in wide digits. */
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
    // Wide digits aren't there as they are looked up.
    const from = narrow(text).indexOf(only);
    const to = from + only.length;
    yield { id: only, text: text.slice(from, to), range: rangeOf(from, to) };
  }
}
