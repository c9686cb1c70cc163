/** Shows the problems of files of recipients, one for each row, while a draft that names them is open. */
import { Diagnostic, type DiagnosticCollection, DiagnosticSeverity, Range, type TextDocument, type Uri } from 'vscode';
import type { RowProblem } from '../../../presentation/recipientCsv.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import type { RecipientFile } from '../recipients/recipientFiles.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';
import { unknownRecipientText } from '../unknownRecipients.ts';

/** A file may repeat all of its rows. */
const MAX_SHOWN = 1_000;

/** Longer than any line that is shown. */
const LINE_END = 10_000;

export class FileDiagnostics {
  readonly #collection: DiagnosticCollection;
  /** The file of each open draft. */
  readonly #files = new Map<TextDocument, Uri>();

  constructor(collection: DiagnosticCollection) {
    this.#collection = collection;
  }

  /**
   * Shows the problems of the file that a draft names now, if any, in place of the one before. `unknown` are the recipients
   * that don't exist: the objects in its table.
   */
  show(document: TextDocument, file: RecipientFile | undefined, unknown: ReadonlySet<Chat> = new Set()): void {
    const before = this.#files.get(document);
    if (file?.uri) this.#files.set(document, file.uri);
    else this.#files.delete(document);
    if (before && !this.#isNamed(before)) this.#collection.delete(before);
    if (file && 'table' in file) this.#collection.set(file.uri, diagnosticsOf(file.table, unknown));
    else if (file?.uri) this.#collection.delete(file.uri);
  }

  #isNamed(uri: Uri): boolean {
    return [...this.#files.values()].some((one) => one.toString() === uri.toString());
  }
}

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
