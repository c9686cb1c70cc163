/** The senders offered below the box, of which one is active. The box has the focus, and handles keys. */
import { useEffect, useRef } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { l10n } from '../common/host.ts';
import type { SenderOptions } from './senderOptions.ts';

/** The IDs of the list, and of an option in it. */
export const LIST = 'senders';
export const optionId = (index: number) => `sender-${index}`;

interface Props extends SenderOptions {
  active: number;
  pick(index: number): void;
}

export function SenderList({ options, hasMore, active, pick }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [options, active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press must not move the focus from the box
    <div class="senders suggestions" onMouseDown={(event) => event.preventDefault()}>
      <div ref={list} id={LIST} role="listbox" tabIndex={-1} aria-label={l10n.t('Sender')}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
          <div
            key={option.sender ?? ''}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => pick(index)}
          >
            {option.sender === undefined ? l10n.t('All senders') : excerpt(option.name)}
          </div>
        ))}
      </div>
      {hasMore && <p>…</p>}
      {options.length === 0 && <p>{l10n.t('No matching senders')}</p>}
    </div>
  );
}
