/** What kinds of messages are shown by their fields. */
import type { Message } from '../service/message.ts';

type Field = keyof Message['content'];

/** By kind, the fields of which one at least must be there. */
const KINDS = new Map<string, readonly Field[]>([
  ...(['text', 'markdown', 'html', 'image', 'file', 'tip'] as const).map((kind) => [kind, []] as const),
  ['video', ['videoUrl', 'videoDuration']],
  ['audio', ['audioUrl', 'audioDuration']],
  ['expression', ['imageName', 'imageUrl', 'expressionId', 'stickerId', 'stickerPackId']],
  ['post', ['postTitle', 'postContent']],
  ['form', ['formJson']],
]);

/** The kind of a message that is shown by its fields; empty for any other: that is shown as it came. */
export function kindOf({ contentType, content }: Message): string {
  const fields = KINDS.get(contentType);
  if (!fields) return '';
  const isThere = (field: Field) => String(content[field] ?? '') !== '';
  return fields.length === 0 || fields.some(isThere) ? contentType : '';
}
