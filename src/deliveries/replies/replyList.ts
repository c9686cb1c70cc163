/** The replies as the page and a CSV file list them: by chat, the chat with the latest reply first. */
import { fold } from '../../markup/caseFolding.ts';
import { csvLine, joinCsv } from '../../markup/csv.ts';
import { isTime } from '../../markup/days.ts';
import { knownType } from '../../markup/messageContent.ts';
import { contentText, searchableText } from '../../markup/rendered/shownText.ts';
import type { CsvText } from '../../markup/safeText.ts';
import { kindText } from '../../presentation/describe.ts';
import { errorText } from '../../presentation/errorText.ts';
import { formatCount, joinNames, joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import type { RepliesQuery, RepliesRow, ReplyState } from '../../protocol/replies.ts';
import { ServiceError } from '../../service/errors.ts';
import { LostAnchorError } from '../../service/messagePages.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { DeliveryMessages } from '../outbox/deliveryMessages.ts';
import type { Delivery } from '../outbox/record.ts';
import { type Recipient, shownName } from '../plan/deliveryPlan.ts';
import { isByBot, type ReadableEntry } from './findReplies.ts';
import { Poll } from './poll.ts';
import type { ReachedRecipient } from './reachedRecipients.ts';
import type { ReplyRun } from './replyRun.ts';

/** How many rows the page gets at a time. */
export const PORTION = 100;

/** The states in the order in which they are listed; within a state, chats are in the order of the batches. */
export const REPLY_STATES = ['answered', 'failed', 'unanswered', 'unread'] as const satisfies readonly ReplyState[];

type Run = Pick<ReplyRun, 'errorOf' | 'record'>;

/** The state of a chat. A chat with answers is answered, even if it can't be read now. */
export function replyStateOf(chat: Chat, run: Run): ReplyState {
  const { answerCount, isRead } = run.record.of(chat);
  if (answerCount > 0) return 'answered';
  if (run.errorOf(chat) !== undefined) return 'failed';
  return isRead ? 'unanswered' : 'unread';
}

/** Why a chat couldn't be read, or doesn't have the message any more, in the service's own words if it has said something. */
function detailsOf(chat: Chat, run: Run): ShownText {
  const error = run.errorOf(chat);
  if (error instanceof LostAnchorError)
    return l10n.t("The message isn't in this chat any more, so what follows it can't be found.");
  if (error !== undefined) return errorText(error);
  const { lost } = run.record.of(chat);
  if (!lost) return '';
  const words = l10n.t("The message isn't in this chat any more, so replies were looked for since it was sent.");
  return joinSentences(words, lost.failure && errorText(new ServiceError(lost.failure)));
}

export interface ReplyCounts {
  readonly states: Readonly<Record<ReplyState, number>>;
  readonly answers: number;
  readonly poll: Poll;
}

export async function countReplies(
  reached: readonly ReachedRecipient[],
  run: Run,
  delivery: Pick<Delivery, 'batches' | 'message' | 'variables'>,
): Promise<ReplyCounts> {
  const states = { answered: 0, unanswered: 0, failed: 0, unread: 0 };
  const poll = new Poll([new DeliveryMessages(delivery).sharedButtons()]);
  const slices = new TimeSlices();
  let answers = 0;
  for (const { recipient } of reached) {
    states[replyStateOf(recipient, run)]++;
    const known = run.record.of(recipient);
    answers += known.answerCount;
    await slices.each(known.answers.values(), ({ message }) => poll.add(message));
    if (slices.isOver) await slices.pause();
  }
  return { states, answers, poll };
}

/** How many answers the poll doesn't count, by reason; empty if it counts all. */
export function uncountedText(poll: Poll): ShownText {
  const { long, textless, repeated, rare } = poll.uncounted();
  const parts = [
    long > 0 && l10n.t('{0} too long', formatCount(long)),
    textless > 0 && l10n.t('{0} without text', formatCount(textless)),
    repeated > 0 && l10n.t('{0} repeated by the sender', formatCount(repeated)),
    rare > 0 && l10n.t('{0} less frequent', formatCount(rare)),
  ];
  const text = joinNames(parts.filter((part) => part !== false));
  return text && l10n.t('Not counted: {0}', text);
}

interface Listed {
  readonly recipient: Recipient;
  /** The answers, newest first. */
  readonly answers: readonly ReadableEntry[];
}

/** Makes the rows of what a query finds. Undefined if they aren't wanted any more before all are found. */
export async function findRows(
  { reached, run, poll }: { reached: readonly ReachedRecipient[]; run: Run; poll: Poll },
  { states, text, answer }: RepliesQuery,
  isWanted: () => boolean,
): Promise<(() => RepliesRow)[] | undefined> {
  const found = new Map(REPLY_STATES.map((state): [ReplyState, Listed[]] => [state, []]));
  const wanted = fold(text.trim());
  const has = (one: string) => fold(one).includes(wanted);
  const slices = new TimeSlices();
  for (const { recipient } of reached) {
    if (slices.isOver) await slices.pause();
    if (!isWanted()) return undefined;
    const state = replyStateOf(recipient, run);
    if (states.length > 0 && !states.includes(state)) continue;
    const isNamed = !wanted || has(shownName(recipient)) || has(recipient.name) || has(recipient.id);
    const answers: ReadableEntry[] = [];
    await slices.each(run.record.of(recipient).answers.values(), (entry) => {
      if (answer !== undefined && poll.keyOf(entry.message).key !== answer) return;
      if (isNamed || has(searchableText(entry))) answers.push(entry);
    });
    if (answers.length > 0 || (isNamed && answer === undefined)) {
      found.get(state)?.push({ recipient, answers: answers.reverse() });
    }
  }
  const timeOf = ({ answers: [newest] }: Listed) => newest?.message.sendTime ?? 0;
  found.get('answered')?.sort((one, other) => timeOf(other) - timeOf(one));
  return [...found.values()]
    .flat()
    .flatMap(({ recipient, answers }) => [
      () => chatRow(recipient, run),
      ...answers.map((entry) => () => replyRow(recipient, entry)),
    ]);
}

/** A row as it is now. Answers don't change. */
export const rowNow = (row: RepliesRow, run: Run) => (row.type === 'chat' ? chatRow(row, run) : row);

function chatRow(recipient: Recipient, run: Run): RepliesRow {
  const { kind, id } = recipient;
  const { answerCount, unreadable } = run.record.of({ kind, id });
  const state = replyStateOf({ kind, id }, run);
  const error = detailsOf({ kind, id }, run);
  return {
    type: 'chat',
    key: chatKey({ kind, id }),
    kind,
    id,
    name: shownName(recipient),
    state,
    count: answerCount,
    error,
    unreadable: unreadable.size,
  };
}

function replyRow({ kind, id }: Recipient, { message, raw }: ReadableEntry): RepliesRow {
  const row = { type: 'reply', key: `${chatKey({ kind, id })} ${message.msgId}`, kind, id, message } as const;
  return knownType(message) ? row : { ...row, raw };
}

/** As CSV (RFC 4180): a line for each answer, and one for each recipient without any from a person. */
export async function repliesCsv(reached: readonly ReachedRecipient[], run: Run): Promise<CsvText> {
  const slices = new TimeSlices();
  const lines = [
    csvLine([
      l10n.t('Recipient'),
      l10n.t('Type'),
      l10n.t('ID'),
      l10n.t('Answer'),
      l10n.t('Sender'),
      l10n.t('Sender ID'),
      l10n.t('Time'),
      l10n.t('Text'),
      l10n.t('Message ID'),
      l10n.t('Details'),
    ]),
  ];
  for (const { recipient } of reached) {
    const { kind, id, name } = recipient;
    const what = kindText(kind);
    const state = replyStateText(replyStateOf(recipient, run));
    const details = detailsOf(recipient, run);
    const { answers, answerCount } = run.record.of(recipient);
    if (answerCount === 0) lines.push(csvLine([name, what, id, state, '', '', '', '', '', details]));
    await slices.each(answers.values(), (entry) => {
      const { senderNickname, senderId, sendTime, msgId } = entry.message;
      const time = isTime(sendTime) ? new Date(sendTime).toISOString() : '';
      const said = contentText(entry, 'copied');
      const answer = isByBot(entry.message) ? l10n.t('from a bot') : state;
      lines.push(csvLine([name, what, id, answer, senderNickname, senderId, time, said, msgId, details]));
    });
    if (slices.isOver) await slices.pause();
  }
  return joinCsv(lines);
}

function replyStateText(state: ReplyState): ShownText {
  switch (state) {
    case 'answered':
      return l10n.t('answered');
    case 'unanswered':
      return l10n.t('no answer yet');
    case 'failed':
      return l10n.t("couldn't be read");
    case 'unread':
      return l10n.t('not read yet');
  }
}
