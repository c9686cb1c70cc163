/** A draft: who sends it to whom, what the checks say, and the message as the history will show it. */

import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { PreviewWords, ToPreview } from '../../protocol/preview.ts';
import type { Message } from '../../service/message.ts';
import { Buttons } from '../shared/buttons.tsx';
import { MessageContent } from '../shared/content.tsx';
import { formatNumber } from '../shared/formats.ts';
import { formatText, labels, pictures, postToHost, readStrings } from '../shared/host.ts';
import { Avatar } from '../shared/sender.tsx';

const words = readStrings<PreviewWords>('words');

export function DraftPreview({ draft }: { draft: ToPreview }) {
  const { message, problems, isCurrent, canSend } = draft;
  return (
    <>
      <header class="heading">
        <div class="whom">{message && <Whom draft={draft} bot={message.senderNickname} />}</div>
        <button type="button" class="action" disabled={!canSend} onClick={() => postToHost({ type: 'send' })}>
          {words.send}
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too. */}
      <main tabIndex={0}>
        {problems.length > 0 && <Problems problems={problems} />}
        {message && !isCurrent && (
          <p class="outdated" role="status">
            {words.outdated}
          </p>
        )}
        {message && <Said message={message} isCurrent={isCurrent} />}
      </main>
    </>
  );
}

function Whom({ draft: { recipients, total }, bot }: { draft: ToPreview; bot: string }) {
  const namesOf = (kind: 'group' | 'user') => recipients.filter((one) => one.kind === kind);
  return (
    <>
      <p>{bot ? formatText(words.sendAs, escapeInvisible(bot)) : words.noBot}</p>
      {total === 0 && <p>{words.noRecipients}</p>}
      <Names title={words.groups} all={namesOf('group')} />
      <Names title={words.people} all={namesOf('user')} />
      {total > recipients.length && (
        <button type="button" class="link" onClick={() => postToHost({ type: 'all' })}>
          {formatText(words.more, formatNumber(total - recipients.length))}
        </button>
      )}
    </>
  );
}

function Names({ title, all }: { title: string; all: ToPreview['recipients'] }) {
  if (all.length === 0) return null;
  return (
    <div class="names">
      <span class="summary">{title}</span>
      <ul aria-label={title}>
        {all.map(({ id, name }) => (
          <li key={id} title={id}>
            <bdi>{escapeInvisible(name)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Each leads to its place in the document. */
function Problems({ problems }: { problems: ToPreview['problems'] }) {
  return (
    <ul class="problems" aria-label={words.problems}>
      {problems.map(({ text, severity, start, end }, index) => (
        <li key={index} class={severity}>
          <span role="img" aria-label={words[severity]}>
            {severity === 'error' ? '✖' : '⚠'}
          </span>
          <button type="button" class="link" onClick={() => postToHost({ type: 'place', start, end })}>
            {escapeInvisible(text)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Said({ message, isCurrent }: { message: Message; isCurrent: boolean }) {
  const name = escapeInvisible(message.senderNickname);
  const rows = message.content.buttons ?? [];
  return (
    <article class={isCurrent ? 'entry' : 'entry stale'}>
      <div class="header">
        <Avatar id={message.senderId} name={name} />
        <span class="sender">{name}</span>
        <span class="badge">{labels.bot}</span>
      </div>
      <MessageContent message={message} raw={undefined} pictures={pictures} />
      <Buttons key={JSON.stringify(rows)} rows={rows} />
    </article>
  );
}
