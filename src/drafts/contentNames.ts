import { l10n } from 'vscode';
import type { Outgoing } from '../service/message.ts';

/** What a kind of content is called (contract 2.7). */
export function contentName(contentType: Outgoing['contentType']): string {
  switch (contentType) {
    case 'markdown':
      return 'Markdown';
    case 'text':
      return l10n.t('Text');
    case 'html':
      return 'HTML';
    case 'file':
      return l10n.t('File');
    case 'image':
      return l10n.t('Image');
  }
}
