/** The quotation above the content of a reply. */
import { excerpt } from '../../markup/escapeInvisible.ts';
import { mediaOf } from '../../markup/media.ts';
import { displayText } from '../../markup/messageContent.ts';
import { MAX_QUOTATION, quotationOf } from '../../markup/quotation.ts';
import type { Message } from '../../service/message.ts';
import { formatLabel, labels } from './host.ts';
import { senderName } from './sender.tsx';

interface Props {
  reply: Message;
  /** The message it replies to, if loaded. */
  parent: Message | undefined;
  goTo(): void;
}

/** What the reply quotes, or else the start of its parent. Clicking goes to the parent if its ID is known. */
export function Quote({ reply: { parentId, content }, parent, goTo }: Props) {
  const quotation = quotationOf(content);
  if (!parentId && !quotation) return null;
  const name = quotation?.name || (parent && senderName(parent));
  const media = quotation?.media.flatMap(({ kind, name }) => (quotation.text ? name : [labels[kind], name])) ?? [];
  const text = quotation ? [quotation.text, ...media].filter(Boolean).join(' · ') : parent && firstLineOf(parent);
  const line = (
    <span>
      {text === undefined ? (
        formatLabel('replyToUnloaded', excerpt(parentId))
      ) : (
        <>
          <strong>{name ? formatLabel('replyTo', excerpt(name)) : labels.reply}</strong>{' '}
          <bdi>{excerpt(text, MAX_QUOTATION)}</bdi>
        </>
      )}
    </span>
  );
  if (!parentId) return <blockquote class="quote">{line}</blockquote>;
  return (
    <button type="button" class="quote" onClick={goTo}>
      {line}
    </button>
  );
}

/** The first line with letters or digits, without Markdown and HTML syntax. */
function firstLineOf(message: Message): string {
  const { content, contentType } = message;
  const start = displayText(content).slice(0, 2000);
  const lines = (contentType === 'html' ? start.replace(/<[^>]*>/g, ' ').trim() : start)
    .split('\n')
    .filter((line) => !line.startsWith('```') && /[\p{L}\p{N}]/u.test(line));
  const firstLine = lines[0]?.replace(/^[\s#>*-]+|[*`]/g, '');
  const { name, localName } = mediaOf(message, 0) ?? {};
  const text = firstLine || name || localName || content.imageKey || content.postTitle || contentType;
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
