/** One message that was found: who wrote it, where and when, and parts of what it quotes, says and offers. */
import type { ComponentChildren } from 'preact';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { FoundParts, FoundText, FoundView } from '../../protocol/search.ts';
import { formatDateTime, formatExactTime, kindName } from '../common/formats.ts';
import { l10n, postToSearch } from '../common/host.ts';
import { memo } from '../common/virtualRows.tsx';
import { snippetPieces } from './snippetPieces.ts';

interface Props {
  found: FoundView;
  index: number;
  chatName: string;
  /** Whether it takes keyboard focus. */
  isCurrent: boolean;
}

/** Not rendered again with each other one: there may be thousands. */
export const Result = memo(({ found, index, chatName, isCurrent }: Props) => {
  const { chat, msgId, senderName, time, kind, parts } = found;
  return (
    <li>
      <button
        type="button"
        class="result"
        data-index={index}
        tabIndex={isCurrent ? 0 : -1}
        aria-disabled={!msgId}
        title={msgId ? undefined : l10n.t("This message has no ID, so it can't be opened.")}
        onClick={() => msgId && postToSearch({ type: 'openMessage', chat, msgId })}
      >
        <span class="result-head">
          {senderName && <Name class="from" name={excerpt(senderName)} />}
          {chatName && <Name class="chat" name={chatName} />}
          {kind && <span class="badge">{excerpt(kindName(kind))}</span>}
          <time title={formatExactTime(time)}>{formatDateTime(time)}</time>
        </span>
        <Quote parts={parts} />
        <Excerpt class="snippet" found={parts.said} />
        <Buttons parts={parts} />
      </button>
    </li>
  );
});

/** What it quotes, as in a history. */
function Quote({ parts: { author, quoted } }: { parts: FoundParts }) {
  if (!author.text && !quoted.text) return null;
  const [before, after] = l10n.t('Reply to {0}').split('{0}');
  const name: ComponentChildren = author.text ? (
    <>
      {before}
      <Excerpt found={author} />
      {after}
    </>
  ) : (
    l10n.t('Reply')
  );
  return (
    <span class="quote">
      <span>
        <strong>{name}</strong> <Excerpt found={quoted} />
      </span>
    </span>
  );
}

function Buttons({ parts: { buttons, hasMoreButtons } }: { parts: FoundParts }) {
  if (buttons.length === 0) return null;
  return (
    <span class="labels">
      {buttons.map((label, at) => (
        <Excerpt key={at} class="label" found={label} />
      ))}
      {hasMoreButtons && '…'}
    </span>
  );
}

/** A part of the message with its matches marked. */
function Excerpt({ class: className, found }: { class?: string; found: FoundText }) {
  if (!found.text) return null;
  const pieces = snippetPieces(found);
  return (
    <bdi class={className}>
      {pieces.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
    </bdi>
  );
}

/** A name that may be cut off. */
function Name({ class: className, name }: { class: string; name: string }) {
  return (
    <bdi class={className} title={name}>
      {name}
    </bdi>
  );
}
