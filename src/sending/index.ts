/** Sending, wired to VS Code. */
import { commands, type Disposable, l10n, Uri, window, workspace } from 'vscode';
import type { Chat } from '../service/model.ts';
import type { Register } from '../workbench/commands.ts';
import type { SendingNeeds } from './send.ts';

const REPORT = 'bot-chats-report';

export function registerSending(needs: Omit<SendingNeeds, 'showReport'>, register: Register) {
  const reports = new Map<string, string>();

  const showReport = async (name: string, markdown: string) => {
    const uri = Uri.from({ scheme: REPORT, path: `/${name.replaceAll('/', '-')}`, query: crypto.randomUUID() });
    reports.set(uri.toString(), markdown);
    // An editor of its own: the ordinary preview would turn to the next Markdown file that is shown.
    await commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
  };

  /** Sends a document to these chats, after the person has confirmed it; without one, the document that is open. */
  const send = async (chats: readonly Chat[], file?: Uri) => {
    const chosen = file ?? openMarkdown() ?? (await askFile());
    if (!chosen) return;
    const document = await workspace.openTextDocument(chosen);
    const { sendDocument } = await import('./send.ts');
    await sendDocument(document, { ...needs, showReport }, chats);
  };

  const disposables: Disposable[] = [
    workspace.registerTextDocumentContentProvider(REPORT, {
      provideTextDocumentContent: (uri) => reports.get(uri.toString()) ?? l10n.t('This report is no longer kept.'),
    }),
    // The button in an editor's title names its document, which a preview shows without a text editor.
    register('sendActiveMarkdown', async (clicked?: unknown) => send([], clicked instanceof Uri ? clicked : undefined)),
  ];
  return { disposables, send };
}

function openMarkdown(): Uri | undefined {
  const document = window.activeTextEditor?.document;
  return document?.languageId === 'markdown' ? document.uri : undefined;
}

async function askFile(): Promise<Uri | undefined> {
  const title = l10n.t('Send which Markdown file?');
  const [file] = (await window.showOpenDialog({ title, filters: { Markdown: ['md', 'markdown'] } })) ?? [];
  return file;
}
