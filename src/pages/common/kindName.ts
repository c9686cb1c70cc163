/** The names of content types. */
import { l10n } from './host.ts';

/** The translated name of a content type; one that isn't known is its own name. */
export function kindName(kind: string): string {
  switch (kind) {
    case 'text':
      return l10n.t('Text');
    case 'markdown':
      return 'Markdown';
    case 'html':
      return 'HTML';
    case 'tip':
      return l10n.t('System message');
    case 'image':
      return l10n.t('Image');
    case 'file':
      return l10n.t('File');
    case 'video':
      return l10n.t('Video');
    case 'audio':
      return l10n.t('Audio');
    case 'expression':
      return l10n.t('Sticker');
    case 'post':
      return l10n.t('Post');
    case 'form':
      return l10n.t('Form');
    case 'a2ui':
      return l10n.t('Interactive card');
    case 'audioCall':
      return l10n.t('Voice call');
    case 'videoCall':
      return l10n.t('Video call');
    case 'liveAudio':
      return l10n.t('Live audio');
    default:
      return kind;
  }
}
