/**
 * Chooses one of thousands of senders by typing a part of the name. Not a `datalist`: VS Code shows those of webviews in
 * the wrong place, and they can't tell two senders with the same name apart.
 */
import { useMemo, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { SearchScope } from '../../protocol/search.ts';
import { l10n } from '../common/host.ts';
import { LIST, optionId, SenderList } from './senderList.tsx';
import { senderOptions } from './senderOptions.ts';

interface Props {
  senders: SearchScope['senders'];
  /** The chosen one, if any. */
  sender: string | undefined;
  choose(sender: string | undefined): void;
}

export function SenderBox({ senders, sender, choose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  /** What was typed since the list was opened. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const name = useMemo(() => senders.find((one) => one.sender === sender)?.name ?? '', [senders, sender]);
  const { options, hasMore } = useMemo(() => senderOptions(senders, typed ?? ''), [senders, typed]);

  const open = (text?: string) => {
    setIsOpen(true);
    setTyped(text);
    setActive(0);
  };
  const close = () => {
    setIsOpen(false);
    setTyped(undefined);
  };
  const pick = (index: number) => {
    const option = options[index];
    if (!option) return;
    close();
    choose(option.sender);
  };
  const onInput = (text: string) => {
    open(text);
    if (!text) choose(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && !isOpen) open();
    else if (step !== undefined) setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    else if (event.key === 'Enter' && isOpen) pick(active);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };

  return (
    <div class="sender-box">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        title={l10n.t('Sender')}
        aria-label={l10n.t('Sender')}
        aria-expanded={isOpen}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[active] ? optionId(active) : undefined}
        placeholder={l10n.t('All senders')}
        value={typed ?? excerpt(name)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onClick={() => !isOpen && open()}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {isOpen && <SenderList options={options} hasMore={hasMore} active={active} pick={pick} />}
    </div>
  );
}
