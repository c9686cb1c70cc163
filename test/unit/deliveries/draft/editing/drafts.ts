import {
  type CompletionItem,
  type Diagnostic,
  type FileSystemProvider,
  FileType,
  languages,
  type Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { MessageEdits } from '../../../../../src/deliveries/contract.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { createEditing } from '../../../../../src/deliveries/draft/editing/createEditing.ts';
import { askedAt } from '../../../../../src/deliveries/draft/editing/keySuggestions.ts';
import type { Connection } from '../../../../../src/platform/service.ts';
import { temporaryPath } from '../../../../host/temporary.ts';
import { until } from '../../../deferred.ts';
import { newHost } from '../../../test-host.ts';
import { newConnection } from '../../../test-service.ts';
import { closeDocuments } from '../../../vscode-editors.ts';

/** The help for editing drafts that the tests of a suite use, without its registration. */
class TestEditing {
  connection!: Connection;
  help!: ReturnType<typeof createEditing>;

  start(edits?: MessageEdits): void {
    this.connection = newConnection();
    const host = newHost({ connection: this.connection, ...(edits && { edits }) });
    const collection = languages.createDiagnosticCollection('botChats');
    this.help = createEditing(host, new DraftReader(host), collection, () => {});
  }

  /** What is offered at a position; undefined if nothing can be there. */
  offered(document: TextDocument, position: Position): Promise<CompletionItem[] | undefined> {
    return this.help.completions(askedAt(document, position));
  }

  /** What is offered at `|` in a block, for a draft beside files of these names. */
  async offeredIn(block: readonly string[], files?: Readonly<Record<string, string>>): Promise<CompletionItem[]> {
    const marked = ['---', 'chat:', ...block.map((line) => `  ${line}`), '---', '', 'Hi'].join('\n');
    const { document, position } = await openAt(marked, files);
    return (await this.offered(document, position)) ?? [];
  }

  stop(): void {
    closeDocuments();
    this.help.dispose();
    this.connection.dispose();
  }
}

/** Help with drafts for each test of a suite. `edits` are those of scheduled messages. */
export function useEditing(edits?: MessageEdits): TestEditing {
  const editing = new TestEditing();
  beforeEach(() => editing.start(edits));
  afterEach(() => editing.stop());
  return editing;
}

/** Opens a draft without the `|` in it, where the cursor is: beside files of these names, or a new one. */
export async function openAt(marked: string, files?: Readonly<Record<string, string>>) {
  const text = marked.replace('|', '');
  const document = await (files ? openBeside(files, text) : openDraft(text));
  return { document, position: document.positionAt(marked.indexOf('|')) };
}

/** Opens a draft beside files of these names. */
export async function openBeside(files: Readonly<Record<string, string>>, ...lines: string[]): Promise<TextDocument> {
  const { write, open } = newFolder();
  for (const [name, content] of Object.entries(files)) await write(name, content);
  await write('order.md', ...lines);
  return open('order.md');
}

/** A new folder for drafts and the files beside them. */
export function newFolder() {
  const folder = Uri.file(temporaryPath('drafts'));
  const uriOf = (name: string) => Uri.joinPath(folder, name);
  return {
    uriOf,
    write: (name: string, ...lines: readonly string[]) =>
      workspace.fs.writeFile(uriOf(name), new TextEncoder().encode(lines.join('\n'))),
    open: (name: string) => workspace.openTextDocument(uriOf(name)),
  };
}

/** Opens a new Markdown document. */
export const openDraft = (...lines: string[]): PromiseLike<TextDocument> =>
  workspace.openTextDocument({ language: 'markdown', content: lines.join('\n') });

/** Opens a draft with these lines in its block. */
export const openWithBlock = (...lines: string[]) =>
  openDraft('---', 'chat:', ...lines.map((line) => `  ${line}`), '---', '', 'Hi');

/** Opens what Git's HEAD has of a draft, as a diff does. */
export async function openInHead(...lines: string[]): Promise<TextDocument> {
  const provider = {
    stat: () => ({ type: FileType.File, ctime: 0, mtime: 1, size: 1 }),
    readFile: () => new TextEncoder().encode(lines.join('\n')),
  } as unknown as FileSystemProvider;
  workspace.registerFileSystemProvider('git', provider, { isReadonly: true });
  const query = JSON.stringify({ path: '/a.md', ref: 'HEAD' });
  return workspace.openTextDocument(Uri.from({ scheme: 'git', path: '/a.md', query }));
}

/** The range of the last place of a text. */
export function rangeOf(document: TextDocument, text: string): Range {
  const start = document.getText().lastIndexOf(text);
  return new Range(document.positionAt(start), document.positionAt(start + text.length));
}

export async function replaceText(document: TextDocument, text: string, by: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, text), by);
  await workspace.applyEdit(edit);
}

/** Resolves to the diagnostics of a document, or of another file, once they fulfill a condition. */
export async function diagnosticsOf(uri: Uri, holds: (all: readonly Diagnostic[]) => boolean): Promise<Diagnostic[]> {
  await until(languages.onDidChangeDiagnostics, () => holds(languages.getDiagnostics(uri)));
  return languages.getDiagnostics(uri);
}
