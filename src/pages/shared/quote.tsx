/** What a message replies to, above what it says. */

import { excerpt } from '../../markup/escapeInvisible.ts';
import { mediaOf } from '../../markup/media.ts';
import { displayText } from '../../markup/messageContent.ts';
import { MAX_QUOTATION, quotationOf } from '../../markup/quotation.ts';
import type { Message } from '../../service/message.ts';
import { formatLabel, labels } from './host.ts';
import { senderName } from './sender.tsx';

interface Props {
  reply: Message;
  /** The message that it replies to, where that is loaded. */
  parent: Message | undefined;
  goTo(): void;
}

/** What the reply quotes, or else the beginning of its parent. It leads there, where the parent has an ID. */
export function Quote({ reply: { parentId, content }, parent, goTo }: Props) {
  const quoted = quotationOf(content);
  if (!parentId && !quoted) return null;
  const name = quoted?.name || (parent && senderName(parent));
  const media = quoted?.media.flatMap(({ kind, name }) => (quoted.text ? name : [labels[kind], name])) ?? [];
  const text = quoted ? [quoted.text, ...media].filter(Boolean).join(' · ') : parent && excerptOf(parent);
  const words = (
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
  if (!parentId) return <blockquote class="quote">{words}</blockquote>;
  return (
    <button type="button" class="quote" onClick={goTo}>
      {words}
    </button>
  );
}

/** The first line that says something, without the marks of Markdown and HTML. */
function excerptOf(message: Message): string {
  const { content, contentType } = message;
  const start = displayText(content).slice(0, 2000);
  const lines = (contentType === 'html' ? start.replace(/<[^>]*>/g, ' ').trim() : start)
    .split('\n')
    .filter((line) => !line.startsWith('```') && /[\p{L}\p{N}]/u.test(line));
  const said = lines[0]?.replace(/^[\s#>*-]+|[*`]/g, '');
  const { name, localName: bareName } = mediaOf(message, 0) ?? {};
  const text = said || name || bareName || content.imageKey || content.postTitle || contentType;
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
