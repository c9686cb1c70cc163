/** A ranking as horizontal bars. */
import type { ComponentChildren } from 'preact';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { formatNumber, isolate } from '../common/formats.ts';
import { l10n } from '../common/host.ts';
import { formatShare } from './formats.ts';
import { Picture } from './picture.tsx';

/** How many bars there are besides the one for all others. */
const MAX_BARS = 15;

interface Entry {
  readonly name: string;
  /** The text that tells the entry from others of the same name. */
  readonly detail?: string;
  readonly badge?: string | undefined;
  readonly count: number;
  onSelect(): void;
}

interface Props {
  title: string;
  /** The heading of the entries. */
  column: string;
  entries: readonly Entry[];
  /** The values that have no entry of their own. */
  others: { names: number; count: number };
  notes?: (string | false)[];
}

export function BarList({ title, column, entries, others, notes = [] }: Props) {
  if (entries.length === 0) return null;
  const more = entries.slice(MAX_BARS);
  const rest = { names: others.names + more.length, count: others.count + total(more) };
  const all = others.count + total(entries);
  const most = Math.max(entries[0]?.count ?? 0, rest.count);
  const othersName = (names: number) => (names === 1 ? l10n.t('1 other') : l10n.t('{0} others', formatNumber(names)));
  const rows = () => [
    ...entries.map(({ name, detail, count }) => row([isolate(name), detail && isolate(detail)], count, all)),
    ...(others.names > 0 ? [row([othersName(others.names)], others.count, all)] : []),
  ];
  return (
    <Picture title={title} notes={notes} columns={[column, l10n.t('Count'), l10n.t('Share')]} rows={rows}>
      <ul class="bars">
        {entries.slice(0, MAX_BARS).map(({ name, detail, badge, count, onSelect }, index) => (
          <li key={index}>
            <button
              type="button"
              title={[isolate(name), detail && isolate(detail)].filter(Boolean).join(' · ')}
              onClick={onSelect}
            >
              <Bar count={count} most={most}>
                <bdi>{excerpt(name)}</bdi>
                {badge && <span class="badge">{badge}</span>}
              </Bar>
            </button>
          </li>
        ))}
        {rest.names > 0 && (
          <li class="others">
            <Bar count={rest.count} most={most}>
              {othersName(rest.names)}
            </Bar>
          </li>
        )}
      </ul>
    </Picture>
  );
}

function Bar({ count, most, children }: { count: number; most: number; children: ComponentChildren }) {
  return (
    <>
      <span class="name">{children}</span>
      <svg class="line" aria-hidden="true">
        <rect class="value" width={`${Math.max((count / most) * 100, 0.5)}%`} height="100%" />
      </svg>
      <span class="number">{formatNumber(count)}</span>
    </>
  );
}

const total = (entries: readonly Entry[]) => entries.reduce((sum, { count }) => sum + count, 0);

const row = (names: (string | undefined)[], count: number, all: number) => [
  names.filter(Boolean).join(' · '),
  formatNumber(count),
  formatShare(count, all),
];
