/** Controls that HTML lacks. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface IconButtonProps {
  label: string;
  /** An SVG path, 16 units wide and high. */
  icon: string;
  /** Whether the button is disabled: it can have the focus, but does nothing. */
  isDisabled?: boolean;
  onClick(): void;
}

/** A button that shows only an icon. */
export function IconButton({ label, icon, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon"
      title={label}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onClick()}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={icon} fill="none" stroke="currentColor" stroke-width="1.4" />
      </svg>
    </button>
  );
}

interface ComboBoxProps<T> {
  label: string;
  placeholder: string;
  /** The text in the box while nothing is typed. */
  value?: string;
  /** The maximum length of typed text (UTF-16 units). */
  maxLength?: number;
  list: ListProps<T>;
  /** The choices; undefined while they are being looked for, and if none are offered. */
  found: Found<T> | undefined;
  /** The text in the box has changed: it was typed, or is empty because the list was closed. */
  find(text: string): void;
  /** The text was removed. */
  clear?(): void;
  choose(option: T): void;
}

interface ListProps<T> {
  label: string;
  /** Says that nothing matches. */
  none: string;
  keyOf(option: T): string;
  show(option: T): ComponentChildren;
}

interface Found<T> {
  readonly options: readonly T[];
  /** Whether more choices match. */
  readonly hasMore: boolean;
}

/**
 * A box to choose one of many by typing a part of the name: choices that match are below it. A `datalist` won't do: VS Code
 * shows it in the wrong place in webviews, and it can't tell choices with the same name apart.
 */
export function ComboBox<T>({
  label,
  placeholder,
  value = '',
  maxLength,
  list,
  found,
  find,
  clear,
  choose,
}: ComboBoxProps<T>) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** The text that was typed since the list was opened. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before something was found. */
  const [isEntered, setEntered] = useState(false);
  const shown = isOpen ? found : undefined;

  const open = (text?: string) => {
    setIsOpen(true);
    setTyped(text);
    setActive(0);
    setEntered(false);
    if (text !== undefined) find(text);
  };
  const close = () => {
    setIsOpen(false);
    setTyped(undefined);
    if (typed) find('');
  };
  const pick = (index: number) => {
    const option = shown?.options[index];
    if (option === undefined) return;
    close();
    choose(option);
  };
  useEffect(() => {
    if (shown && isEntered) pick(0);
    setEntered(false);
  }, [shown]);
  const onInput = (text: string) => {
    open(text);
    if (!text) clear?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && !isOpen) open();
    else if (step !== undefined) setActive(Math.max(0, Math.min((shown?.options.length ?? 0) - 1, active + step)));
    else if (event.key === 'Enter' && isOpen) shown ? pick(active) : setEntered(true);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };

  return (
    <div class="combo-box">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        maxLength={maxLength}
        title={label}
        aria-label={label}
        aria-expanded={shown !== undefined}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={shown?.options[active] === undefined ? undefined : optionId(id, active)}
        placeholder={placeholder}
        value={typed ?? value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onClick={() => !isOpen && open()}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {shown && <List id={id} {...list} {...shown} active={active} pick={pick} />}
    </div>
  );
}

const optionId = (list: string, index: number) => `${list}-${index}`;

type ShownList<T> = ListProps<T> & Found<T> & { id: string; active: number; pick(index: number): void };

/** The choices, of which one is active. The box has the focus, and handles keys. */
function List<T>({ id, label, none, keyOf, show, options, hasMore, active, pick }: ShownList<T>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [options, active]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press must not move the focus from the box
    <div class="suggestions" onMouseDown={(event) => event.preventDefault()}>
      <div ref={list} id={id} role="listbox" tabIndex={-1} aria-label={label}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles keys
          <div
            key={keyOf(option)}
            id={optionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => pick(index)}
          >
            {show(option)}
          </div>
        ))}
      </div>
      {hasMore && <p>…</p>}
      {options.length === 0 && <p role="status">{none}</p>}
    </div>
  );
}
