/** A picture with its title and, on demand, its numbers. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { l10n } from '../common/host.ts';

interface Props {
  title: string;
  notes?: (string | false)[];
  /** The head of the table, and its rows, each with its name first. */
  columns: readonly string[];
  rows(): (readonly string[])[];
  isWide?: boolean;
  children: ComponentChildren;
}

export function Picture({ title, notes = [], columns, rows, isWide = false, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section class={isWide ? 'wide' : ''} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {notes.map((note) => note && <p class="summary">{note}</p>)}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{l10n.t('Show Numbers')}</summary>
        {isOpen && <Numbers title={title} columns={columns} rows={rows()} />}
      </details>
    </section>
  );
}

function Numbers({ title, columns, rows }: { title: string; columns: readonly string[]; rows: (readonly string[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
    <section class="numbers" tabIndex={0} aria-label={l10n.t('{0}: {1}', l10n.t('Show Numbers'), title)}>
      <table aria-label={title}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
