/** Code lenses above the front matter of a draft. */
import { CodeLens, l10n, Range, type TextDocument } from 'vscode';
import { formatCount } from '../../presentation/formats.ts';
import type { DraftCache, DraftReader } from '../draftReader.ts';

export function codeLenses(
  document: TextDocument,
  drafts: DraftCache,
  reader: Pick<DraftReader, 'chatsOf'>,
): CodeLens[] {
  const draft = drafts.get(document);
  const { hasBlock, problems } = draft;
  if (!hasBlock) return [];
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const chats = reader.chatsOf(draft).length;
  const send = { command: 'botChats.sendActiveMarkdown', title: sendTitle(chats), arguments: [document.uri] };
  const show = {
    command: 'workbench.actions.view.problems',
    title: errors === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', errors),
  };
  const preview = { command: 'botChats.preview', title: l10n.t('Preview'), arguments: [document.uri] };
  const top = new Range(0, 0, 0, 0);
  return [new CodeLens(top, errors > 0 ? show : send), new CodeLens(top, preview)];
}

function sendTitle(chats: number): string {
  if (chats === 0) return l10n.t('Send…');
  return chats === 1 ? l10n.t('Send to 1 chat') : l10n.t('Send to {0} chats', formatCount(chats));
}
