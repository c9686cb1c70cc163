/** What is said about a file that moves the outbox and the archive. */
import { formatCount } from '../presentation/formats.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { MAXIMUM } from '../service/operations.ts';
import { MAX_DELIVERY, MAX_LINE, type MoveError } from './moveFile.ts';

export const deliveriesText = (count: number) =>
  count === 1 ? l10n.t('1 delivery') : l10n.t('{0} deliveries', formatCount(count));

/** How many deliveries and messages of archived chats there are; what there's none of isn't named. */
export function contentsText(deliveries: number, chats: number, messages: number): ShownText {
  if (chats === 0) return deliveriesText(deliveries);
  const count = messages === 1 ? l10n.t('1 message') : l10n.t('{0} messages', formatCount(messages));
  const archived =
    chats === 1
      ? l10n.t('{0} of 1 archived chat', count)
      : l10n.t('{0} of {1} archived chats', count, formatCount(chats));
  return deliveries === 0 ? archived : l10n.t('{0} and {1}', deliveriesText(deliveries), archived);
}

/** Why a file can't be imported, or not all of it. */
export function moveErrorText({ problem, line }: MoveError, file: string): ShownText {
  const inLine = line === undefined ? file : l10n.t('{0} (line {1})', file, formatCount(line));
  switch (problem) {
    case 'foreign':
      return l10n.t(
        "{0} can't be imported. Choose a file from “Copy Outbox and Archive…”, or one from “Export History…” in the NDJSON format.",
        file,
      );
    case 'newer':
      return l10n.t('{0} is from a newer version of Bot Chats. Update the extension to import it.', file);
    case 'damaged':
      return l10n.t('{0} is damaged or incomplete. Copy it again, or create a new one on the other computer.', inLine);
    case 'largeLine':
      return l10n.t(
        "{0} can't be imported any further: a line has more than {1} MB or {2} values, which no exported file has.",
        inLine,
        Math.floor(MAX_LINE / 1e6),
        formatCount(MAXIMUM.values),
      );
    case 'largeDelivery':
      return l10n.t(
        "{0} can't be imported any further: a delivery takes more than {1} MB of memory.",
        inLine,
        MAX_DELIVERY / 1e6,
      );
  }
}
