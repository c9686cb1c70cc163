/** The export formats. Loaded with the first export, for the sake of the Markdown renderer. */
import { env } from 'vscode';
import type { ExportHeading, ExportLabels } from '../../../markup/exportParts.ts';
import { typeNames } from '../../../markup/messageContent.ts';
import { NDJSON_SOURCE, toNdjson } from '../../../markup/messageFormats.ts';
import { Conversation } from '../../../markup/rendered/conversation.ts';
import { HTML_ENDING, htmlEntry, htmlHeading, htmlJsonBlock } from '../../../markup/rendered/exportHtml.ts';
import { markdownEntry, markdownHeading, markdownJsonBlock } from '../../../markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../../markup/rendered/markdownHtml.ts';
import type { DocumentMarkdown, Html, Json } from '../../../markup/safeText.ts';
import { SANDBOX_ADDRESS } from '../../../platform/service.ts';
import { formatCount, formatDate, formatDateTime } from '../../../presentation/formats.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { systemClock } from '../../../service/clock.ts';
import type { Listed } from '../../../service/message.ts';
import { type ExportProgress, type ExportRange, exportedCount } from './exportProgress.ts';

export type FormatName = 'md' | 'html' | 'ndjson';

/** A part of an exported document, made so that nothing in it acts. */
type Document = DocumentMarkdown | Html | Json;

/** Formats a chat. Each entry is formatted once, oldest first. */
export interface ExportFormat {
  /** The beginning and the end of the document. */
  heading: Document;
  ending: Document;
  entry(entry: Listed): Document;
  /** Writes an entry that is too long to format, as raw JSON on one line in several pieces. */
  source(entry: Listed, json: string): { begin: Document; piece(text: string): Document; end: Document };
}

/** The names of the chat and of the bot that reads it, which others may read. */
export interface ExportNames {
  chat: string;
  /** The name of the bot; empty if it isn't known. */
  bot: string;
}

/** Creates a format for one export of a chat. */
export function exportFormat(name: FormatName, names: ExportNames, progress: ExportProgress): ExportFormat {
  const now = systemClock.wall();
  const labels = exportLabels();
  const conversation = new Conversation(labels);
  switch (name) {
    case 'md': {
      const heading = markdownHeading(headingOf(names, progress));
      const entry = (one: Listed) => markdownEntry(one, conversation.next(one), labels, now);
      const source = (one: Listed, json: string) => markdownJsonBlock(json, conversation.next(one), labels);
      return { heading, ending: '', entry, source };
    }
    case 'html': {
      const heading = htmlHeading(headingOf(names, progress), labels);
      const render = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html;
      const entry = (one: Listed) => htmlEntry(one, conversation.next(one), { labels, render, now });
      const source = (one: Listed) => htmlJsonBlock(one, conversation.next(one), labels);
      return { heading, ending: HTML_ENDING, entry, source };
    }
    case 'ndjson':
      return {
        heading: '',
        ending: '',
        entry: toNdjson,
        source: () => NDJSON_SOURCE,
      };
  }
}

function headingOf({ chat, bot }: ExportNames, progress: ExportProgress): ExportHeading {
  const { place, began, range } = progress;
  const service = place.service === SANDBOX_ADDRESS ? l10n.t('Sandbox') : place.service;
  return {
    title: chat,
    facts: [
      fact(l10n.t('Chat'), place.id),
      fact(l10n.t('Bot'), bot ? l10n.t('{0} ({1})', bot, place.botId) : place.botId),
      fact(l10n.t('Service'), service),
      fact(l10n.t('Range'), rangeText(range)),
      fact(l10n.t('Messages'), formatCount(exportedCount(progress))),
      fact(l10n.t('Exported'), formatDateTime(began)),
    ],
  };
}

const fact = (label: string, value: string) => l10n.t('{0}: {1}', label, value);

function rangeText({ start, end }: ExportRange): ShownText {
  if (start === undefined) return l10n.t('Entire history');
  if (end === undefined) return l10n.t('Since {0}', formatDate(start));
  const [first, last] = [formatDate(start), formatDate(end - 1)];
  return first === last ? first : l10n.t('{0} to {1}', first, last);
}

function exportLabels(): ExportLabels {
  return {
    language: env.language,
    bot: l10n.t('Bot'),
    unknownTime: l10n.t('time unknown'),
    unreadable: l10n.t("This message can't be read. Original content:"),
    kinds: { ...typeNames(l10n), a2ui: l10n.t("Interactive card, which can't be used here") },
    expired: l10n.t('This link has expired.'),
    htmlSource: l10n.t('HTML, shown as source'),
    reply: l10n.t('Reply'),
    replyToEarlier: l10n.t('Reply to an earlier message'),
    replyTo: (name) => l10n.t('Reply to {0}', name),
    says: (name, text) => l10n.t('{0}: {1}', name, text),
    timesIn: (offset, zone) =>
      zone === offset ? l10n.t('Times are {0}.', offset) : l10n.t('Times are {0} ({1}).', offset, zone),
    timesFromHere: (offset) => l10n.t('Times from here on are {0}.', offset),
    command: (name) => l10n.t('Command {0}', name),
    mentions: (ids) => l10n.t('Mentions {0}', ids),
    long: l10n.t('This message is too long to format. Original content:'),
    otherType: (contentType) => l10n.t('Message type “{0}”', contentType),
    otherKind: (contentType) => l10n.t('Message type “{0}”, shown as received', contentType),
    opens: (address) => l10n.t('Opens {0}', address),
    copies: (value) => l10n.t('Copies “{0}”', value),
    reports: (value) => l10n.t('Reports “{0}”', value),
    unknownAction: (actionType) => l10n.t('Unknown action type {0}', actionType),
  };
}
