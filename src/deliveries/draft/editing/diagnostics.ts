/** Shows the problems of drafts and of the rows in the files that they name, and offers quick fixes. */
import {
  type CodeActionContext,
  CodeActionKind,
  type DiagnosticCollection,
  DiagnosticSeverity,
  Range,
  SnippetString,
  SnippetTextEdit,
  type TextDocument,
  TextEdit,
  type Uri,
  WorkspaceEdit,
} from 'vscode';
import type { Directory } from '../../../directory/directory.ts';
import type { Connection } from '../../../platform/service.ts';
import type { RowProblem } from '../../../presentation/recipientCsv.ts';
import { QuickFix, ShownDiagnostic } from '../../../presentation/shown.ts';
import { type Chat, chatKey } from '../../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, type Problem, problemsWhileWriting } from '../document/problem.ts';
import { type DraftFile, fileOf, type RecipientFile } from '../recipients/recipientFiles.ts';
import { isOnlyOfValues } from '../recipients/recipientProblems.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';
import { DirectoryListener, unknownAmong, unknownRecipients, unknownRecipientText } from '../unknownRecipients.ts';
import { SAVE } from './completion.ts';
import type { DraftCache } from './draftCache.ts';

const SEVERITY = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Information,
};

/** How many problems of rows are shown: a file may repeat all of its rows. */
const MAX_ROWS_SHOWN = 1_000;

/** A column beyond the end of any line that is shown. */
const LINE_END = 10_000;

export class Diagnostics {
  readonly #drafts: DraftCache;
  readonly #connection: Connection;
  readonly #collection: DiagnosticCollection;
  readonly #listener: DirectoryListener;
  /** What each document shows, and for which version. */
  readonly #shown = new WeakMap<TextDocument, { version: number; problems: readonly Problem[] }>();
  /** The files of each open draft. */
  readonly #files = new Map<TextDocument, readonly Uri[]>();

  /** Calls `onDirectoryChange` when recipients may have been found, or not found. */
  constructor(
    drafts: DraftCache,
    connection: Connection,
    collection: DiagnosticCollection,
    onDirectoryChange: () => void,
  ) {
    this.#drafts = drafts;
    this.#connection = connection;
    this.#collection = collection;
    this.#listener = new DirectoryListener(onDirectoryChange);
  }

  /** Shows the problems of a document that has a `chat:` block. Makes no request. */
  async check(document: TextDocument): Promise<void> {
    const { version, uri } = document;
    const draft = this.#drafts.get(document);
    if (!draft.hasBlock) return this.forget(document);
    const { files, problems: known } = await this.#drafts.read(document);
    const file = fileOf(files, 'recipients');
    const directory = await this.#directoryOf(draft, file);
    const unknown = directory ? unknownRecipients(draft, directory) : [];
    const problems = [...problemsWhileWriting(known, document), ...unknown];
    const rows = directory && file && 'table' in file ? Array.from(file.table.rows.values(), ({ chat }) => chat) : [];
    const unknownChats = directory ? await unknownAmong(rows, directory) : new Set<Chat>();
    // A newer version has a check of its own.
    if (document.isClosed || document.version !== version) return;
    this.#showFiles(document, files, unknownChats);
    this.#shown.set(document, { version, problems });
    this.#collection.set(
      uri,
      problems.map((problem) => diagnosticOf(problem, document)),
    );
  }

  /** All problems of this version that are known, with unknown recipients once they are shown. */
  problems(document: TextDocument): readonly Problem[] {
    const shown = this.#shown.get(document);
    return shown?.version === document.version ? shown.problems : this.#drafts.problems(document);
  }

  /** The document was closed, or isn't a draft any more. */
  forget(document: TextDocument): void {
    if (this.#collection.has(document.uri)) this.#collection.delete(document.uri);
    this.#showFiles(document, []);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /**
   * Shows the problems of the files that a draft names now, in place of those before. `unknown` are the recipients that don't
   * exist: the objects in their table.
   */
  #showFiles(document: TextDocument, files: readonly DraftFile[], unknown: ReadonlySet<Chat> = new Set()): void {
    const before = this.#files.get(document) ?? [];
    const now = files.flatMap(({ file }) => file.uri ?? []);
    if (now.length > 0) this.#files.set(document, now);
    else this.#files.delete(document);
    const all = [...this.#files.values()].flat().map(String);
    for (const uri of before) if (!all.includes(String(uri))) this.#collection.delete(uri);
    // A file that is named several times is shown as the first: that of the recipients, whose values are checked.
    for (const { named, file } of files.toReversed()) {
      const problemsOf = named.role === 'recipients' ? rowProblems : ruleProblems;
      if ('table' in file) this.#collection.set(file.uri, problemsOf(file.table, unknown).map(rowDiagnosticOf));
      else if (file.uri) this.#collection.delete(file.uri);
    }
  }

  /** What is known of the IDs in a draft and its file, if they have any and a service is connected. */
  async #directoryOf(draft: ParsedDraft, file: RecipientFile | undefined): Promise<Directory | undefined> {
    const hasIds = draft.bot || draft.recipients.length > 0 || file;
    if (!hasIds || (await this.#connection.state()) === 'none') return undefined;
    const service = await this.#connection.open().catch(() => undefined);
    if (service) this.#listener.use(service.directory);
    return service?.directory;
  }
}

type ShownRow = Pick<RowProblem, 'line' | 'text' | 'severity'>;

/** The chats of a rule have no messages, and thus no values. */
const ruleProblems = ({ problems }: RecipientTable): ShownRow[] =>
  problems.filter((one) => one.severity === 'error' && !isOnlyOfValues(one)).slice(0, MAX_ROWS_SHOWN);

/** The problems of rows, errors first if there are too many. */
function rowProblems({ problems, rows }: RecipientTable, unknown: ReadonlySet<Chat>): ShownRow[] {
  const ofLevel = (level: RowProblem['severity']) => problems.filter(({ severity }) => severity === level);
  const missing = Array.from(unknown, (chat) => ({
    line: rows.get(chatKey(chat))?.line ?? 1,
    text: unknownRecipientText(chat),
    severity: 'warning' as const,
  }));
  return [...ofLevel('error'), ...missing, ...ofLevel('warning')].slice(0, MAX_ROWS_SHOWN);
}

const rowDiagnosticOf = ({ line, text, severity }: ShownRow) =>
  new ShownDiagnostic(new Range(line - 1, 0, line - 1, LINE_END), text, SEVERITY[severity]);

const diagnosticOf = ({ start, end, text, severity }: Problem, document: TextDocument) =>
  new ShownDiagnostic(new Range(document.positionAt(start), document.positionAt(end)), text, SEVERITY[severity]);

/** Quick fixes for the problems in a range. */
export async function quickFixes(
  document: TextDocument,
  range: Range,
  context: CodeActionContext,
  drafts: DraftCache,
): Promise<QuickFix[]> {
  if (!drafts.get(document).hasBlock) return [];
  const { version } = document;
  const { problems } = await drafts.read(document);
  // Fixes of an earlier version would change something else. VS Code asks again.
  if (document.version !== version) return [];
  const rangeOf = (start: number, end: number) => new Range(document.positionAt(start), document.positionAt(end));
  // A fix may be for several problems.
  const offered = new Set<Fix>();
  return problems.flatMap((problem) => {
    const place = rangeOf(problem.start, problem.end);
    if (!problem.fixes || !place.intersection(range)) return [];
    const fixed = context.diagnostics.filter(({ message, range }) => message === problem.text && range.isEqual(place));
    return problem.fixes.flatMap((fix) => {
      if (offered.has(fix)) return [];
      offered.add(fix);
      const action = new QuickFix(fix.title, CodeActionKind.QuickFix);
      action.diagnostics = fixed;
      action.isPreferred = problem.fixes?.length === 1;
      if (fix.saves) {
        action.command = SAVE;
        return action;
      }
      action.edit = new WorkspaceEdit();
      const edits = fix.edits.map(({ start, end, text, isSnippet }) =>
        isSnippet
          ? // In YAML, tabs don't indent.
            Object.assign(SnippetTextEdit.replace(rangeOf(start, end), new SnippetString(text)), {
              keepWhitespace: true,
            })
          : TextEdit.replace(rangeOf(start, end), text),
      );
      // The type doesn't say so, but an edit may have texts and snippets.
      action.edit.set(document.uri, edits as TextEdit[]);
      return action;
    });
  });
}
