/** Recipients that don't exist, as far as they were looked up, and news of lookups. */
import type { Directory } from '../../directory/directory.ts';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { formatCount } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import type { Chat, Kind, Reference } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { ParsedDraft } from './document/parseDraft.ts';
import type { Problem } from './document/problem.ts';

type Known = Pick<Directory, 'has' | 'peek'>;

/** Whether an ID was looked up before and not found. */
export const isUnknown = (kind: Kind, id: string, directory: Known) =>
  directory.has(kind, id) && !directory.peek(kind, id);

/** Which of many recipients were looked up before and not found, in time slices. Makes no request. */
export async function unknownAmong<T extends Chat>(chats: Iterable<T>, directory: Known): Promise<Set<T>> {
  const unknown = new Set<T>();
  await new TimeSlices().each(chats, (chat) => {
    if (isUnknown(chat.kind, chat.id, directory)) unknown.add(chat);
  });
  return unknown;
}

/** How many of many recipients weren't looked up, in time slices. Makes no request. */
export async function countUnchecked(chats: Iterable<Chat>, directory: Pick<Known, 'has'>): Promise<number> {
  let count = 0;
  await new TimeSlices().each(chats, ({ kind, id }) => {
    if (!directory.has(kind, id)) count++;
  });
  return count;
}

/** Says that recipients weren't looked up. */
export const uncheckedText = (count: number) =>
  count === 1
    ? l10n.t("1 recipient wasn't looked up and might not exist.")
    : l10n.t("{0} recipients weren't looked up and might not exist.", formatCount(count));

/** The bot and the recipients of a draft that were looked up before and not found. Makes no request. */
export function unknownRecipients(
  { bot, recipients }: Pick<ParsedDraft, 'bot' | 'recipients'>,
  directory: Known,
): Problem[] {
  const all = [...(bot ? [{ kind: 'bot' as const, ...bot }] : []), ...recipients];
  return all
    .filter(({ kind, id }) => isUnknown(kind, id, directory))
    .map(({ kind, id, start, end }) => ({
      severity: 'warning',
      text: unknownRecipientText({ kind, id }),
      start,
      end,
    }));
}

/** Says that an ID was looked up and not found. */
export function unknownRecipientText({ kind, id }: Reference): ShownText {
  switch (kind) {
    case 'group':
      return l10n.t("Group {0} doesn't exist.", excerpt(id));
    case 'bot':
      return l10n.t("Bot {0} doesn't exist.", excerpt(id));
    case 'user':
      return l10n.t("Person {0} doesn't exist.", excerpt(id));
  }
}

/** Listens to changes of the directory that is in use. */
export class DirectoryListener {
  readonly #onChange: Parameters<Directory['onDidChange']>[0];
  #directory: Directory | undefined;
  #stop: (() => void) | undefined;

  constructor(onChange: Parameters<Directory['onDidChange']>[0]) {
    this.#onChange = onChange;
  }

  /** Listens to this directory instead of another one. */
  use(directory: Directory): void {
    if (directory === this.#directory) return;
    this.dispose();
    this.#directory = directory;
    this.#stop = directory.onDidChange(this.#onChange);
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#directory = undefined;
  }
}
