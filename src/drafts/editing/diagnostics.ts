/** Problems of drafts as VS Code shows them. */
import { Diagnostic, type DiagnosticCollection, DiagnosticSeverity, Range, type TextDocument } from 'vscode';
import type { Directory } from '../../directory/directory.ts';
import type { Connection } from '../../platform/connection.ts';
import type { ParsedDraft, Problem } from '../document/readDraft.ts';
import type { DraftCache } from './draftCache.ts';
import { problemText } from './problemText.ts';

const SEVERITY = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning };

export class Diagnostics {
  readonly #readings: DraftCache;
  readonly #connection: Connection;
  readonly #collection: DiagnosticCollection;
  readonly #again: () => void;
  #directory: Directory | undefined;
  #stop: (() => void) | undefined;

  /** `again` is called when more is known of recipients than at the last checks. */
  constructor(readings: DraftCache, connection: Connection, collection: DiagnosticCollection, again: () => void) {
    this.#readings = readings;
    this.#connection = connection;
    this.#collection = collection;
    this.#again = again;
  }

  /** Shows what is wrong in a document that says how it is sent. Makes no request. */
  async check(document: TextDocument): Promise<void> {
    const { version, uri } = document;
    const reading = this.#readings.of(document);
    if (!reading.hasBlock) {
      if (this.#collection.has(uri)) this.#collection.delete(uri);
      return;
    }
    const problems = [...reading.problems, ...(await this.#unknown(reading))];
    // Whatever came in between is checked in its turn.
    if (document.isClosed || document.version !== version) return;
    this.#collection.set(
      uri,
      problems.map((problem) => diagnosticOf(problem, document)),
    );
  }

  dispose(): void {
    this.#stop?.();
  }

  /** Those that were looked up before, and not found. */
  async #unknown({ bot, recipients }: ParsedDraft): Promise<Problem[]> {
    const chats = recipients.map(({ type, ...one }) => ({ kind: type, ...one }));
    const all = [...(bot ? [{ kind: 'bot' as const, ...bot }] : []), ...chats];
    if (all.length === 0 || (await this.#connection.state()) === 'none') return [];
    const service = await this.#connection.open().catch(() => undefined);
    if (!service) return [];
    const { directory } = service;
    if (this.#directory !== directory) {
      this.#stop?.();
      this.#directory = directory;
      this.#stop = directory.onDidChange(this.#again);
    }
    return all
      .filter(({ kind, id }) => directory.has(kind, id) && !directory.peek(kind, id))
      .map(({ kind, id, start, end }) => ({
        code: 'unknownRecipient',
        severity: 'warning',
        args: [kind, id],
        start,
        end,
      }));
  }
}

function diagnosticOf(problem: Problem, document: TextDocument): Diagnostic {
  const range = new Range(document.positionAt(problem.start), document.positionAt(problem.end));
  const diagnostic = new Diagnostic(range, problemText(problem), SEVERITY[problem.severity]);
  diagnostic.source = 'Bot Chats';
  diagnostic.code = problem.code;
  return diagnostic;
}
