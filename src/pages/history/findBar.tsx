/** The bar to find words and to show but some messages. */
import { useEffect, useRef } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { formatLabel, labels } from '../shared/host.ts';
import type { Filter, filterChoices } from './rows.ts';

export interface SearchState {
  readonly text: string;
  /** The keys of what was found, the newest first; undefined while it is looked for. */
  readonly found: readonly string[] | undefined;
  readonly current: number;
}

interface Props {
  choices: ReturnType<typeof filterChoices>;
  finding: SearchState;
  filter: Filter;
  /** Counts how often the bar was asked for: each time, the focus goes there. */
  asked: number;
  find(text: string): void;
  /** Goes on to the next older match, or back to the newer one. */
  step(by: 1 | -1): void;
  use(filter: Filter): void;
  close(): void;
}

export function FindBar({ choices, finding, filter, asked, find, step, use, close }: Props) {
  const input = useRef<HTMLInputElement>(null);
  // Each asking counts.
  useEffect(() => input.current?.select(), [asked]);
  const { senders, kinds } = choices;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search class="bar" onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        placeholder={labels.findIn}
        aria-label={labels.findIn}
        value={finding.text}
        onInput={({ currentTarget }) => find(currentTarget.value)}
      />
      <span class="count" role="status">
        {countOf(finding)}
      </span>
      <IconButton label={labels.previous} mark="M3.5 6 8 10.5 12.5 6" click={() => step(-1)} />
      <IconButton label={labels.next} mark="M3.5 10 8 5.5 12.5 10" click={() => step(1)} />
      <select
        aria-label={labels.allSenders}
        value={filter.sender}
        onChange={({ currentTarget }) => use({ ...filter, sender: currentTarget.value })}
      >
        <option value="">{labels.allSenders}</option>
        {senders.map(([id, { name, count }]) => (
          <option key={id} value={id}>
            {/* Between isolates: a name that is written from right to left leaves the number where it is. */}
            {`\u2068${excerpt(name)}\u2069 (${count})`}
          </option>
        ))}
      </select>
      <select
        aria-label={labels.allKinds}
        value={filter.kind}
        onChange={({ currentTarget }) => use({ ...filter, kind: currentTarget.value })}
      >
        <option value="">{labels.allKinds}</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {excerpt(kind)}
          </option>
        ))}
      </select>
      <IconButton label={labels.close} mark="m4 4 8 8m0-8-8 8" click={close} />
    </search>
  );
}

function countOf({ text, found, current }: SearchState): string {
  if (!text || !found) return '';
  return found.length === 0 ? labels.nothingFound : formatLabel('found', current + 1, found.length);
}

function IconButton({ label, mark, click }: { label: string; mark: string; click: () => void }) {
  return (
    <button type="button" class="icon" title={label} aria-label={label} onClick={click}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={mark} fill="none" stroke="currentColor" stroke-width="1.4" />
      </svg>
    </button>
  );
}
