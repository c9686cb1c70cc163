/** Documents and editors of the stub of `vscode`. Nobody types: tests apply edits. */
import type { URI } from 'vscode-uri';
import { filesOf } from './vscode-files.ts';
import {
  type Diagnostic,
  Position,
  Range,
  Selection,
  type SnippetString,
  SnippetTextEdit,
  TextEdit,
  type WorkspaceEdit,
} from './vscode-text.ts';
import { Disposable, EventEmitter, Uri } from './vscode-values.ts';

const LANGUAGES: { readonly [extension: string]: string } = {
  md: 'markdown',
  html: 'html',
  json: 'json',
  py: 'python',
  yaml: 'yaml',
};

class TextDocument {
  readonly uri: URI;
  languageId: string;
  version = 1;
  isDirty = false;
  isClosed = false;
  #text = '';
  /** Their text, and the offsets at which they start. */
  #lines: readonly { start: number; text: string }[] = [];

  constructor(uri: URI, languageId: string, text: string) {
    [this.uri, this.languageId] = [uri, languageId];
    this.#setText(text);
  }

  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }
  get lineCount(): number {
    return this.#lines.length;
  }
  getText(range?: Range): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text;
  }
  lineAt(at: number | Position): { text: string; range: Range } {
    const number = typeof at === 'number' ? at : at.line;
    const line = this.#lines[number];
    if (!line) throw new Error('Illegal value for `line`');
    return { text: line.text, range: new Range(number, 0, number, line.text.length) };
  }
  offsetAt({ line, character }: Position): number {
    const found = this.#lines[line];
    return found ? found.start + Math.min(character, found.text.length) : this.#text.length;
  }
  positionAt(offset: number): Position {
    const lines = this.#lines;
    const line = Math.max(
      0,
      lines.findLastIndex(({ start }) => start <= offset),
    );
    const { start, text } = lines[line] ?? { start: 0, text: '' };
    return new Position(line, Math.min(Math.max(0, offset - start), text.length));
  }
  getWordRangeAtPosition({ line, character }: Position, word: RegExp): Range | undefined {
    for (const { 0: found, index } of this.lineAt(line).text.matchAll(new RegExp(word, 'g')))
      if (index <= character && character <= index + found.length)
        return new Range(line, index, line, index + found.length);
    return undefined;
  }

  edit(edits: readonly TextEdit[]): void {
    const pieces = edits.map(
      ({ range, newText }) => [this.offsetAt(range.start), this.offsetAt(range.end), newText] as const,
    );
    const contentChanges = edits.map(({ range, newText }) => {
      const [rangeOffset, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
      return { range, rangeOffset, rangeLength: end - rangeOffset, text: newText };
    });
    let text = this.#text;
    for (const [start, end, by] of pieces.toSorted((one, other) => other[0] - one[0]))
      text = text.slice(0, start) + by + text.slice(end);
    this.#setText(text);
    this.isDirty = true;
    this.version++;
    changed.fire({ document: this, contentChanges });
  }
  async save(): Promise<boolean> {
    willSave.fire({ document: this });
    await filesOf(this.uri).writeFile(this.uri, new TextEncoder().encode(this.#text));
    this.isDirty = false;
    saved.fire(this);
    return true;
  }

  #setText(text: string): void {
    this.#text = text;
    const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)];
    this.#lines = starts.map((start, at) => ({
      start,
      text: text.slice(start, starts[at + 1]).replace(/[\r\n]+$/, ''),
    }));
  }
}

export const openDocuments: TextDocument[] = [];
export const opened = new EventEmitter<TextDocument>();
export const closed = new EventEmitter<TextDocument>();
export const changed = new EventEmitter<{ document: TextDocument; contentChanges: readonly object[] }>();
export const willSave = new EventEmitter<{ document: TextDocument }>();
export const saved = new EventEmitter<TextDocument>();
let untitled = 0;

function addDocument(uri: URI, languageId: string, text: string): TextDocument {
  const document = new TextDocument(uri, languageId, text);
  openDocuments.push(document);
  opened.fire(document);
  return document;
}

/** Opens a document, or returns the open one. */
export async function openTextDocument(what: URI | { language?: string; content?: string }): Promise<TextDocument> {
  if (!(what instanceof Uri)) {
    const uri = Uri.from({ scheme: 'untitled', path: `Untitled-${++untitled}` });
    return addDocument(uri, what.language ?? 'plaintext', what.content ?? '');
  }
  const known = openDocuments.find(({ uri }) => `${uri}` === `${what}`);
  if (known) return known;
  const text = what.scheme === 'untitled' ? '' : new TextDecoder().decode(await filesOf(what).readFile(what));
  return addDocument(what, LANGUAGES[what.path.split('.').at(-1) ?? ''] ?? 'plaintext', text);
}

export async function applyEdit(edit: WorkspaceEdit): Promise<boolean> {
  for (const [uri, edits] of edit.entries()) {
    const document = await openTextDocument(uri);
    document.edit(
      edits.map((one) =>
        // Without the places for the cursor.
        one instanceof SnippetTextEdit ? new TextEdit(one.range, plainText(one.snippet)) : one,
      ),
    );
  }
  return true;
}

/** The text of a snippet, without its tab stops. */
const plainText = ({ value }: SnippetString) => value.replace(/\\([$}\\])|\$\d/g, '$1');

/** Closes all documents and editors, without saving. */
export function closeDocuments(): void {
  shown = [];
  for (const document of [...openDocuments]) closeDocument(document);
}

export function closeDocument(document: object): void {
  const [found] = openDocuments.splice(openDocuments.indexOf(document as TextDocument), 1);
  if (!found) return;
  found.isClosed = true;
  closed.fire(found);
}

class TextEditor {
  readonly document: TextDocument;
  readonly viewColumn: number;
  selections: readonly Selection[] = [new Selection(0, 0, 0, 0)];
  visibleRanges: readonly Range[];

  constructor(document: TextDocument, viewColumn: number) {
    [this.document, this.viewColumn] = [document, viewColumn];
    this.visibleRanges = [this.#screenFrom(0)];
  }

  get selection(): Selection {
    return this.selections[0] as Selection;
  }
  set selection(selection: Selection) {
    this.selections = [selection];
  }
  async edit(build: (builder: { replace(range: Range, text: string): void }) => void): Promise<boolean> {
    if (!shown.includes(this)) throw new Error('TextEditor#edit not possible on closed editors');
    const edits: TextEdit[] = [];
    build({ replace: (range, text) => void edits.push(new TextEdit(range, text)) });
    this.document.edit(edits);
    return true;
  }
  async insertSnippet(snippet: SnippetString): Promise<boolean> {
    const { start, end } = this.selection;
    this.document.edit([new TextEdit(new Range(start, end), plainText(snippet))]);
    return true;
  }
  revealRange({ start }: Range): void {
    this.visibleRanges = [this.#screenFrom(start.line)];
    scrolled.fire({ textEditor: this, visibleRanges: this.visibleRanges });
  }
  #screenFrom(line: number): Range {
    return new Range(line, 0, Math.min(line + 30, this.document.lineCount - 1), 0);
  }
}

export const scrolled = new EventEmitter<{ textEditor: TextEditor; visibleRanges: readonly Range[] }>();
export const activated = new EventEmitter<TextEditor | undefined>();
/** One for each column, the active one last. */
let shown: TextEditor[] = [];

export const shownEditors = (): readonly TextEditor[] => shown;

export async function showTextDocument(
  what: URI | TextDocument,
  { selection, viewColumn = 1 }: { selection?: Range; viewColumn?: number } = {},
): Promise<TextEditor> {
  const document = what instanceof TextDocument ? what : await openTextDocument(what);
  const editor = shown.find((one) => one.document === document) ?? new TextEditor(document, viewColumn);
  if (selection) editor.selection = new Selection(selection.start, selection.end);
  shown = [...shown.filter((one) => one.viewColumn !== editor.viewColumn), editor];
  activated.fire(editor);
  return editor;
}

const collections = new Set<Map<string, readonly Diagnostic[]>>();
const diagnosed = new EventEmitter<{ uris: readonly URI[] }>();
const noProvider = () => new Disposable(() => {});

/** Nothing asks the providers: tests do. */
export const languages = {
  async setTextDocumentLanguage(document: TextDocument, languageId: string): Promise<TextDocument> {
    closed.fire(document);
    document.languageId = languageId;
    opened.fire(document);
    return document;
  },
  createDiagnosticCollection() {
    const all = new Map<string, readonly Diagnostic[]>();
    collections.add(all);
    return {
      has: (uri: URI) => all.has(`${uri}`),
      set: (uri: URI, diagnostics: readonly Diagnostic[]) => {
        all.set(`${uri}`, diagnostics);
        diagnosed.fire({ uris: [uri] });
      },
      delete: (uri: URI) => {
        all.delete(`${uri}`);
        diagnosed.fire({ uris: [uri] });
      },
      dispose: () => void collections.delete(all),
    };
  },
  getDiagnostics: (uri: URI): Diagnostic[] => [...collections].flatMap((all) => all.get(`${uri}`) ?? []),
  onDidChangeDiagnostics: diagnosed.event,
  registerCodeActionsProvider: noProvider,
  registerCodeLensProvider: noProvider,
  registerCompletionItemProvider: noProvider,
  registerDocumentLinkProvider: noProvider,
  registerHoverProvider: noProvider,
  registerInlayHintsProvider: noProvider,
};
