/** One entry of the history: a message with its sender, time, quote, content and buttons. */
import type { Message } from '../../service/message.ts';
import type { Entry as EntryModel } from '../protocol.ts';
import { Buttons } from './buttons.tsx';
import { Content, Raw } from './content.tsx';
import { labels, say } from './host.ts';
import { clockTime, exactTime } from './times.ts';

/** Messages of one sender that follow each other within this time (milliseconds) stand under one name. */
const GROUPED_WITHIN = 5 * 60_000;

interface Props {
  entry: EntryModel;
  previous: EntryModel | undefined;
  /** Finds a loaded message, for quotes. */
  find(id: string): Message | undefined;
}

export function Entry({ entry, previous, find }: Props) {
  if (!entry.readable) {
    return (
      <li class="entry">
        <Raw title={labels.unreadable} value={entry.raw} />
      </li>
    );
  }
  const { message, raw } = entry;
  const continues = previous?.readable === true && follows(message, previous.message);
  return (
    <li class={continues ? 'entry continues' : 'entry'} id={anchorOf(message.msgId)} tabIndex={-1}>
      {!continues && <Header message={message} />}
      {message.parentId && <Quote id={message.parentId} parent={find(message.parentId)} />}
      {message.commandName && <p class="command">{say('command', message.commandName)}</p>}
      <Content message={message} raw={raw} />
      <Buttons rows={message.content.buttons ?? []} />
      {continues && <Time class="side-time" time={message.sendTime} />}
    </li>
  );
}

function Header({ message }: { message: Message }) {
  const name = nameOf(message);
  return (
    <div class="header">
      <span class={`avatar hue-${hueOf(message.senderId)}`} aria-hidden="true">
        {[...name.trim()][0]?.toUpperCase() ?? '?'}
      </span>
      <span class="sender" title={message.senderId}>
        {name}
      </span>
      {message.senderType === 'bot' && <span class="badge">{labels.bot}</span>}
      {message.senderType !== 'bot' && message.senderType !== 'user' && message.senderType && (
        <span class="badge">{message.senderType}</span>
      )}
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

function Quote({ id, parent }: { id: string; parent: Message | undefined }) {
  if (!parent) return <p class="quote">{say('replyToUnloaded', id)}</p>;
  const show = () => {
    const target = document.getElementById(anchorOf(id));
    const scroller = target?.closest('main');
    if (!target || !scroller) return;
    // Not scrollIntoView, which moves the frames around the page as well.
    scroller.scrollTop = target.offsetTop - scroller.offsetTop - (scroller.clientHeight - target.offsetHeight) / 2;
    target.focus({ preventScroll: true });
  };
  return (
    <button type="button" class="quote" onClick={show}>
      <strong>{say('replyTo', nameOf(parent))}</strong> {excerptOf(parent)}
    </button>
  );
}

function follows(message: Message, previous: Message): boolean {
  const apart = (message.sendTime ?? 0) - (previous.sendTime ?? 0);
  return message.senderId === previous.senderId && apart < GROUPED_WITHIN && !message.parentId;
}

/** The first line that says something, without the marks of Markdown. */
function excerptOf({ content, contentType }: Message): string {
  const lines = (content.text ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('```') && /[\p{L}\p{N}]/u.test(line));
  const said = lines[0]?.replace(/^[\s#>*-]+|[*`]/g, '');
  const text = said || content.fileName || content.imageKey || contentType;
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

const nameOf = ({ senderNickname, senderId }: Message) => senderNickname || senderId;
const anchorOf = (msgId: string) => `message-${msgId}`;

/** One of eight colours, the same for a sender everywhere. */
function hueOf(senderId: string): number {
  let hash = 0;
  for (const character of senderId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x9e3779b1);
  return hash >>> 29;
}
