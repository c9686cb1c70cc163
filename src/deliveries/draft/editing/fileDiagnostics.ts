/** Shows the problems of files of recipients and of exceptions, one for each row, while a draft that names them is open. */
import { Diagnostic, type DiagnosticCollection, DiagnosticSeverity, Range, type TextDocument, type Uri } from 'vscode';
import type { RowProblem } from '../../../presentation/recipientCsv.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import { isOnlyOfValues } from '../recipients/fileProblems.ts';
import type { RecipientFile } from '../recipients/recipientFiles.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';
import { unknownRecipientText } from '../unknownRecipients.ts';

/** A file may repeat all of its rows. */
const MAX_SHOWN = 1_000;

/** Longer than any line that is shown. */
const LINE_END = 10_000;

interface ShownFiles {
  readonly file?: RecipientFile | undefined;
  /** The recipients in it that don't exist: the objects in its table. */
  readonly unknown?: ReadonlySet<Chat>;
  readonly exceptFile?: RecipientFile | undefined;
}

export class FileDiagnostics {
  readonly #collection: DiagnosticCollection;
  /** The files of each open draft. */
  readonly #files = new Map<TextDocument, readonly Uri[]>();

  constructor(collection: DiagnosticCollection) {
    this.#collection = collection;
  }

  /** Shows the problems of the files that a draft names now, in place of those before. */
  show(document: TextDocument, { file, unknown = new Set(), exceptFile }: ShownFiles): void {
    const before = this.#files.get(document) ?? [];
    const now = [file?.uri, exceptFile?.uri].filter((uri) => uri !== undefined);
    if (now.length > 0) this.#files.set(document, now);
    else this.#files.delete(document);
    for (const uri of before) if (!this.#isNamed(uri)) this.#collection.delete(uri);
    // A file named as both is shown as the recipients' file, whose values are checked.
    if (exceptFile && String(exceptFile.uri) !== String(file?.uri)) this.#showFile(exceptFile, exceptDiagnosticsOf);
    if (file) this.#showFile(file, (table) => diagnosticsOf(table, unknown));
  }

  #showFile(file: RecipientFile, find: (table: RecipientTable) => Diagnostic[]): void {
    if ('table' in file) this.#collection.set(file.uri, find(file.table));
    else if (file.uri) this.#collection.delete(file.uri);
  }

  #isNamed(uri: Uri): boolean {
    return [...this.#files.values()].flat().some((one) => one.toString() === uri.toString());
  }
}

/** Those under `except:` have no messages, and thus no values. */
const exceptDiagnosticsOf = ({ problems }: RecipientTable): Diagnostic[] =>
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
