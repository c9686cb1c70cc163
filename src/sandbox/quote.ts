import type { Message } from './resources.ts';

/** Longer text is quoted in part (UTF-16 units). */
const LONGEST = 80;

/** What a reply shows of the message that it replies to, in the fields that were observed. */
export function quoteOf(message: Message) {
  const { contentType, content, senderNickname } = message;
  const parent = `${senderNickname} : ${'text' in content ? wordsOf(contentType, content.text) : ''}`;
  if ('imageName' in content) return { parent, parentImgName: content.imageName };
  if ('videoUrl' in content) return { parent, parentVideoUrl: content.videoUrl };
  return 'fileName' in content ? { parent, parentFileName: content.fileName } : { parent };
}

/** The first line that says something, without the marks of Markdown and HTML. */
function wordsOf(contentType: Message['contentType'], text: string): string {
  if (contentType === 'text') return text.slice(0, LONGEST);
  const lines = text.replace(/<[^>]*>/g, ' ').split('\n');
  const line = lines.find((one) => !one.startsWith('```') && /[\p{L}\p{N}]/u.test(one)) ?? '';
  return line.replace(/^[\s#>*-]+|[*`]/g, '').slice(0, LONGEST);
}
