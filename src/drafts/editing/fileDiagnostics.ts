/** Shows the problems of files of recipients, one for each row, while a draft that names them is open. */
import { Diagnostic, type DiagnosticCollection, DiagnosticSeverity, Range, type TextDocument, type Uri } from 'vscode';
import type { RowProblem } from '../../markup/recipientCsv.ts';
import { rowProblemText } from '../../presentation/rowProblemText.ts';
import type { RecipientFile } from '../recipients/recipientFiles.ts';

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

  /** Shows the problems of the file that a draft names now, if any, in place of the one before. */
  show(document: TextDocument, file: RecipientFile | undefined): void {
    const before = this.#files.get(document);
    if (file?.uri) this.#files.set(document, file.uri);
    else this.#files.delete(document);
    if (before && !this.#isNamed(before)) this.#collection.delete(before);
    if (file && 'table' in file) this.#collection.set(file.uri, diagnosticsOf(file.table.problems));
    else if (file?.uri) this.#collection.delete(file.uri);
  }

  #isNamed(uri: Uri): boolean {
    return [...this.#files.values()].some((one) => one.toString() === uri.toString());
  }
}

/** Errors first, if there are too many. */
const diagnosticsOf = (problems: readonly RowProblem[]) =>
  ['error', 'warning']
    .flatMap((level) => problems.filter(({ severity }) => severity === level))
    .slice(0, MAX_SHOWN)
    .map(diagnosticOf);

function diagnosticOf({ code, severity, line, args }: RowProblem): Diagnostic {
  const range = new Range(line - 1, 0, line - 1, LINE_END);
  const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
  const diagnostic = new Diagnostic(range, rowProblemText({ code, args }), level);
  diagnostic.source = 'Bot Chats';
  diagnostic.code = code;
  return diagnostic;
}
