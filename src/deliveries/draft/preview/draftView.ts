/** What the preview of a draft shows. */
import type { TextDocument } from 'vscode';
import { shownCount } from '../../../markup/escapeInvisible.ts';
import { unfilledMessage } from '../../../markup/markdownVariables.ts';
import type { Service } from '../../../platform/service.ts';
import { countText } from '../../../presentation/chatItems.ts';
import { knownLabel, singleLineName } from '../../../presentation/describe.ts';
import { joinPhrases } from '../../../presentation/factParts.ts';
import { firstTexts, formatDateTime, joinNames, joinSentences } from '../../../presentation/formats.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import type { ShownDraft } from '../../../protocol/preview.ts';
import type { Message, Outgoing } from '../../../service/message.ts';
import { type Chat, resourceKey } from '../../../service/model.ts';
import type { EditedMessage } from '../../contract.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { countedProblems, problemsWhileWriting } from '../document/problem.ts';
import { type DraftReader, documentName, type ReadDraft, versionText } from '../draftReader.ts';
import type { Rule } from '../leaveOut.ts';
import { leftOutCountText, MAX_LEFT_OUT, ruleText, whyLeftOut } from '../leftOutText.ts';
import { ownNamesIn, type RecipientTable } from '../recipients/recipientTable.ts';
import { unknownRecipients } from '../unknownRecipients.ts';
import type { NameLookups } from './nameLookups.ts';
import type { PreviewRecipients } from './previewRecipients.ts';

/** The title of the panel that shows a document. */
export const panelTitle = (document: TextDocument) => l10n.t('Preview {0}', singleLineName(documentName(document)));

/** What was read of a document. */
export interface DraftView {
  readonly document: TextDocument;
  readonly service: Service | undefined;
  readonly draft: ReadDraft;
  /** All recipients. */
  readonly chats: readonly Chat[];
  /** How many recipients each rule leaves out. */
  readonly counts: Readonly<Record<Rule, number>>;
  readonly edited: EditedMessage | undefined;
}

/**
 * What the page shows: the message of the current recipient, or, if all get the same one, as many recipients as are `listed`. Their
 * names are looked up.
 */
export function shownDraft(
  view: DraftView,
  current: ReturnType<PreviewRecipients['current']>,
  listed: number,
  names: NameLookups,
): ShownDraft {
  const { document, service, draft, chats, counts, edited } = view;
  const { parsed, rules } = draft;
  const { namesBot, namesRecipients } = namesIn(parsed, chats);
  const botId = parsed.bot?.id ?? (namesBot ? '' : (edited?.botId ?? ''));
  const shown = current?.message ?? (parsed.shown && parsed.isTemplate ? unfilledMessage(parsed.shown) : parsed.shown);
  const bot = botId && names.of(service, 'bot', botId).name;
  const visible = current ? [] : chats.slice(0, shownCount(chats.length, listed));
  return {
    type: 'draft',
    message: shown && previewMessage(shown, botId, bot),
    recipients: visible.map(({ kind, id }) => ({
      kind,
      id,
      ...names.of(service, kind, id),
      leftOut: whyLeftOut({ kind, id }, rules),
    })),
    total: chats.length,
    leftOut:
      joinPhrases(leftOutCountText({ ...counts, where: 0 }), unpickedText(draft, counts.where, service)) || undefined,
    // A bot that the draft of an edited message doesn't name stays as it was scheduled.
    namesBot: namesBot || edited !== undefined,
    namesRecipients: namesRecipients || edited !== undefined,
    note: joinSentences(versionText(document), edited ? editedText(edited, namesRecipients) : '') || undefined,
    varies: parsed.isTemplate,
    step: current?.step,
    canSend: draft.message !== undefined,
    problems: problemsOf(view),
  };
}

/** How many rows `where:` doesn't pick, with the first names. Empty if there are none. Makes no request. */
export function unpickedText(
  { table, rules }: Pick<ReadDraft, 'table' | 'rules'>,
  count: number,
  service?: Service,
): string {
  if (count === 0 || !table?.unmatched) return '';
  const nameOf = ownNamesIn({ ...table, rows: table.unmatched }, service?.directory);
  const first: string[] = [];
  for (const { chat } of table.unmatched.values()) {
    if (rules.reasonFor(chat)?.by === 'where')
      first.push(
        (service && knownLabel(service.directory, chat.kind, chat.id)) ?? (singleLineName(nameOf(chat)) || chat.id),
      );
    if (first.length > MAX_LEFT_OUT) break;
  }
  return joinSentences(ruleText('where', count), joinNames(firstTexts(first, MAX_LEFT_OUT, count)));
}

const RECIPIENT_KEYS = ['groups', 'people', 'audiences', 'recipients'] as const;

/** Whether the values of a draft's variables are known: it names no file with values, or one that can be used. */
export const knowsValues = ({ parsed, table }: Pick<ReadDraft, 'parsed' | 'table'>) =>
  parsed.recipientFile
    ? table !== undefined && (table.rows.size > 0 || table.problems.every(({ severity }) => severity === 'warning'))
    : !parsed.unread.has('recipients');

/** Whether a draft says who sends it and who receives it, even where that can't be read. */
const namesIn = ({ bot, recipientFile, unread }: ParsedDraft, chats: readonly Chat[]) => ({
  namesBot: bot !== undefined || unread.has('bot'),
  namesRecipients: chats.length > 0 || recipientFile !== undefined || RECIPIENT_KEYS.some((key) => unread.has(key)),
});

/** Which message a draft edits, and who gets it if the draft doesn't say so. */
function editedText({ due, recipients }: EditedMessage, namesRecipients: boolean): ShownText {
  const what = l10n.t('Editing the message scheduled for {0}. Sending it replaces that one.', formatDateTime(due));
  const { group, user } = recipients;
  return namesRecipients
    ? what
    : joinSentences(what, l10n.t('It goes to the same recipients: {0}.', countText(group, user)));
}

/** A message as a history would list it (contract 2.6), sent by a bot with this name. */
function previewMessage(message: Outgoing, botId: string, botName: string): Message {
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

/** The problems that the editor shows, errors first, without hints. */
function problemsOf({ document, draft: { parsed, problems }, service }: DraftView): ShownDraft['problems'] {
  const unknown = service ? unknownRecipients(parsed, service.directory) : [];
  const all = countedProblems([...problemsWhileWriting(problems, document), ...unknown]).map(
    ({ text, severity, start, end, line, rule }) => {
      return { text, severity, start, end, line, rule };
    },
  );
  const isWarning = ({ severity }: (typeof all)[number]) => Number(severity === 'warning');
  return all.toSorted((one, other) => isWarning(one) - isWarning(other) || one.start - other.start);
}

/** The keys of the IDs in a document, whose lookups may change its problems. */
export const mentionedIn = ({ bot, recipients }: ParsedDraft): ReadonlySet<string> =>
  new Set([...(bot ? [resourceKey('bot', bot.id)] : []), ...recipients.map(({ kind, id }) => resourceKey(kind, id))]);

/** The recipients of a draft. Keeps the same list while nothing about it changes: there may be 100,000, and problems are counted for each list. */
export class RecipientList {
  readonly #reader: Pick<DraftReader, 'chatsOf'>;
  #last: { named: readonly Chat[]; table: RecipientTable | undefined; all: readonly Chat[] } | undefined;

  constructor(reader: Pick<DraftReader, 'chatsOf'>) {
    this.#reader = reader;
  }

  of(draft: ParsedDraft, table: RecipientTable | undefined): readonly Chat[] {
    const named = this.#reader.chatsOf(draft);
    const last = this.#last;
    if (last && last.table === table && isSame(last.named, named)) return last.all;
    const all = table ? this.#reader.chatsOf(draft, table) : named;
    this.#last = { named, table, all };
    return all;
  }
}

const isSame = (one: readonly Chat[], other: readonly Chat[]) =>
  one.length === other.length && one.every(({ kind, id }, at) => kind === other[at]?.kind && id === other[at]?.id);
