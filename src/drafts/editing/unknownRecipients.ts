/** Problems that only the service knows. */
import type { Directory } from '../../directory/directory.ts';
import type { Chat, Kind } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { ParsedDraft, Problem } from '../document/parseDraft.ts';

type Known = Pick<Directory, 'has' | 'peek'>;

/** Whether an ID was looked up before and not found. */
const isUnknown = (kind: Kind, id: string, directory: Known) => directory.has(kind, id) && !directory.peek(kind, id);

/** Which of many recipients were looked up before and not found, in time slices. Makes no request. */
export async function unknownAmong<T extends Chat>(chats: Iterable<T>, directory: Known): Promise<Set<T>> {
  const unknown = new Set<T>();
  await new TimeSlices().each(chats, (chat) => {
    if (isUnknown(chat.kind, chat.id, directory)) unknown.add(chat);
  });
  return unknown;
}

/** The bot and the recipients of a draft that were looked up before and not found. Makes no request. */
export function unknownRecipients(
  { bot, recipients }: Pick<ParsedDraft, 'bot' | 'recipients'>,
  directory: Known,
): Problem[] {
  const chats = recipients.map(({ kind, ...one }) => ({ kind, ...one }));
  const all = [...(bot ? [{ kind: 'bot' as const, ...bot }] : []), ...chats];
  return all
    .filter(({ kind, id }) => isUnknown(kind, id, directory))
    .map(({ kind, id, start, end }) => ({
      code: 'unknownRecipient',
      severity: 'warning',
      args: [kind, id],
      start,
      end,
    }));
}
