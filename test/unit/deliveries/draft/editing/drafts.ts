import {
  type Diagnostic,
  type FileSystemProvider,
  FileType,
  languages,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { createEditing } from '../../../../../src/deliveries/draft/editing/createEditing.ts';
import { temporaryPath } from '../../../../host/temporary.ts';
import type { newHost } from '../../../test-host.ts';

/** The help for editing drafts, without its registration. */
export const newEditing = (host: ReturnType<typeof newHost>) =>
  createEditing(host, new DraftReader(host), languages.createDiagnosticCollection('botChats'), () => {});

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
  while (!holds(languages.getDiagnostics(uri))) {
    await new Promise<void>((resolve) => {
      const listening = languages.onDidChangeDiagnostics(() => {
        listening.dispose();
        resolve();
      });
    });
  }
  return languages.getDiagnostics(uri);
}
