/** The rows of the list: a chat, and an answer in it. */
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { quotationOf } from '../../markup/quotation.ts';
import type { RepliesRow, ReplyState } from '../../protocol/replies.ts';
import { Buttons } from '../common/buttons.tsx';
import { MessageContent } from '../common/content.tsx';
import { formatDateTime, formatExactTime, formatNumber } from '../common/formats.ts';
import { l10n, postToReplies } from '../common/host.ts';
import { Quote } from '../common/quote.tsx';
import { Avatar, senderName } from '../common/sender.tsx';

interface Props<T extends RepliesRow['type']> {
  row: Extract<RepliesRow, { type: T }>;
  /** Whether the row takes keyboard focus. */
  isCurrent: boolean;
}

export function ChatRow({ row, isCurrent }: Props<'chat'>) {
  const { kind, id, name, state, count, error, unreadable } = row;
  const answers = count === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', formatNumber(count));
  return (
    <article
      class="chat row"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${escapeAllInvisible(name)}, ${stateName(state)}`}
    >
      <h2>
        <button
          type="button"
          class="link"
          title={l10n.t('Open History')}
          onClick={() => postToReplies({ type: 'openChat', chat: { kind, id } })}
        >
          <bdi>{excerpt(name)}</bdi>
        </button>
      </h2>
      {name !== id && <bdi class="summary">{escapeAllInvisible(id)}</bdi>}
      <span class={`state ${state}`}>{state === 'answered' ? answers : stateName(state)}</span>
      {error && (
        <p class="reason" dir="auto">
          {escapeInvisible(error)}
        </p>
      )}
      {unreadable > 0 && (
        <p class="summary">
          {unreadable === 1
            ? l10n.t("1 message there can't be read. It may be an answer.")
            : l10n.t("{0} messages there can't be read. They may be answers.", formatNumber(unreadable))}
        </p>
      )}
    </article>
  );
}

export function ReplyRow({ row, isCurrent }: Props<'reply'>) {
  const { kind, id, message, raw } = row;
  const { msgId, parentId, commandName, sendTime, senderId, senderType, content } = message;
  const chat = { kind, id };
  const name = escapeAllInvisible(senderName(message));
  return (
    <article class="entry row" tabIndex={isCurrent ? 0 : -1} aria-label={`${name}, ${formatExactTime(sendTime)}`}>
      <div class="header">
        <Avatar id={senderId} name={senderName(message)} />
        <bdi class="from">{name}</bdi>
        {senderType === 'bot' && <span class="badge">{l10n.t('Bot')}</span>}
        <time class="time" title={formatExactTime(sendTime)}>
          {formatDateTime(sendTime)}
        </time>
        <button type="button" class="link go" onClick={() => postToReplies({ type: 'openChat', chat, msgId })}>
          {l10n.t('Open in History')}
        </button>
      </div>
      {/* Nearly all answer the delivered message, which the page is about. */}
      {quotationOf(content) && (
        <Quote
          reply={message}
          parent={undefined}
          goTo={() => postToReplies({ type: 'openChat', chat, msgId: parentId })}
        />
      )}
      {commandName && <p class="command">{l10n.t('Command {0}', escapeAllInvisible(commandName))}</p>}
      <MessageContent message={message} raw={raw} openImage={undefined} />
      <Buttons rows={content.buttons ?? []} />
    </article>
  );
}

export function stateName(state: ReplyState): string {
  switch (state) {
    case 'answered':
      return l10n.t('answered');
    case 'unanswered':
      return l10n.t('no answer yet');
    case 'failed':
      return l10n.t("couldn't be read");
    case 'unread':
      return l10n.t('not read yet');
  }
}
