/** Writing drafts, wired to VS Code: loaded when a Markdown document with front matter is there. */
import { CodeActionKind, type Disposable, EventEmitter, languages, type TextDocument, workspace } from 'vscode';
import type { Reference } from '../../service/model.ts';
import type { createEditing, EditingHost } from './createEditing.ts';

type Editing = ReturnType<typeof createEditing>;

const MARKDOWN = { language: 'markdown' };
/** Documents are checked this long after the last change (milliseconds). */
const CHECK_DELAY = 200;

type Load = () => Promise<Pick<typeof import('./createEditing.ts'), 'createEditing'>>;

export function registerEditing(host: EditingHost, load: Load): Disposable[] {
  const collection = languages.createDiagnosticCollection('botChats');
  const lensesChanged = new EventEmitter<void>();
  const waiting = new Map<TextDocument, ReturnType<typeof setTimeout>>();

  let loaded: Promise<Editing> | undefined;
  const editing = () => {
    loaded ??= load().then(({ createEditing }) => createEditing(host, collection, checkAll));
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
    waiting.set(document, setTimeout(run, CHECK_DELAY));
  };
  const checkAll = () => workspace.textDocuments.forEach(check);
  const forget = (document: TextDocument) => {
    clearTimeout(waiting.get(document));
    waiting.delete(document);
    clear(document);
  };
  const settingsChanged = async () => {
    (await loaded)?.clear();
    checkAll();
    lensesChanged.fire();
  };
  checkAll();

  /** All that open drafts and audiences name. */
  const mentioned = async (): Promise<readonly Reference[]> => {
    const drafts = workspace.textDocuments.filter((one) => one.languageId === 'markdown' && hasFrontMatter(one));
    const hasAudiences = host.audiences.read().audiences.size > 0;
    return drafts.length > 0 || hasAudiences ? (await editing()).mentioned(drafts) : [];
  };

  return [
    host.mentionedIds.addSource(mentioned),
    collection,
    lensesChanged,
    workspace.onDidOpenTextDocument(check),
    workspace.onDidChangeTextDocument(({ document }) => check(document)),
    workspace.onDidCloseTextDocument(forget),
    host.settings.onDidChange(['sending', 'audiences'], settingsChanged),
    host.connection.onDidChange(checkAll),
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
}

const hasFrontMatter = (document: TextDocument) => document.lineAt(0).text.startsWith('---');

/** Not what an editor shows of another version, or of a report. */
const isWritten = ({ uri: { scheme } }: TextDocument) =>
  scheme === 'untitled' || workspace.fs.isWritableFileSystem(scheme) === true;
