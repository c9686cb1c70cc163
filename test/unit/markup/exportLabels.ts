import type { ExportLabels } from '../../../src/markup/exportLabels.ts';

/** English labels of an exported chat. */
export const exportLabels: ExportLabels = {
  language: 'en',
  bot: 'Bot',
  unknownTime: 'time unknown',
  unreadable: 'Could not be read:',
  long: 'Too long:',
  image: 'Image',
  file: 'File',
  video: 'Video',
  audio: 'Audio',
  expression: 'Sticker',
  post: 'Post',
  form: 'Form',
  expired: 'Expired.',
  htmlSource: 'HTML source',
  message: (id) => `Message ${id}`,
  replyTo: (id) => `Reply to ${id}`,
  command: (name) => `Command ${name}`,
  otherKind: (kind) => `Kind ${kind}`,
  opens: (address) => `Opens ${address}`,
  copies: (value) => `Copies ${value}`,
  reports: (value) => `Reports ${value}`,
  unknownAction: (type) => `Action ${type}`,
};
