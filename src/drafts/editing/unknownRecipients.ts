/** Problems that only the service knows. */
import type { Directory } from '../../directory/directory.ts';
import type { ParsedDraft, Problem } from '../document/parseDraft.ts';

/** The bot and the recipients of a draft that were looked up before and not found. Makes no request. */
export function unknownRecipients(
  { bot, recipients }: Pick<ParsedDraft, 'bot' | 'recipients'>,
  directory: Pick<Directory, 'has' | 'peek'>,
): Problem[] {
  const chats = recipients.map(({ type, ...one }) => ({ kind: type, ...one }));
  const all = [...(bot ? [{ kind: 'bot' as const, ...bot }] : []), ...chats];
  return all
    .filter(({ kind, id }) => directory.has(kind, id) && !directory.peek(kind, id))
    .map(({ kind, id, start, end }) => ({
      code: 'unknownRecipient',
      severity: 'warning',
      args: [kind, id],
      start,
      end,
    }));
}
