/** What the preview of a draft shows. */
import type { Service } from '../../platform/service.ts';
import type { ShownDraft } from '../../protocol/preview.ts';
import type { Message, Outgoing } from '../../service/message.ts';
import { type Chat, resourceKey } from '../../service/model.ts';
import type { ParsedDraft, Problem } from '../document/parseDraft.ts';
import { countedProblems } from '../document/problem.ts';
import type { ReadDraft } from '../draftReader.ts';
import { problemText } from '../editing/problemText.ts';
import { unknownRecipients } from '../editing/unknownRecipients.ts';

const RECIPIENT_KEYS = ['groups', 'people', 'audiences', 'recipients'] as const;

/** Whether the values of its variables are known: it names no file of them, or one that can be used. */
export const knowsValues = ({ parsed, file, table }: Pick<ReadDraft, 'parsed' | 'file' | 'table'>) =>
  file
    ? table !== undefined && (table.rows.size > 0 || table.problems.every(({ severity }) => severity === 'warning'))
    : !parsed.unread.has('recipients');

/** Whether a draft says who sends it and who receives it, even where that can't be read. */
export const namesIn = ({ bot, recipientFile, unread }: ParsedDraft, chats: readonly Chat[]) => ({
  namesBot: bot !== undefined || unread.has('bot'),
  namesRecipients: chats.length > 0 || recipientFile !== undefined || RECIPIENT_KEYS.some((key) => unread.has(key)),
});

/** The problems that the editor shows, errors first, without hints. */
export function shownProblems(
  problems: readonly Problem[],
  parsed: ParsedDraft,
  service: Service | undefined,
): ShownDraft['problems'] {
  const unknown = service ? unknownRecipients(parsed, service.directory) : [];
  const all = countedProblems([...problems, ...unknown]).map((problem) => {
    const { severity, start, end } = problem;
    return { text: problemText(problem), severity, start, end };
  });
  const isWarning = ({ severity }: (typeof all)[number]) => Number(severity === 'warning');
  return all.toSorted((one, other) => isWarning(one) - isWarning(other) || one.start - other.start);
}

/** The keys of the IDs in a document, whose lookups may change its problems. */
export const mentionedIn = ({ bot, recipients }: ParsedDraft): ReadonlySet<string> =>
  new Set([...(bot ? [resourceKey('bot', bot.id)] : []), ...recipients.map(({ type, id }) => resourceKey(type, id))]);

/** A message as a history would list it (contract 2.6), sent by a bot with this name. */
export function previewMessage(message: Outgoing, botId: string, botName: string): Message {
  const { buttons, ...content } = message.content;
  // A history lists every field of a button.
  const rows = buttons?.map((row) => row.map((button) => ({ url: '', value: '', ...button })));
  return {
    contentType: message.contentType,
    content: { ...content, ...(rows && { buttons: rows }) },
    msgId: 'draft',
    parentId: '',
    senderId: botId,
    senderType: 'bot',
    senderNickname: botName,
    sendTime: undefined,
    commandName: '',
    commandId: undefined,
  };
}
