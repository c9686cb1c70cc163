/** What is planned, in words: who sends what to whom, in how many calls, and what some recipients get. */
import { escapeInvisible, joinShown } from '../../markup/escapeInvisible.ts';
import { SANDBOX_ADDRESS } from '../../platform/service.ts';
import { countText } from '../../presentation/chatItems.ts';
import { singleLineName, toSingleLine } from '../../presentation/describe.ts';
import { firstTexts, formatCount, formatRoughDuration, joinNames, joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import type { Outgoing } from '../../service/message.ts';
import { shorten } from '../../service/truncate.ts';
import { contentName } from '../draft/draftReader.ts';
import { type LeftOut, RULES } from '../draft/leaveOut.ts';
import { MAX_LEFT_OUT, quotedNote, ruleText } from '../draft/leftOutText.ts';
import { variableName, withMarks } from '../draft/recipients/variableText.ts';
import { type DeliveryPlan, type MissingValue, type Recipient, shownName } from './deliveryPlan.ts';

/** How long sending must take to be mentioned (milliseconds). */
const WORTH_SAYING = 10_000;

/** How many different messages and calls there are, and how long they take. `callsPerSecond` are permitted. */
export function planText({ batches, messages }: DeliveryPlan, callsPerSecond: number): ShownText {
  const different = messages === 1 ? l10n.t('1 message') : l10n.t('{0} different messages', formatCount(messages));
  const calls = batches.length === 1 ? l10n.t('1 call') : l10n.t('{0} calls', formatCount(batches.length));
  const duration = durationOf(batches.length, callsPerSecond);
  return duration < WORTH_SAYING
    ? l10n.t('{0}, in {1}', different, calls)
    : l10n.t('{0}, in {1}, which take about {2}', different, calls, formatRoughDuration(duration));
}

/** How long calls take at the permitted pace, in milliseconds. */
export const durationOf = (calls: number, callsPerSecond: number) => (calls / callsPerSecond) * 1000;

/** What some of the recipients get. */
export function samplesText({ samples }: DeliveryPlan, room: Room): ShownText {
  const texts = samples.map(({ recipient, message }) =>
    joinShown([l10n.t('{0} gets:', recipientText(recipient)), messageLines(message, room)], '\n'),
  );
  return joinShown(texts, '\n\n');
}

/** Who lacks a value, in one sentence. */
export function emptyText({ name, count, first, marks }: MissingValue): ShownText {
  const text =
    count === 1
      ? l10n.t('{0} is empty for {1}.', variableName(name), recipientText(first))
      : l10n.t(
          '{0} is empty for {1} recipients, such as {2}.',
          variableName(name),
          formatCount(count),
          recipientText(first),
        );
  return withMarks(text, marks);
}

/** Whose value isn't an address, in one sentence. */
export function notAddressText({ name, count, first }: MissingValue): ShownText {
  return count === 1
    ? l10n.t("{0} isn't a web address for {1}.", variableName(name), recipientText(first))
    : l10n.t(
        "{0} isn't a web address for {1} recipients, such as {2}.",
        variableName(name),
        formatCount(count),
        recipientText(first),
      );
}

const MAX_CHARACTERS = 300;

/** How many recipients and lines of a message are shown below a number of notes. */
export interface Room {
  names: number;
  lines: number;
}

/** A dialog that is higher than the window loses its beginning. */
export function roomBelow(notes: number): Room {
  const names = Math.max(3, 8 - Math.max(0, notes - 3));
  return { names, lines: names + 2 };
}

/** Who sends, and through which service, as one for trying out may look like the real one. */
export function senderText(by: Pick<Recipient, 'id' | 'label' | 'name'>, service: string): ShownText {
  const bot = l10n.t('Bot: {0} ({1})', shownName(by), singleLineName(by.id));
  const where =
    service === SANDBOX_ADDRESS
      ? l10n.t('Service: sandbox, only for trying out')
      : l10n.t('Service: {0}', singleLineName(service));
  return joinShown([bot, where], '\n');
}

/** How many groups and people there are. */
export function recipientCount(recipients: readonly Recipient[]): ShownText {
  const groups = recipients.filter(({ kind }) => kind === 'group').length;
  return countText(groups, recipients.length - groups);
}

/** The name and the ID, or only the ID if the name is unknown. */
export function recipientText(recipient: Recipient): ShownText {
  const { id } = recipient;
  const name = shownName(recipient);
  return name === id ? singleLineName(id) : l10n.t('{0} ({1})', name, singleLineName(id));
}

/** How many of the recipients may already have the message. */
export const uncertainText = (count: number) =>
  count === 1
    ? l10n.t('1 recipient may already have this message. At worst, they get it twice.')
    : l10n.t('{0} recipients may already have this message. At worst, they get it twice.', formatCount(count));

/** Rows of the recipient file that `where:` doesn't pick, and that nobody chose: how many, and the first of them. */
export interface UnpickedRows {
  readonly count: number;
  readonly first: readonly LeftOut<Recipient>[];
}

export const NO_ROWS: UnpickedRows = { count: 0, first: [] };

/** A line for each rule that leaves someone out, with the first of them. */
export function leftOutLines(leftOut: readonly LeftOut<Recipient>[], rows = NO_ROWS): ShownText[] {
  const all = [...leftOut, ...rows.first];
  return RULES.flatMap((rule) => {
    const those = all.filter(({ by }) => by === rule);
    const first = those.slice(0, MAX_LEFT_OUT + 1).map((one) => {
      const text = recipientText(one);
      return one.note ? l10n.t('{0} ({1})', text, quotedNote(one.note)) : text;
    });
    const count = those.length + (rule === 'where' ? rows.count - rows.first.length : 0);
    const names = joinNames(firstTexts(first, MAX_LEFT_OUT, count));
    return first.length > 0 ? [shownText`⊘ ${joinSentences(ruleText(rule, count), names)}`] : [];
  });
}

/** A list of the first recipients, below a heading. */
export function recipientsText(recipients: readonly Recipient[], { names }: Room, heading = l10n.t('To:')): ShownText {
  const lines = recipients.slice(0, names + 1).map((one) => shownText`• ${recipientText(one)}`);
  return joinShown([heading, ...firstTexts(lines, names, recipients.length)], '\n');
}

/** The type of a message and its beginning. */
export function contentText(message: Outgoing, room: Room): ShownText {
  const { contentType, content } = message;
  const kind = contentName(contentType);
  const heading = 'text' in content ? sizeText(kind, content.text.length) : l10n.t('{0}:', kind);
  return joinShown([heading, messageLines(message, room)], '\n');
}

/** The beginning of a message, and its buttons. */
function messageLines(message: Outgoing, room: Room): ShownText {
  const buttons = (message.content.buttons ?? []).flat().map(({ text }) => `[${singleLineName(text)}]`);
  return quote([...linesOf(message, room), ...(buttons.length > 0 ? [buttons.join(' ')] : [])]);
}

const sizeText = (kind: string, length: number) =>
  length === 1 ? l10n.t('{0}, 1 character:', kind) : l10n.t('{0}, {1} characters:', kind, formatCount(length));

function linesOf({ content }: Outgoing, { lines: max }: Room): string[] {
  if ('imageKey' in content) return [beginning(content.imageKey)];
  if ('fileUrl' in content) return [content.fileName, content.fileUrl].map(beginning);
  const lines = beginning(content.text.trim()).split('\n').filter(toSingleLine);
  return lines.length > max ? [...lines.slice(0, max), '…'] : lines;
}

const beginning = (text: string) => shorten(text, MAX_CHARACTERS);

/** Puts a bar before each line of the message, so that none can pass for a part of the dialog. */
const quote = (lines: readonly string[]) =>
  joinShown(
    lines.map((line) => shownText`│ ${indentation(line)}${toSingleLine(line)}`),
    '\n',
  );

/** The indentation of a line, which matters in code. The dialog would collapse ordinary spaces. */
function indentation(line: string): ShownText {
  const [spaces = ''] = /^[ \t]*/.exec(line) ?? [];
  return escapeInvisible(spaces.replaceAll('\t', '    ').replaceAll(' ', '\u00A0'));
}
