/** The export formats. */
import { env, l10n } from 'vscode';
import { HTML_ENDING, htmlEntry, htmlHeading, htmlJsonBlock } from '../../markup/exportHtml.ts';
import type { ExportHeading, ExportLabels } from '../../markup/exportLabels.ts';
import { markdownEntry, markdownHeading, markdownJsonBlock } from '../../markup/exportMarkdown.ts';
import { isoTime } from '../../markup/exportParts.ts';
import { toNdjson } from '../../markup/messageFormats.ts';
import type { Listed } from '../../service/message.ts';
import type { ExportFormat } from './assembly.ts';
import type { ExportProgress } from './exportProgress.ts';

export type FormatName = 'md' | 'html' | 'ndjson';

/** Creates a format for a chat. Loads the Markdown renderer only if needed. `now` is Unix ms. */
export async function exportFormat(
  name: FormatName,
  title: string,
  progress: ExportProgress,
  now = Date.now(),
): Promise<ExportFormat> {
  const labels = exportLabels();
  switch (name) {
    case 'md': {
      const heading = markdownHeading(headingOf(title, progress));
      const source = (json: string) => markdownJsonBlock(json, labels);
      return { heading, ending: '', entry: (entry) => markdownEntry(entry, labels, now), source };
    }
    case 'html': {
      const { renderMarkdown } = await import('../../markup/markdownHtml.ts');
      const heading = htmlHeading(headingOf(title, progress), labels);
      const render = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html;
      const entry = (one: Listed) => htmlEntry(one, labels, render, now);
      return { heading, ending: HTML_ENDING, entry, source: () => htmlJsonBlock(labels) };
    }
    case 'ndjson':
      return {
        heading: '',
        ending: '',
        entry: toNdjson,
        source: () => ({ begin: '', piece: (json) => json, end: '\n' }),
      };
  }
}

function headingOf(title: string, { place, began, messages }: ExportProgress): ExportHeading {
  return {
    title,
    facts: [
      { label: l10n.t('Chat'), value: place.id },
      { label: l10n.t('Bot'), value: place.botId },
      { label: l10n.t('Service'), value: place.service },
      { label: l10n.t('Exported'), value: isoTime(began) ?? '' },
      { label: l10n.t('Messages'), value: String(messages) },
    ],
  };
}

function exportLabels(): ExportLabels {
  return {
    language: env.language,
    bot: l10n.t('Bot'),
    unknownTime: l10n.t('time unknown'),
    unreadable: l10n.t("This message can't be read. Original content:"),
    image: l10n.t('Image'),
    file: l10n.t('File'),
    video: l10n.t('Video'),
    audio: l10n.t('Audio'),
    expression: l10n.t('Sticker'),
    post: l10n.t('Post'),
    form: l10n.t('Form'),
    expired: l10n.t('This link has expired.'),
    htmlSource: l10n.t('HTML, shown as source'),
    message: (id) => l10n.t('Message {0}', id),
    replyTo: (id) => l10n.t('Reply to {0}', id),
    command: (name) => l10n.t('Command {0}', name),
    long: l10n.t('This message is too long to format. Original content:'),
    otherKind: (contentType) => l10n.t('Message type “{0}”, shown as received', contentType),
    opens: (address) => l10n.t('Opens {0}', address),
    copies: (value) => l10n.t('Copies “{0}”', value),
    reports: (value) => l10n.t('Reports “{0}”', value),
    unknownAction: (actionType) => l10n.t('Unknown action type {0}', actionType),
  };
}
