/** The names of content types. */
import type { NamedType } from '../../markup/messageContent.ts';
import { l10n } from './host.ts';

export const KIND_NAMES: Readonly<Record<NamedType, string>> = {
  text: l10n.t('Text'),
  markdown: 'Markdown',
  html: 'HTML',
  tip: l10n.t('System message'),
  image: l10n.t('Image'),
  file: l10n.t('File'),
  video: l10n.t('Video'),
  audio: l10n.t('Audio'),
  expression: l10n.t('Sticker'),
  post: l10n.t('Post'),
  form: l10n.t('Form'),
  a2ui: l10n.t('Interactive card'),
  audioCall: l10n.t('Voice call'),
  videoCall: l10n.t('Video call'),
  liveAudio: l10n.t('Live audio'),
};

/** The translated name of a content type; one that isn't known is its own name. */
export const kindName = (kind: string): string =>
  Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as NamedType] : kind;
