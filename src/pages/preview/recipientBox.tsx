/** Goes to one of many recipients by a part of a name or an ID. The host searches, so that the page needs no list. */
import { useMemo, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { Matches } from '../../protocol/preview.ts';
import { ComboBox } from '../common/controls.tsx';
import { l10n, postToPreview } from '../common/host.ts';

/** Longer names and IDs don't exist (UTF-16 units). */
const MAX_TYPED = 300;

/** The number of the last search: an answer to an earlier one is of no use. */
let lastSearch = 0;

export function RecipientBox({ matches }: { matches: Matches | undefined }) {
  const [text, setText] = useState('');
  const isAnswered = text !== '' && matches?.search === lastSearch;
  const found = useMemo(
    () => (isAnswered ? { options: matches.recipients, hasMore: matches.hasMore } : undefined),
    [isAnswered, matches],
  );
  const look = (typed: string) => {
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
        keyOf: ({ kind, id }) => `${kind} ${id}`,
        show: ({ id, name }) => (
          <>
            <bdi class="name">{excerpt(name)}</bdi>
            {name !== id && <bdi class="id">{id}</bdi>}
          </>
        ),
      }}
      found={found}
      look={look}
      choose={({ kind, id }) => postToPreview({ type: 'goTo', kind, id })}
    />
  );
}
