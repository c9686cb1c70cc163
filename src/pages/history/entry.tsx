/** One message of the history: its sender, time, quote, content and buttons. */

import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { PageItem } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { Buttons } from '../shared/buttons.tsx';
import { MessageContent, RawJson } from '../shared/content.tsx';
import { formatExactTime, formatTime } from '../shared/formats.ts';
import { formatLabel, labels, pictures } from '../shared/host.ts';
import { Quote } from '../shared/quote.tsx';
import { Avatar, senderName } from '../shared/sender.tsx';

export interface EntryContext {
  /** Finds a loaded message, for quotes. */
  findMessage(id: string): Message | undefined;
  /** Goes to the message that another one, by its key, replies to. */
  goToParent(parent: string, from: string): void;
  /** Shows who the sender is beside this element, or nothing any more. */
  showProfile(message: Message, beside: Element | undefined): void;
}

interface Props {
  item: Exclude<PageItem, { type: 'gap' }>;
  /** It stands under the name of the one before. */
  continues: boolean;
  /** The keys are pressed here. */
  isCurrent: boolean;
  needs: EntryContext;
}

export function Entry({ item, continues, isCurrent, needs }: Props) {
  const { key } = item;
  const message = item.type === 'message' ? item.message : undefined;
  const context = { webviewSection: 'message', message: key, preventDefaultContextMenuItems: true };
  const isSystem = message?.contentType === 'tip';
  return (
    <article
      class={`entry row${continues ? ' continues' : ''}${isSystem ? ' system' : ''}`}
      id={anchorOf(key)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={message ? `${titleOf(message)}, ${formatExactTime(message.sendTime)}` : labels.unreadable}
      data-vscode-context={JSON.stringify(context)}
    >
      {message ? (
        <Said message={message} raw={item.raw} continues={continues} itemKey={key} needs={needs} />
      ) : (
        <RawJson title={labels.unreadable} value={item.raw} />
      )}
      <button type="button" class="more" title={labels.actions} aria-label={labels.actions} onClick={openMenu}>
        ⋯
      </button>
    </article>
  );
}

/** What the system says is of nobody. */
const titleOf = (message: Message) =>
  message.contentType === 'tip' ? labels.systemMessage : escapeInvisible(senderName(message));

interface SaidProps {
  message: Message;
  raw: unknown;
  continues: boolean;
  itemKey: string;
  needs: EntryContext;
}

function Said({ message, raw, continues, itemKey, needs }: SaidProps) {
  const { parentId, commandName } = message;
  const hasHeader = !continues && message.contentType !== 'tip';
  return (
    <>
      {hasHeader && <Header message={message} profile={needs.showProfile} />}
      <Quote reply={message} parent={needs.findMessage(parentId)} goTo={() => needs.goToParent(parentId, itemKey)} />
      {commandName && <p class="command">{formatLabel('command', escapeInvisible(commandName))}</p>}
      <MessageContent message={message} raw={raw} pictures={pictures} />
      <Buttons rows={message.content.buttons ?? []} />
      {!hasHeader && <Time class="side-time" time={message.sendTime} />}
    </>
  );
}

function Header({ message, profile }: { message: Message; profile: EntryContext['showProfile'] }) {
  const name = escapeInvisible(senderName(message));
  const { senderType } = message;
  const show = ({ currentTarget }: { currentTarget: Element }) => profile(message, currentTarget);
  const hide = () => profile(message, undefined);
  return (
    <div class="header">
      <Avatar id={message.senderId} name={name} />
      <button
        type="button"
        class="sender"
        onMouseEnter={show}
        onMouseLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={show}
      >
        {name}
      </button>
      {senderType === 'bot' && <span class="badge">{labels.bot}</span>}
      {senderType !== 'bot' && senderType !== 'user' && senderType && (
        <span class="badge">{escapeInvisible(senderType)}</span>
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

/** VS Code's own menu of this message, where the pointer or the focus is. */
function openMenu(event: MouseEvent) {
  const button = event.currentTarget as Element;
  const { left, bottom } = button.getBoundingClientRect();
  button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
}

/** The ID of the element of a message, and back. */
export const anchorOf = (key: string) => `message-${key}`;
export const keyOf = ({ id }: Element) => id.replace('message-', '');
