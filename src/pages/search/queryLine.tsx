/** The line for the words to search for. */
import type { RefObject } from 'preact';
import { l10n } from '../common/host.ts';

interface Props {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  /** The text has changed, but an input method is still composing a part of it. */
  compose(text: string): void;
  search(text: string): void;
  goToResults(): void;
}

export function QueryLine({ input, text, compose, search, goToResults }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') goToResults();
    else if (event.key === 'Enter') search(text);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={input}
      class="query"
      type="search"
      autocomplete="off"
      spellcheck={false}
      placeholder={l10n.t('Words, "exact phrase", begin*, -without')}
      aria-label={l10n.t('Search messages')}
      value={text}
      onInput={({ currentTarget: { value }, isComposing }) => (isComposing ? compose(value) : search(value))}
      onCompositionEnd={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
