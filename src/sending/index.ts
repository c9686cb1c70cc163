/** Sending, wired to VS Code. */
import { commands, type Disposable, l10n, Uri, window, workspace } from 'vscode';
import type { Register } from '../workbench/commands.ts';
import type { SendingNeeds } from './send.ts';

const REPORT = 'bot-chats-report';

export function registerSending(needs: Omit<SendingNeeds, 'showReport'>, register: Register): Disposable[] {
  const reports = new Map<string, string>();

  const showReport = async (name: string, markdown: string) => {
    const uri = Uri.from({ scheme: REPORT, path: `/${name.replaceAll('/', '-')}`, query: crypto.randomUUID() });
    reports.set(uri.toString(), markdown);
    // An editor of its own: the ordinary preview would turn to the next Markdown file that is shown.
    await commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
  };

  return [
    workspace.registerTextDocumentContentProvider(REPORT, {
      provideTextDocumentContent: (uri) => reports.get(uri.toString()) ?? l10n.t('This report is no longer kept.'),
    }),
    register('sendActiveMarkdown', async (clicked?: unknown) => {
      // The button in an editor's title names its document, which a preview shows without a text editor.
      const document =
        clicked instanceof Uri ? await workspace.openTextDocument(clicked) : window.activeTextEditor?.document;
      if (document?.languageId !== 'markdown') {
        void window.showErrorMessage(l10n.t('Open the Markdown file that you want to send, then try again.'));
        return;
      }
      const { sendDocument } = await import('./send.ts');
      await sendDocument(document, { ...needs, showReport });
    }),
  ];
}
