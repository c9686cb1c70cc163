/** The recipient whose message is shown, what is missing in it, and the way to others. */
import { useMemo, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible, excerpt, shownCount } from '../../markup/escapeInvisible.ts';
import type { Matches, RecipientStep } from '../../protocol/preview.ts';
import { chatKey } from '../../service/model.ts';
import { ComboBox, IconButton } from '../common/controls.tsx';
import { formatNumber } from '../common/formats.ts';
import { l10n, postToPreview } from '../common/host.ts';

/** How many problems of a recipient are shown: more would hide the message. */
const MAX_PROBLEMS = 5;

export function Steps({ step, matches }: { step: RecipientStep; matches: Matches | undefined }) {
  const { name, id, position, total, problems, withProblems, onlyWithProblems, leftOut, leftOutCount, unchecked } =
    step;
  const go = (by: 1 | -1) => postToPreview({ type: 'step', by });
  const among = l10n.t('{0} of {1}', formatNumber(position), formatNumber(total));
  const isSomeoneOut = leftOutCount > 0 && !onlyWithProblems;
  const place = isSomeoneOut ? l10n.t('{0}, {1} left out', among, formatNumber(leftOutCount)) : among;
  const count = l10n.t('Only those with problems ({0})', formatNumber(withProblems));
  const shown = problems.slice(0, shownCount(problems.length, MAX_PROBLEMS));
  const more = problems.length - shown.length;
  return (
    <section class="steps" aria-label={l10n.t('Recipient')}>
      <div class="step">
        <IconButton
          label={l10n.t('Previous recipient')}
          icon={PREVIOUS}
          isDisabled={position === 1}
          onClick={() => go(-1)}
        />
        <IconButton
          label={l10n.t('Next recipient')}
          icon={NEXT}
          isDisabled={position === total}
          onClick={() => go(1)}
        />
        <p role="status">
          <span class="position">{place}</span>
          <span class="who" title={escapeAllInvisible(name === id ? id : `${name} ${id}`)}>
            <bdi class="name">
              {leftOut === undefined ? escapeAllInvisible(name) : <s>{escapeAllInvisible(name)}</s>}
            </bdi>
            {name !== id && <bdi class="id">{id}</bdi>}
          </span>
        </p>
      </div>
      <div class="finding">
        <RecipientBox matches={matches} />
        <label class={withProblems > 0 ? 'only' : 'only off'}>
          {/* Not `disabled`, which takes the focus away. */}
          <input
            type="checkbox"
            checked={onlyWithProblems}
            aria-disabled={withProblems === 0}
            onClick={(event) => withProblems === 0 && event.preventDefault()}
            onChange={({ currentTarget }) => postToPreview({ type: 'onlyWithProblems', isOn: currentTarget.checked })}
          />
          {withProblems > 0 ? count : l10n.t('Only those with problems')}
        </label>
      </div>
      {leftOut !== undefined && <p class="out">⊘ {l10n.t('Gets nothing. {0}', escapeInvisible(leftOut))}</p>}
      {problems.length > 0 && (
        <ul class="lacking">
          {shown.map((text, index) => (
            <li key={index}>
              <span role="img" aria-label={l10n.t('Warning')}>
                ⚠
              </span>
              {escapeInvisible(text)}
            </li>
          ))}
          {more > 0 && <li>{l10n.t('… and {0} more', formatNumber(more))}</li>}
        </ul>
      )}
      {unchecked !== undefined && <p class="unchecked">{unchecked}</p>}
    </section>
  );
}

const PREVIOUS = 'M10 3.5 5.5 8 10 12.5';
const NEXT = 'M6 3.5 10.5 8 6 12.5';

/** The longest text that can be typed (UTF-16 units): names and IDs are shorter. */
const MAX_TYPED = 300;

/** The number of the last search: answers to earlier ones are ignored. */
let lastSearch = 0;

/** Goes to one of many recipients by a part of a name or an ID. The host searches, so that the page needs no list. */
function RecipientBox({ matches }: { matches: Matches | undefined }) {
  const [text, setText] = useState('');
  const isAnswered = text !== '' && matches?.search === lastSearch;
  const found = useMemo(
    () => (isAnswered ? { options: matches.recipients, hasMore: matches.hasMore } : undefined),
    [isAnswered, matches],
  );
  const find = (typed: string) => {
    setText(typed);
    lastSearch++;
    if (typed) postToPreview({ type: 'find', search: lastSearch, text: typed });
  };
  return (
    <ComboBox
      label={l10n.t('Go to a name or ID')}
      placeholder={l10n.t('Go to a name or ID')}
      maxLength={MAX_TYPED}
      list={{
        label: l10n.t('Recipients'),
        none: l10n.t('No matching recipients'),
        keyOf: ({ kind, id }) => chatKey({ kind, id }),
        show: ({ id, name }) => (
          <>
            <bdi class="name">{excerpt(name)}</bdi>
            {name !== id && <bdi class="id">{id}</bdi>}
          </>
        ),
      }}
      found={found}
      find={find}
      choose={({ kind, id }) => postToPreview({ type: 'goTo', kind, id })}
    />
  );
}
