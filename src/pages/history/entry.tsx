/** One message of the history: sender, time, quotation, content and buttons. */
import { useEffect } from 'preact/hooks';
import { escapeAllInvisible } from '../../markup/escapeInvisible.ts';
import type { PageItem } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { Buttons } from '../common/buttons.tsx';
import { MessageContent, RawJson } from '../common/content.tsx';
import { formatExactTime, formatTime } from '../common/formats.ts';
import { l10n, loadImages, postToHistory } from '../common/host.ts';
import { Quote } from '../common/quote.tsx';
import { Avatar, senderName } from '../common/sender.tsx';

export interface EntryContext {
  /** Finds a loaded message to quote. */
  findMessage(id: string): Message | undefined;
  /** Goes from a reply, by its key, to its parent. */
  goToParent(parentId: string, replyKey: string): void;
  /** The pointer entered the sender's name. */
  hoverProfile(message: Message, anchor: Element): void;
  leaveProfile(): void;
  /** Shows the sender's profile next to an element, with the focus in it. */
  openProfile(message: Message, anchor: Element): void;
  /** The avatar of the sender as a `data:` URI, if it's loaded. */
  avatarOf(message: Message): string | undefined;
  requestAvatar(message: Message): void;
}

interface Props {
  item: Exclude<PageItem, { type: 'gap' }>;
  /** Whether the message is grouped under the sender of the previous one. */
  continues: boolean;
  /** Whether the row takes keyboard focus. */
  isCurrent: boolean;
  context: EntryContext;
}

export function Entry({ item, continues, isCurrent, context }: Props) {
  const { key } = item;
  const message = item.type === 'message' ? item.message : undefined;
  const menuContext = { webviewSection: 'message', message: key, preventDefaultContextMenuItems: true };
  const isSystem = message?.contentType === 'tip';
  return (
    <article
      class={`entry row${continues ? ' continues' : ''}${isSystem ? ' system' : ''}`}
      id={anchorOf(key)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={
        message
          ? `${titleOf(message)}, ${formatExactTime(message.sendTime)}`
          : l10n.t("This message can't be read. Original content:")
      }
      data-vscode-context={JSON.stringify(menuContext)}
    >
      {message ? (
        <EntryBody message={message} raw={item.raw} continues={continues} itemKey={key} context={context} />
      ) : (
        <RawJson title={l10n.t("This message can't be read. Original content:")} value={item.raw} />
      )}
      <button
        type="button"
        class="more"
        title={l10n.t('More actions')}
        aria-label={l10n.t('More actions')}
        onClick={openMenu}
      >
        ⋯
      </button>
    </article>
  );
}

/** System messages have no sender. */
const titleOf = (message: Message) =>
  message.contentType === 'tip' ? l10n.t('System message') : escapeAllInvisible(senderName(message));

interface BodyProps {
  message: Message;
  raw: unknown;
  continues: boolean;
  itemKey: string;
  context: EntryContext;
}

function EntryBody({ message, raw, continues, itemKey, context }: BodyProps) {
  const { parentId, commandName } = message;
  const hasHeader = !continues && message.contentType !== 'tip';
  return (
    <>
      {hasHeader && <Header message={message} context={context} />}
      <Quote
        reply={message}
        parent={context.findMessage(parentId)}
        goTo={() => context.goToParent(parentId, itemKey)}
      />
      {commandName && <p class="command">{l10n.t('Command {0}', escapeAllInvisible(commandName))}</p>}
      <MessageContent
        message={message}
        raw={raw}
        openImage={loadImages ? () => postToHistory({ type: 'openImage', key: message.msgId }) : undefined}
      />
      <Buttons rows={message.content.buttons ?? []} />
      {!hasHeader && <Time class="side-time" time={message.sendTime} />}
    </>
  );
}

function Header({ message, context }: { message: Message; context: EntryContext }) {
  const { hoverProfile, leaveProfile, openProfile, avatarOf, requestAvatar } = context;
  const name = escapeAllInvisible(senderName(message));
  const { senderType } = message;
  // Avatars are requested after the first paint.
  useEffect(() => requestAvatar(message), [message.senderId]);
  const sender = (
    <>
      <Avatar id={message.senderId} name={senderName(message)} uri={avatarOf(message)} />
      {name}
    </>
  );
  return (
    <div class="header">
      {message.senderId ? (
        <button
          type="button"
          class="sender"
          aria-haspopup="dialog"
          onMouseEnter={({ currentTarget }) => hoverProfile(message, currentTarget)}
          onMouseLeave={leaveProfile}
          onClick={({ currentTarget }) => openProfile(message, currentTarget)}
        >
          {sender}
        </button>
      ) : (
        // A sender without an ID can't be looked up.
        <span class="sender">{sender}</span>
      )}
      {senderType === 'bot' && <span class="badge">{l10n.t('Bot')}</span>}
      {senderType !== 'bot' && senderType !== 'user' && senderType && (
        <span class="badge">{escapeAllInvisible(senderType)}</span>
      )}
      <Time class="time" time={message.sendTime} />
    </div>
  );
}

function Time({ class: className, time }: { class: string; time: number | undefined }) {
  return (
    <time class={className} title={formatExactTime(time)}>
      {formatTime(time)}
    </time>
  );
}

/** Opens VS Code's context menu of the message below the button. */
function openMenu(event: MouseEvent) {
  const button = event.currentTarget as Element;
  const { left, bottom } = button.getBoundingClientRect();
  button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
}

/** The element ID of an item, and the key of the item of an element. */
export const anchorOf = (key: string) => `message-${key}`;
export const keyOf = ({ id }: Element) => id.replace('message-', '');
