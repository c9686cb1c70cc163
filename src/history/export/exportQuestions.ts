/** What an export asks the person before it begins. */
import { l10n, Uri, window, workspace } from 'vscode';
import { homeFolder } from '../../platform/fileAppender.ts';
import { pickOne, safeLabel } from '../../presentation/dialogs.ts';
import { formatCount, formatTimestamp } from '../../presentation/formats.ts';
import type { ExportProgress } from './exportProgress.ts';
import { exportFileName } from './fileName.ts';
import type { FormatName } from './formats.ts';

/** Whether to go on with an export that was interrupted; undefined when the person stepped back. */
export async function askResume(saved: ExportProgress, title: string): Promise<'continue' | 'restart' | undefined> {
  const began = formatTimestamp(Math.floor(saved.began / 1000), Date.now(), '');
  const items = [
    {
      label: safeLabel(l10n.t('Continue the Export')),
      description: safeLabel(readCountText(saved.messages)),
      detail: safeLabel(l10n.t('Begun {0}. Messages that came later are not part of it.', began)),
      start: 'continue' as const,
    },
    {
      label: safeLabel(l10n.t('Start Anew')),
      detail: safeLabel(l10n.t('What was read before is discarded.')),
      start: 'restart' as const,
    },
  ];
  return (await pickOne(items, { title: l10n.t('Export {0}', title) }))?.start;
}

/** The form to export in; undefined when the person stepped back. */
export async function askFormat(title: string): Promise<FormatName | undefined> {
  const formats: { name: string; what: string; format: FormatName }[] = [
    { name: 'Markdown', what: l10n.t('To read and to search as text'), format: 'md' },
    { name: 'HTML', what: l10n.t('To read in a browser, without a connection'), format: 'html' },
    { name: 'NDJSON', what: l10n.t('For programs: one message a line, just as it came'), format: 'ndjson' },
  ];
  const items = formats.map(({ name, what, format }) => ({ label: safeLabel(name), detail: safeLabel(what), format }));
  return (await pickOne(items, { title: l10n.t('Export {0}', title) }))?.format;
}

/** The file to write; undefined when the person stepped back. `name` is that of the chat, `id` its ID. */
export async function askTarget(name: string, id: string, format: FormatName): Promise<Uri | undefined> {
  const file = `${exportFileName(name, id, new Date())}.${format}`;
  const folder = workspace.workspaceFolders?.[0]?.uri ?? homeFolder();
  const kind = { md: 'Markdown', html: 'HTML', ndjson: 'NDJSON' }[format];
  return window.showSaveDialog({
    title: l10n.t('Export {0}', name),
    filters: { [kind]: [format] },
    ...(folder && { defaultUri: Uri.joinPath(folder, file) }),
  });
}

/** How many messages are read. */
export function readCountText(messages: number): string {
  return messages === 1 ? l10n.t('1 message read') : l10n.t('{0} messages read', formatCount(messages));
}
