/** Shows the problems of the files that drafts name, one for each row, while a draft that names them is open. */
import { Diagnostic, type DiagnosticCollection, DiagnosticSeverity, Range, type TextDocument, type Uri } from 'vscode';
import type { RowProblem } from '../../../presentation/recipientCsv.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import type { DraftFile } from '../recipients/recipientFiles.ts';
import { isOnlyOfValues } from '../recipients/recipientProblems.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';
import { unknownRecipientText } from '../unknownRecipients.ts';

/** A file may repeat all of its rows. */
const MAX_SHOWN = 1_000;

/** Longer than any line that is shown. */
const LINE_END = 10_000;

export class FileDiagnostics {
  readonly #collection: DiagnosticCollection;
  /** The files of each open draft. */
  readonly #files = new Map<TextDocument, readonly Uri[]>();

  constructor(collection: DiagnosticCollection) {
    this.#collection = collection;
  }

  /**
   * Shows the problems of the files that a draft names now, in place of those before. `unknown` are the recipients that don't
   * exist: the objects in their table.
   */
  show(document: TextDocument, files: readonly DraftFile[], unknown: ReadonlySet<Chat> = new Set()): void {
    const before = this.#files.get(document) ?? [];
    const now = files.flatMap(({ file }) => file.uri ?? []);
    if (now.length > 0) this.#files.set(document, now);
    else this.#files.delete(document);
    for (const uri of before) if (!this.#isNamed(uri)) this.#collection.delete(uri);
    // One that is named several times is shown as the first of them: the recipients' own, whose values are checked.
    for (const { named, file } of files.toReversed()) {
      const find = named.role === 'recipients' ? diagnosticsOf : ruleDiagnosticsOf;
      if ('table' in file) this.#collection.set(file.uri, find(file.table, unknown));
      else if (file.uri) this.#collection.delete(file.uri);
    }
  }

  #isNamed(uri: Uri): boolean {
    return [...this.#files.values()].flat().some((one) => one.toString() === uri.toString());
  }
}

/** The chats of a rule have no messages, and thus no values. */
const ruleDiagnosticsOf = ({ problems }: RecipientTable): Diagnostic[] =>
  problems
    .filter((one) => one.severity === 'error' && !isOnlyOfValues(one))
    .slice(0, MAX_SHOWN)
    .map((one) => diagnosticOf(one, DiagnosticSeverity.Error));

/** Errors first, if there are too many. */
function diagnosticsOf({ problems, rows }: RecipientTable, unknown: ReadonlySet<Chat>): Diagnostic[] {
  const ofLevel = (level: RowProblem['severity']) => problems.filter(({ severity }) => severity === level);
  const missing = Array.from(unknown, (chat) => ({
    line: rows.get(chatKey(chat))?.line ?? 1,
    text: unknownRecipientText(chat),
  }));
  return [
    ...ofLevel('error').map((one) => diagnosticOf(one, DiagnosticSeverity.Error)),
    ...missing.map((one) => diagnosticOf(one, DiagnosticSeverity.Warning)),
    ...ofLevel('warning').map((one) => diagnosticOf(one, DiagnosticSeverity.Warning)),
  ].slice(0, MAX_SHOWN);
}

function diagnosticOf({ line, text }: Pick<RowProblem, 'line' | 'text'>, level: DiagnosticSeverity): Diagnostic {
  const range = new Range(line - 1, 0, line - 1, LINE_END);
  const diagnostic = new Diagnostic(range, text, level);
  diagnostic.source = 'Bot Chats';
  return diagnostic;
}
