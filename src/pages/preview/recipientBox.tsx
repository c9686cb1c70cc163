/** Goes to one of many recipients by a part of a name or an ID. The host searches, so that the page needs no list. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { Matches } from '../../protocol/preview.ts';
import { l10n, postToHost } from '../common/host.ts';

const LIST = 'recipients';
const optionId = (index: number) => `recipient-${index}`;

/** Longer names and IDs don't exist (UTF-16 units). */
const MAX_TYPED = 300;

/** The number of the last search: an answer to an earlier one is of no use. */
let lastSearch = 0;

export function RecipientBox({ matches }: { matches: Matches | undefined }) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before the answer came. */
  const [isEntered, setEntered] = useState(false);
  const found = typed && matches?.search === lastSearch ? matches : undefined;

  const type = (text: string) => {
    setTyped(text);
    setActive(0);
    setEntered(false);
    lastSearch++;
    if (text) postToHost({ type: 'find', search: lastSearch, text });
  };
  const pick = (index: number) => {
    const recipient = found?.recipients[index];
    if (!recipient) return;
    const { kind, id } = recipient;
    postToHost({ type: 'goTo', kind, id });
    type('');
  };
  useEffect(() => {
    if (found && isEntered) pick(0);
    setEntered(false);
  }, [found]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || !typed) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setActive(Math.max(0, Math.min((found?.recipients.length ?? 0) - 1, active + step)));
    } else if (event.key === 'Enter') found ? pick(active) : setEntered(true);
    else if (event.key === 'Escape') type('');
    else return;
    event.preventDefault();
  };

  return (
    <div class="recipient-box">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        maxLength={MAX_TYPED}
        title={l10n.t('Go to a name or ID')}
        aria-label={l10n.t('Go to a name or ID')}
        aria-expanded={found !== undefined}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={found?.recipients[active] ? optionId(active) : undefined}
        placeholder={l10n.t('Go to a name or ID')}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => type('')}
        onKeyDown={onKeyDown}
      />
      {found && <MatchList matches={found} active={active} pick={pick} />}
    </div>
  );
}

function MatchList(props: { matches: Matches; active: number; pick(index: number): void }) {
  const { matches, active, pick } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [matches, active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press must not move the focus from the box
    <div class="matches suggestions" onMouseDown={(event) => event.preventDefault()}>
      <div ref={list} id={LIST} role="listbox" tabIndex={-1} aria-label={l10n.t('Recipients')}>
        {matches.recipients.map(({ kind, id, name }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
          <div
            key={`${kind} ${id}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => pick(index)}
          >
            <bdi class="name">{excerpt(name)}</bdi>
            {name !== id && <bdi class="id">{id}</bdi>}
          </div>
        ))}
      </div>
      {matches.hasMore && <p>…</p>}
      {matches.recipients.length === 0 && <p role="status">{l10n.t('No matching recipients')}</p>}
    </div>
  );
}
