/** Registers the language features for drafts. They load when a Markdown document may be one. */
import {
  CodeActionKind,
  type Disposable,
  EventEmitter,
  languages,
  type TextDocument,
  type TextDocumentChangeEvent,
  window,
  workspace,
} from 'vscode';
import { onDidChangeSettings } from '../../../platform/configuration.ts';
import { lazy } from '../../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../../platform/host.ts';
import { isEditable } from '../../../presentation/textEditors.ts';
import { timers } from '../../../service/clock.ts';
import type { Reference } from '../../../service/model.ts';
import type { MessageEdits } from '../../contract.ts';
import type { DraftReader } from '../draftReader.ts';
import { askedAt, type KeySuggestions } from './keySuggestions.ts';

const MARKDOWN = { language: 'markdown' };
/** How long after the last change a document is checked (milliseconds). */
const CHECK_DELAY = 200;

export function registerEditing(
  host: ActivationHost,
  edits: MessageEdits,
  reader: () => Promise<DraftReader>,
): Disposable[] {
  const collection = languages.createDiagnosticCollection('botChats');
  const lensesChanged = new EventEmitter<void>();
  /** For each document, cancels the check to come. */
  const cancels = new Map<TextDocument, () => void>();

  const editing = lazy(async () => {
    const { createEditing } = await import('./createEditing.ts');
    const features = createEditing({ ...(await wholeHost(host)), edits }, await reader(), collection, checkAll);
    keys = features.keys;
    return features;
  });
  /** Opens suggestions. Loaded with the help, at the latest by the first check of a draft. */
  let keys: KeySuggestions | undefined;
  /** The help for a document; undefined if it's no draft. */
  const editingFor = async (document: TextDocument) => (mayBeDraft(document) ? editing() : undefined);

  // Most documents have no problems, and deleting nothing would still fire an event.
  const clear = ({ uri }: TextDocument) => {
    if (collection.has(uri)) collection.delete(uri);
  };
  const logError = (error: Error) => host.log.error(error);
  const check = (document: TextDocument) => {
    if (document.languageId !== 'markdown' || !isEditable(document)) return;
    cancels.get(document)?.();
    const run = async () => {
      cancels.delete(document);
      const features = await editingFor(document);
      if (!features) {
        (await editing.loaded)?.forget(document);
        return clear(document);
      }
      await features.check(document);
      // VS Code may keep lenses that it asked for while this was loading, of a text that has changed since.
      lensesChanged.fire();
    };
    cancels.set(
      document,
      timers.after(CHECK_DELAY, () => void run().catch(logError)),
    );
  };
  const suggest = async (change: TextDocumentChangeEvent) => {
    if (change.document.languageId === 'markdown' && isEditable(change.document)) await keys?.typed(change);
  };
  const checkAll = () => workspace.textDocuments.forEach(check);
  const forget = (document: TextDocument) => {
    cancels.get(document)?.();
    cancels.delete(document);
    clear(document);
    void editing.loaded?.then((features) => features.forget(document));
  };
  const settingsChanged = async () => {
    (await editing.loaded)?.clear();
    checkAll();
    lensesChanged.fire();
  };
  checkAll();

  /** Everything that open drafts and audiences mention. */
  const mentioned = async (): Promise<readonly Reference[]> => {
    const drafts = workspace.textDocuments.filter((one) => one.languageId === 'markdown' && mayBeDraft(one));
    const { audiences } = await host.stored();
    const hasAudiences = audiences.read().audiences.size > 0;
    return drafts.length > 0 || hasAudiences ? (await editing()).mentioned(drafts) : [];
  };

  return [
    host.mentionedIds.addSource(mentioned),
    collection,
    lensesChanged,
    workspace.onDidOpenTextDocument(check),
    workspace.onDidChangeTextDocument((change) => {
      check(change.document);
      void suggest(change).catch(logError);
    }),
    window.onDidChangeTextEditorSelection((change) => {
      const { document } = change.textEditor;
      if (document.languageId === 'markdown' && isEditable(document)) void keys?.moved(change).catch(logError);
    }),
    workspace.onDidCloseTextDocument(forget),
    onDidChangeSettings(['sending', 'audiences'], settingsChanged),
    host.connection.onDidChange(checkAll),
    edits.onDidChange(() => lensesChanged.fire()),
    languages.registerCodeActionsProvider(
      MARKDOWN,
      {
        provideCodeActions: async (document, range, context) =>
          (await editingFor(document))?.fixes(document, range, context),
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
    languages.registerCompletionItemProvider(
      MARKDOWN,
      {
        provideCompletionItems: (document, position, token) => {
          const asked = askedAt(document, position);
          const items = editingFor(document).then((features) => features?.completions(asked));
          return keys ? keys.answer(asked, items, token) : items;
        },
      },
      // While somebody types Markdown, VS Code suggests nothing unless one of these characters is typed.
      ...' [{.,"\'0123456789',
    ),
    languages.registerHoverProvider(MARKDOWN, {
      provideHover: async (document, position) => (await editingFor(document))?.hover(document, position),
    }),
    languages.registerCodeLensProvider(MARKDOWN, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) => (await editingFor(document))?.lenses(document),
    }),
    {
      dispose: () => {
        for (const document of [...cancels.keys()]) forget(document);
      },
    },
    editing,
  ];
}

/** Whether a document may be a draft: it begins with front matter, or may have a block elsewhere. */
const mayBeDraft = (document: TextDocument) =>
  document.lineAt(0).text.startsWith('---') || /^[^\w\n]{0,9}chats?\W/im.test(document.getText());
