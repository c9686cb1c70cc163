/** Writing drafts, wired to VS Code: loaded when a Markdown document with front matter is there. */
import { CodeActionKind, type Disposable, EventEmitter, languages, type TextDocument, workspace } from 'vscode';
import type { Connection } from '../../platform/connection.ts';
import { onDidChangeSettings } from '../../platform/settings.ts';
import type { Reference } from '../../service/model.ts';
import type { createEditing } from './createEditing.ts';

type Editing = ReturnType<typeof createEditing>;

export interface EditingNeeds {
  connection: Connection;
}

const MARKDOWN = { language: 'markdown' };
/** Documents are checked this long after the last change (milliseconds). */
const PAUSE = 200;

type Later = () => Promise<Pick<typeof import('./createEditing.ts'), 'createEditing'>>;

export function registerEditing(needs: EditingNeeds, later: Later) {
  const collection = languages.createDiagnosticCollection('botChats');
  const lensesChanged = new EventEmitter<void>();
  const waiting = new Map<TextDocument, ReturnType<typeof setTimeout>>();

  let loaded: Promise<Editing> | undefined;
  const editing = () => {
    loaded ??= later().then(({ createEditing }) => createEditing(needs, collection, checkAll));
    return loaded;
  };
  /** What helps with a document; undefined where it has no front matter. */
  const helping = async (document: TextDocument) => (hasFrontMatter(document) ? editing() : undefined);

  // Most documents have none, and VS Code would tell everybody of nothing.
  const clear = ({ uri }: TextDocument) => {
    if (collection.has(uri)) collection.delete(uri);
  };
  const check = (document: TextDocument) => {
    if (document.languageId !== 'markdown' || !isWritten(document)) return;
    clearTimeout(waiting.get(document));
    const run = async () => {
      waiting.delete(document);
      const help = await helping(document);
      if (help) await help.check(document);
      else clear(document);
    };
    waiting.set(document, setTimeout(run, PAUSE));
  };
  const checkAll = () => workspace.textDocuments.forEach(check);
  const forget = (document: TextDocument) => {
    clearTimeout(waiting.get(document));
    waiting.delete(document);
    clear(document);
  };
  const readAnew = async () => {
    (await loaded)?.readAnew();
    checkAll();
    lensesChanged.fire();
  };
  checkAll();

  const disposables: Disposable[] = [
    collection,
    lensesChanged,
    workspace.onDidOpenTextDocument(check),
    workspace.onDidChangeTextDocument(({ document }) => check(document)),
    workspace.onDidCloseTextDocument(forget),
    onDidChangeSettings(['sending', 'audiences'], readAnew),
    needs.connection.onDidChange(checkAll),
    languages.registerCodeActionsProvider(
      MARKDOWN,
      {
        provideCodeActions: async (document, range, context) =>
          (await helping(document))?.fixes(document, range, context),
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
    languages.registerCompletionItemProvider(
      MARKDOWN,
      {
        provideCompletionItems: async (document, position) =>
          (await helping(document))?.completions(document, position),
      },
      ' ',
      '[',
    ),
    languages.registerHoverProvider(MARKDOWN, {
      provideHover: async (document, position) => (await helping(document))?.hover(document, position),
    }),
    languages.registerCodeLensProvider(MARKDOWN, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) => (await helping(document))?.lenses(document),
    }),
    {
      dispose: () => {
        for (const document of [...waiting.keys()]) forget(document);
        void loaded?.then((help) => help.dispose());
      },
    },
  ];
  return {
    disposables,
    /** All that drafts which are open and audiences name. */
    named: async (): Promise<readonly Reference[]> => {
      const drafts = workspace.textDocuments.filter((one) => one.languageId === 'markdown' && hasFrontMatter(one));
      const hasAudiences = Object.keys(workspace.getConfiguration('botChats').get('audiences') ?? {}).length > 0;
      return drafts.length > 0 || hasAudiences ? (await editing()).named(drafts) : [];
    },
  };
}

const hasFrontMatter = (document: TextDocument) => document.lineAt(0).text.startsWith('---');

/** Not what an editor shows of another version, or of a report. */
const isWritten = ({ uri: { scheme } }: TextDocument) =>
  scheme === 'untitled' || workspace.fs.isWritableFileSystem(scheme) === true;
