/** Says where something is kept that isn't on the computer in front of the user, and how long. */
import { type StoragePlace, storagePlace } from '../platform/storagePlace.ts';
import type { Store } from '../platform/store.ts';
import { l10n, type ShownText } from './shown.ts';

/** Where messages of the archive are kept. It's said each time, because it's a question of privacy, too. */
export function archiveKeptText(place: StoragePlace = storagePlace()): ShownText {
  switch (place) {
    case 'container':
      return l10n.t(
        'Messages are kept in this container, and are deleted with it. “Copy Outbox and Archive…” saves them.',
      );
    case 'remote':
      return l10n.t('Messages are kept on the remote computer until you delete them.');
    default:
      return l10n.t('Messages are kept on this computer until you delete them.');
  }
}

/** Where the outbox is kept; undefined on the computer in front of the user. */
function outboxKeptText(place: StoragePlace): ShownText | undefined {
  switch (place) {
    case 'here':
      return undefined;
    case 'container':
      return l10n.t(
        'The outbox, with what is scheduled, is kept in this container, and is deleted with it. “Copy Outbox and Archive…” saves it.',
      );
    case 'remote':
      return l10n.t('The outbox, with what is scheduled, is kept on the remote computer until you delete it there.');
    case 'browser':
      return l10n.t("The outbox, with what is scheduled, is kept in this site's data, and is gone if you clear that.");
  }
}

/** {@link outboxKeptText} once for each kind of place; `remember` when the user has read it. */
export function outboxNote(
  store: Pick<Store, 'get' | 'set'>,
  place: StoragePlace = storagePlace(),
): { text: ShownText; remember(): Promise<void> } | undefined {
  const told = store.get('placesTold');
  const text = told.includes(place) ? undefined : outboxKeptText(place);
  return text === undefined ? undefined : { text, remember: () => store.set('placesTold', [...told, place]) };
}
