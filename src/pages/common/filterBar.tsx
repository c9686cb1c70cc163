/** The bar above a list that filters it: by a text, and by the state of its rows. */
import type { ComponentChildren } from 'preact';
import { formatNumber } from './formats.ts';

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly icon?: ComponentChildren;
  /** How many rows have this state. */
  readonly count: number;
}

interface Props<T> {
  /** What the box for the text asks for. */
  label: string;
  text: string;
  filterText(text: string): void;
  choices: readonly Choice<T>[];
  /** The states that are listed. */
  chosen: readonly T[];
  choose(values: T[]): void;
  /** The part of the bar that follows. */
  children: ComponentChildren;
}

export function FilterBar<T extends string>({ label, text, filterText, choices, chosen, choose, children }: Props<T>) {
  const onText = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    currentTarget.value !== text && filterText(currentTarget.value);
  return (
    <search class="filters">
      <input
        type="search"
        placeholder={label}
        aria-label={label}
        defaultValue={text}
        // The text isn't used while pinyin is being composed.
        onInput={(event) => !event.isComposing && onText(event)}
        onCompositionEnd={onText}
      />
      {choices.map(({ value, label, icon, count }) => {
        const isOn = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            class="choice"
            aria-pressed={isOn}
            onClick={() => choose(isOn ? chosen.filter((one) => one !== value) : [...chosen, value])}
          >
            {icon}
            <span class="word">{label}</span> {formatNumber(count)}
          </button>
        );
      })}
      {children}
    </search>
  );
}
