/** One message of the history: its sender, time, quote, content and buttons. */
import type { Message } from '../../service/message.ts';
import type { Item } from '../protocol.ts';
import { Avatar } from './avatar.tsx';
import { Buttons } from './buttons.tsx';
import { Content, Raw } from './content.tsx';
import { labels, pictures, say } from './host.ts';
import { clockTime, exactTime } from './times.ts';
import { brief, visible } from './visible.ts';

export interface EntryNeeds {
  /** Finds a loaded message, for quotes. */
  find(id: string): Message | undefined;
  /** Goes to the message that another one, by its key, replies to. */
  goTo(parent: string, from: string): void;
  /** Shows who the sender is beside this element, or nothing any more. */
  profile(message: Message, beside: Element | undefined): void;
}

interface Props {
  item: Exclude<Item, { type: 'gap' }>;
  /** It stands under the name of the one before. */
  continues: boolean;
  /** The keys are pressed here. */
  isCurrent: boolean;
  needs: EntryNeeds;
}

export function Entry({ item, continues, isCurrent, needs }: Props) {
  const { key } = item;
  const message = item.type === 'message' ? item.message : undefined;
  const context = { webviewSection: 'message', message: key, preventDefaultContextMenuItems: true };
  return (
    <article
      class={continues ? 'entry row continues' : 'entry row'}
      id={anchorOf(key)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={message ? `${visible(nameOf(message))}, ${exactTime(message.sendTime)}` : labels.unreadable}
      data-vscode-context={JSON.stringify(context)}
    >
      {message ? (
        <Said message={message} raw={item.raw} continues={continues} itemKey={key} needs={needs} />
      ) : (
        <Raw title={labels.unreadable} value={item.raw} />
      )}
      <button type="button" class="more" title={labels.actions} aria-label={labels.actions} onClick={openMenu}>
        ⋯
      </button>
    </article>
  );
}

interface SaidProps {
  message: Message;
  raw: unknown;
  continues: boolean;
  itemKey: string;
  needs: EntryNeeds;
}

function Said({ message, raw, continues, itemKey, needs }: SaidProps) {
  const { parentId, commandName } = message;
  return (
    <>
      {!continues && <Header message={message} profile={needs.profile} />}
      {parentId && <Quote id={parentId} parent={needs.find(parentId)} goTo={() => needs.goTo(parentId, itemKey)} />}
      {commandName && <p class="command">{say('command', visible(commandName))}</p>}
      <Content message={message} raw={raw} pictures={pictures} />
      <Buttons rows={message.content.buttons ?? []} />
      {continues && <Time class="side-time" time={message.sendTime} />}
    </>
  );
}

function Header({ message, profile }: { message: Message; profile: EntryNeeds['profile'] }) {
  const name = visible(nameOf(message));
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
      {senderType !== 'bot' && senderType !== 'user' && senderType && <span class="badge">{visible(senderType)}</span>}
      <Time class="time" time={message.sendTime} />
    </div>
  );
}

function Time({ class: className, time }: { class: string; time: number | undefined }) {
  return (
    <time class={className} title={exactTime(time)}>
      {clockTime(time)}
    </time>
  );
}

function Quote({ id, parent, goTo }: { id: string; parent: Message | undefined; goTo: () => void }) {
  return (
    <button type="button" class="quote" onClick={goTo}>
      {parent ? (
        <>
          <strong>{say('replyTo', visible(nameOf(parent)))}</strong> {visible(excerptOf(parent))}
        </>
      ) : (
        say('replyToUnloaded', brief(id))
      )}
    </button>
  );
}

/** VS Code's own menu of this message, where the pointer or the focus is. */
function openMenu(event: MouseEvent) {
  const button = event.currentTarget as Element;
  const { left, bottom } = button.getBoundingClientRect();
  button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
}

/** The first line that says something, without the marks of Markdown and HTML. */
function excerptOf({ content, contentType }: Message): string {
  const start = (content.text ?? '').slice(0, 2000);
  const lines = (contentType === 'html' ? start.replace(/<[^>]*>/g, ' ').trim() : start)
    .split('\n')
    .filter((line) => !line.startsWith('```') && /[\p{L}\p{N}]/u.test(line));
  const said = lines[0]?.replace(/^[\s#>*-]+|[*`]/g, '');
  const text = said || content.fileName || content.imageKey || contentType;
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

const nameOf = ({ senderNickname, senderId }: Message) => senderNickname || senderId;

/** The ID of the element of a message, and back. */
export const anchorOf = (key: string) => `message-${key}`;
export const keyOf = ({ id }: Element) => id.replace('message-', '');
