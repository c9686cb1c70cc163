/** Quick fixes of a draft. */
import { CodeAction, type CodeActionContext, CodeActionKind, Range, type TextDocument, WorkspaceEdit } from 'vscode';
import type { DraftCache } from './draftCache.ts';
import { fixText, problemText } from './problemText.ts';

/** What mends the problems that a range touches. */
export function fixesFor(
  document: TextDocument,
  range: Range,
  context: CodeActionContext,
  readings: DraftCache,
): CodeAction[] {
  const { hasBlock, problems } = readings.of(document);
  if (!hasBlock) return [];
  const rangeOf = (start: number, end: number) => new Range(document.positionAt(start), document.positionAt(end));
  return problems.flatMap((problem) => {
    const place = rangeOf(problem.start, problem.end);
    if (!problem.fixes || !place.intersection(range)) return [];
    const text = problemText(problem);
    const mended = context.diagnostics.filter(({ message, range }) => message === text && range.isEqual(place));
    return problem.fixes.map((fix) => {
      const action = new CodeAction(fixText(fix), CodeActionKind.QuickFix);
      action.diagnostics = mended;
      action.isPreferred = problem.fixes?.length === 1;
      action.edit = new WorkspaceEdit();
      for (const { start, end, text } of fix.edits) action.edit.replace(document.uri, rangeOf(start, end), text);
      return action;
    });
  });
}
