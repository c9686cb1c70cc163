/** A row of the history: a gap, or a message with what is above it where a day or the new ones begin. */
import type { PageItem } from '../../protocol/history.ts';
import { l10n } from '../common/host.ts';
import { GapRow, type GapSide } from './edges.tsx';
import { Entry, type EntryContext } from './entry.tsx';
import { rowOf } from './rows.ts';

interface Props {
  items: readonly PageItem[];
  index: number;
  /** The index of the first new message. */
  firstNew: number;
  isCurrent: boolean;
  context: EntryContext;
  loadGap(index: number, id: number, from: GapSide): void;
}

export function ItemRow({ items, index, firstNew, isCurrent, context, loadGap }: Props) {
  const row = rowOf(items, index, firstNew);
  if (!row) return null;
  const { item, day, isFirstNew, continues } = row;
  if (item.type === 'gap') {
    const load = (from: GapSide) => loadGap(index, item.id, from);
    return <GapRow itemKey={item.key} edge={item.edge} isCurrent={isCurrent} load={load} />;
  }
  return (
    <>
      {day && <p class="day">{day}</p>}
      {isFirstNew && <p class="day new">{l10n.t('New')}</p>}
      <Entry item={item} continues={continues} isCurrent={isCurrent} context={context} />
    </>
  );
}
