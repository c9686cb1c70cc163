/**
 * What people see of a message, as plain text: in results of a search, in quotes and copies, and in what agents read. Pure.
 */
import { systemClock } from '../../service/clock.ts';
import type { Listed, Message } from '../../service/message.ts';
import { shorten, truncate } from '../../service/truncate.ts';
import { escapeInvisible, excerpt, removeInvisible } from '../escapeInvisible.ts';
import { type Media, mediaReference } from '../media.ts';
import { hideMarks, mentionsText, type Part, partsOf, readableText, unnamedMentions } from '../messageContent.ts';
import { blockquote, contentJson } from '../messageFormats.ts';
import { MAX_QUOTATION, quotationOf, quotationText } from '../quotation.ts';
import type { Purpose } from '../textWriter.ts';
import { addressesText, htmlText, markdownText } from './plainText.ts';

/** The longest first line that is quoted, and how much of a message may come before it (UTF-16 units). */
const MAX_FIRST_LINE = 120;
const MAX_BEFORE = 20_000;

/** Everything that is shown of a message but its sender. What it doesn't have is empty. */
interface ShownParts {
  /** What its sender says: content, note, command. */
  readonly said: string;
  /** The labels of its buttons. */
  readonly buttons: readonly string[];
  /** Whom it quotes, and what. */
  readonly author: string;
  readonly quoted: string;
}

export function shownParts(entry: Listed): ShownParts {
  if (!entry.readable) return { said: JSON.stringify(entry.raw), buttons: [], author: '', quoted: '' };
  const { content, commandName } = entry.message;
  const { name = '', text = '', media = [] } = quotationOf(content) ?? {};
  const note = readableText(content.tip ?? '');
  return {
    // An address that has expired since is shown no more, but was.
    said: lines([contentText(entry, 'shown', 0), unnamedMentions(content).join(', '), note, commandName]),
    buttons: content.buttons?.flat().map((button) => readableText(button.text)) ?? [],
    author: name,
    quoted: lines([text && excerpt(text, MAX_QUOTATION, escapeInvisible), ...media.map((one) => one.name)]),
  };
}

/** Everything that a search finds a message by: what is shown of it, with or without what it quotes, and its sender's name and ID. */
export function searchableText(entry: Listed, hasQuotation = true): string {
  const { said, buttons, author, quoted } = shownParts(entry);
  const quotation = hasQuotation ? [author, quoted] : [];
  const sender = entry.readable ? [entry.message.senderNickname, entry.message.senderId] : [];
  return lines([said, ...buttons, ...quotation, ...sender]);
}

/** A text on one line, for an excerpt. */
export function onOneLine(text: string): string {
  const pieces = text.split(/[\t\n]/);
  return pieces.flatMap((piece) => piece.replace(/\s+/g, ' ').trim() || []).join(' · ');
}

/**
 * A message to copy: what it quotes, its command, its text, the name and unexpired address of media, whom else it
 * mentions, its note. JSON if it's of a kind without a text. `now` is Unix ms. Nothing in it is translated.
 */
export function toText(entry: Listed, now = systemClock.wall()): string {
  if (!entry.readable) return JSON.stringify(entry.raw, null, 2);
  const { content, commandName } = entry.message;
  const quotation = blockquote(quotationText(content));
  const note = readableText(content.tip ?? '');
  const text = contentText(entry, 'copied', now);
  return lines([quotation, commandName, text, mentionsText(content), note], '\n\n');
}

/** The content alone, with the form that any message may have. `now` is Unix ms. */
export function contentText(entry: Listed, purpose: Purpose, now = systemClock.wall()): string {
  if (!entry.readable) return JSON.stringify(entry.raw, null, 2);
  return lines(partsOf(entry.message, now).map((part) => partText(part, entry, purpose)));
}

function partText(part: Part, entry: Listed, purpose: Purpose): string {
  switch (part.kind) {
    case 'plain':
      return addressesText(part.text, purpose);
    case 'markdown':
      return markdownText(part.text, purpose);
    case 'html':
      return htmlText(hideMarks(part.text), purpose);
    case 'source':
      return addressesText(readableText(part.text), purpose);
    case 'card':
      return lines([part.title, partText(part.body, entry, purpose)], '\n\n');
    case 'media':
      return lines([mediaText(part.media, purpose), addressesText(part.text, purpose)]) || contentJson(entry);
    case 'fields':
      return lines(part.fields.map(({ label, value }) => lines([label, value], ': ')));
    case 'json':
      return contentJson(entry);
  }
}

/** The name and location of media, and with `shown` what else identifies it; of an image with `copied`, only one of them. */
function mediaText(media: Media, purpose: Purpose): string {
  const { name, location } = mediaReference(media);
  if (purpose === 'shown') return lines([...new Set([name, location, ...media.ids])]);
  return media.isImage ? location || name : lines([name, location], ' ');
}

/** What a line has words or emoji by. */
const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/**
 * What to quote of a message: its first line with words or emoji, or else with anything visible. `otherwise` if there's
 * none, or the message is only shown as JSON.
 */
export function firstLineOf({ content, ...message }: Message, otherwise = message.contentType): string {
  const start = { ...content, text: truncate(content.text ?? '', MAX_BEFORE) };
  const entry = { readable: true, message: { ...message, content: start }, raw: undefined } as const;
  // Of a signed address, only the name of its file will last.
  const text = contentText(entry, 'shown', Number.POSITIVE_INFINITY);
  const all = text.split('\n');
  const line = all.find((one) => WORD.test(one)) ?? all.find((one) => removeInvisible(one).trim());
  return shorten((line ?? otherwise).trim(), MAX_FIRST_LINE);
}

const lines = (parts: readonly (string | undefined)[], separator = '\n') => parts.filter(Boolean).join(separator);
