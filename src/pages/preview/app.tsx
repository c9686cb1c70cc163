/** The preview of a draft: sender, recipients, problems, and the message as the history will show it. */
import { render } from 'preact';
import * as v from 'valibot';
import { escapeAllInvisible, escapeInvisible, shownCount } from '../../markup/escapeInvisible.ts';
import { type Matches, PreviewPageState, type ShownDraft, ToPreview } from '../../protocol/preview.ts';
import type { Message } from '../../service/message.ts';
import { Buttons } from '../common/buttons.tsx';
import { MessageContent } from '../common/content.tsx';
import { formatNumber } from '../common/formats.ts';
import { connect, l10n, openLinksThroughHost, postToPreview, readEmbedded, saveState } from '../common/host.ts';
import { Avatar } from '../common/sender.tsx';
import { carryOpenState } from '../common/text.tsx';
import { Steps } from './steps.tsx';

/** Renders the preview on each message from the host. */
export function showPreview(): void {
  let content = {};
  let draft: ShownDraft | undefined;
  let matches: Matches | undefined;
  saveState(v.parse(PreviewPageState, { document: readEmbedded('document') }));
  openLinksThroughHost();
  connect(ToPreview, (message) => {
    if (message.type === 'matches') matches = message;
    else {
      draft = message;
      const next = draft.message?.content ?? content;
      carryOpenState(content, next);
      content = next;
    }
    if (draft) render(<App draft={draft} matches={matches} />, document.body);
  });
}

/** How many problems are shown at first: more would hide the message. */
const MAX_PROBLEMS = 5;

function App({ draft, matches }: { draft: ShownDraft; matches: Matches | undefined }) {
  const { message, problems, step, canSend, note } = draft;
  return (
    <>
      {note !== undefined && <p class="note">{note}</p>}
      <header class="heading">
        <div class="whom">{message && <Heading draft={draft} bot={message.senderNickname} />}</div>
        {/* Not `disabled`, which takes the focus away. */}
        <button
          type="button"
          class="action"
          aria-disabled={!canSend}
          onClick={() => canSend && postToPreview({ type: 'send' })}
        >
          {l10n.t('Send…')}
        </button>
      </header>
      {step && <Steps step={step} matches={matches} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <main tabIndex={0}>
        {problems.length > 0 && <Problems problems={problems} />}
        {message && <MessagePreview message={message} />}
      </main>
    </>
  );
}

function Heading({ draft, bot }: { draft: ShownDraft; bot: string }) {
  const { recipients, total, leftOut, namesBot, namesRecipients, varies, step } = draft;
  const namesOf = (kind: 'group' | 'user') => recipients.filter((one) => one.kind === kind);
  return (
    <>
      {bot && <p>{l10n.t('Sent as {0}', escapeAllInvisible(bot))}</p>}
      {!namesBot && <p>{l10n.t("The document doesn't name a bot. If several can send it, you choose one then.")}</p>}
      {!namesRecipients && (
        <p>{l10n.t("The document doesn't name any recipients. You choose them when you send it.")}</p>
      )}
      {varies && !step && (
        <p>{l10n.t('Each recipient gets a message with their own values in place of the variables.')}</p>
      )}
      <Names title={l10n.t('Groups')} all={namesOf('group')} />
      <Names title={l10n.t('People')} all={namesOf('user')} />
      {!step && total > recipients.length && (
        <button type="button" class="link" onClick={() => postToPreview({ type: 'more' })}>
          {l10n.t('… and {0} more', formatNumber(total - recipients.length))}
        </button>
      )}
      {leftOut !== undefined && <p class="summary out">⊘ {leftOut}</p>}
    </>
  );
}

function Names({ title, all }: { title: string; all: ShownDraft['recipients'] }) {
  if (all.length === 0) return null;
  return (
    <div class="names">
      <span class="summary">{title}</span>
      <ul aria-label={title}>
        {all.map(({ id, name, problem, leftOut }) => (
          <li key={id} title={leftOut ?? problem ?? id} class={leftOut === undefined ? problem && 'unknown' : 'out'}>
            {leftOut !== undefined && (
              <span role="img" aria-label={escapeInvisible(leftOut)}>
                ⊘
              </span>
            )}
            {leftOut === undefined && problem && (
              <span role="img" aria-label={escapeInvisible(problem)}>
                ⚠
              </span>
            )}
            <bdi>{leftOut === undefined ? escapeAllInvisible(name) : <s>{escapeAllInvisible(name)}</s>}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The problems; each links to its position in the document, or to its line in the file of recipients. */
function Problems({ problems }: { problems: ShownDraft['problems'] }) {
  const count = shownCount(problems.length, MAX_PROBLEMS);
  const more = problems.slice(count);
  return (
    <div class="problems">
      <ProblemList problems={problems.slice(0, count)} />
      {more.length > 0 && (
        <details>
          <summary>{l10n.t('… and {0} more', formatNumber(more.length))}</summary>
          <ProblemList problems={more} />
        </details>
      )}
    </div>
  );
}

function ProblemList({ problems }: { problems: ShownDraft['problems'] }) {
  return (
    <ul aria-label={l10n.t('Problems')}>
      {problems.map(({ text, severity, start, end, line, rule }, index) => (
        <li key={index} class={severity}>
          <span role="img" aria-label={severity === 'error' ? l10n.t('Error') : l10n.t('Warning')}>
            {severity === 'error' ? '✖' : '⚠'}
          </span>
          <button
            type="button"
            class="link"
            onClick={() =>
              postToPreview(
                line === undefined ? { type: 'place', start, end } : { type: 'row', line, ...(rule && { rule }) },
              )
            }
          >
            {escapeInvisible(text)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function MessagePreview({ message }: { message: Message }) {
  // A document that names no bot is sent by “Bot”.
  const name = message.senderNickname || l10n.t('Bot');
  const rows = message.content.buttons ?? [];
  return (
    <article class="entry">
      <div class="header">
        <Avatar id={message.senderId} name={name} />
        <span class="sender">{escapeAllInvisible(name)}</span>
        {message.senderNickname && <span class="badge">{l10n.t('Bot')}</span>}
      </div>
      <MessageContent message={message} raw={undefined} openImage={undefined} />
      <Buttons key={JSON.stringify(rows)} rows={rows} />
    </article>
  );
}
