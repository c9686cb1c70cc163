/** The quotation above the content of a reply, as it came with the reply: the message may have been edited since. */
import { useMemo } from 'preact/hooks';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { quotationOf, quotedText } from '../../markup/quotation.ts';
import { firstLineOf } from '../../markup/rendered/shownText.ts';
import type { Message } from '../../service/message.ts';
import { KIND_NAMES, kindName } from './formats.ts';
import { l10n } from './host.ts';
import { senderName } from './sender.tsx';

/** How much of a quotation is shown (UTF-16 units): it fits into two lines, unless the page is very narrow. */
const MAX_SHOWN = 100;

interface Props {
  reply: Message;
  /** The message that is replied to, if it's loaded. */
  parent: Message | undefined;
  goTo(): void;
}

/** The quotation of the reply, or else the start of its parent. Clicking goes to the parent if its ID is known. */
export function Quote({ reply: { parentId, content }, parent, goTo }: Props) {
  const quotation = quotationOf(content);
  const firstLine = () => parent && firstLineOf(parent, kindName(parent.contentType));
  // Rows are rendered often, and a parent may be long Markdown.
  const text = useMemo(() => quotedText(quotation, KIND_NAMES, firstLine), [content, parent]);
  // The service doesn't say that it has cut a quotation.
  const goesOn = (whole = '') => text !== undefined && whole.length > text.length && whole.startsWith(text);
  const whole = useMemo(() => [parent?.content.text, firstLine()].find(goesOn), [text, parent]);
  const length = Math.min(MAX_SHOWN, (whole && text?.length) || MAX_SHOWN);
  if (!parentId && !quotation) return null;
  const name = quotation?.name || (parent && senderName(parent));
  const line = (
    <span>
      {text === undefined ? (
        l10n.t("Reply to a message that isn't loaded ({0})", excerpt(parentId))
      ) : (
        <>
          <strong>{name ? l10n.t('Reply to {0}', excerpt(name)) : l10n.t('Reply')}</strong>{' '}
          <bdi>{excerpt(whole ?? text, length, escapeInvisible, ' ')}</bdi>
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
