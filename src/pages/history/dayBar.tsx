/** The day of the topmost visible message, above the list. Leads to other days. */
import type { PageItem } from '../../protocol/history.ts';
import { formatDay } from '../common/formats.ts';
import { l10n, postToHost } from '../common/host.ts';
import { messageOf } from './rows.ts';

/** `visible` are the visible items, oldest first. */
export function DayBar({ visible }: { visible: readonly PageItem[] }) {
  const time = visible.map((item) => messageOf(item)?.sendTime).find((sendTime) => sendTime !== undefined);
  const day = time === undefined ? '' : formatDay(time);
  return (
    <nav class="day-bar" aria-label={l10n.t('Go to Date…')}>
      <button
        type="button"
        title={l10n.t('Go to Date…')}
        aria-label={day ? `${day}, ${l10n.t('Go to Date…')}` : undefined}
        onClick={() => postToHost({ type: 'goToDate', ...(time !== undefined && { from: time }) })}
      >
        {day || l10n.t('Go to Date…')}
      </button>
    </nav>
  );
}
