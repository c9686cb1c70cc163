/** One message that was found: who wrote it, where and when, and a part of its text. */
import { Component } from 'preact';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { FoundView } from '../../protocol/search.ts';
import { formatDateTime, formatExactTime } from '../common/formats.ts';
import { postToHost } from '../common/host.ts';
import { kindName } from '../common/kindName.ts';
import { labels } from './searchHost.ts';
import { snippetPieces } from './snippetPieces.ts';

interface Props {
  found: FoundView;
  index: number;
  chatName: string;
  /** Whether it takes keyboard focus. */
  isCurrent: boolean;
}

/** Rendered again only if it has changed: there may be thousands. */
export class Result extends Component<Props> {
  override shouldComponentUpdate({ found, index, chatName, isCurrent }: Props): boolean {
    const { props } = this;
    return (
      found !== props.found || index !== props.index || chatName !== props.chatName || isCurrent !== props.isCurrent
    );
  }

  override render() {
    const { found, index, chatName, isCurrent } = this.props;
    const { chat, msgId, senderName, time, kind } = found;
    return (
      <li>
        <button
          type="button"
          class="result"
          data-index={index}
          tabIndex={isCurrent ? 0 : -1}
          aria-disabled={!msgId}
          title={msgId ? undefined : labels.cannotOpen}
          onClick={() => msgId && postToHost({ type: 'openMessage', chat, msgId })}
        >
          <span class="result-head">
            {senderName && <Name class="from" name={excerpt(senderName)} />}
            {chatName && <Name class="chat" name={chatName} />}
            {kind && <span class="badge">{excerpt(kindName(kind))}</span>}
            <time title={formatExactTime(time)}>{formatDateTime(time)}</time>
          </span>
          <bdi class="snippet">
            {snippetPieces(found).map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
          </bdi>
        </button>
      </li>
    );
  }
}

/** A name that may be cut off. */
function Name({ class: className, name }: { class: string; name: string }) {
  return (
    <bdi class={className} title={name}>
      {name}
    </bdi>
  );
}
