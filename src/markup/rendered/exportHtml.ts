/** Exports a chat as one HTML document that makes no network requests: heading, one entry at a time, ending. */
import { systemClock } from '../../service/clock.ts';
import type { Listed, Message } from '../../service/message.ts';
import { escapeAllInvisible, escapeInvisible } from '../escapeInvisible.ts';
import { encodeAddress } from '../escapeMarkdown.ts';
import { captionOf, type ExportHeading, type ExportLabels, effectOf, isFastToRender, notesOf } from '../exportParts.ts';
import { mediaReference } from '../media.ts';
import { type Part, partsOf, readableText } from '../messageContent.ts';
import { contentJson, otherTarget } from '../messageFormats.ts';
import { type Html, html, joinHtml } from '../safeText.ts';
import { isWebAddress } from '../webAddress.ts';
import type { Setting } from './conversation.ts';
import { contentText } from './shownText.ts';

const STYLE = html`
:root { color-scheme: light dark; --quiet: #616161; --line: #d8d8d8; --link: #0058b0; }
@media (prefers-color-scheme: dark) { :root { --quiet: #a0a0a0; --line: #444; --link: #6cb2ff; } }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; overflow-wrap: anywhere; }
body > h2 { margin: 2rem 0 1rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 17px; }
a { color: var(--link); overflow-wrap: anywhere; }
article { margin: .75rem 0; overflow-wrap: anywhere; }
article.first { margin-top: 1.5rem; }
article:target { outline: 2px solid var(--link); outline-offset: 4px; }
article > :not(header) { margin: .25rem 0 .25rem 1.25rem; }
article :is(h1, h2, h3, h4, h5, h6) { margin: .5rem 0; font-size: 15px; }
article :is(p, ul, ol, .table) { margin-block: .25rem; }
header, .quiet { color: var(--quiet); font-size: 13px; }
header b { color: CanvasText; font-size: 15px; }
blockquote { margin: .25rem 0; padding-left: .75rem; border-left: 3px solid var(--line); }
.text, article > .quiet, pre { white-space: pre-wrap; }
pre { margin: .25rem 0; padding: .5rem; border: 1px solid var(--line); overflow-x: auto; }
ul, ol { padding-left: 1.25rem; } .task { list-style: none; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }
.table { overflow-x: auto; } td.center, th.center { text-align: center; } td.right, th.right { text-align: right; }
`;

/** Turns Markdown into safe HTML; undefined if it can't be parsed as Markdown. */
export type MarkdownRenderer = (markdown: string) => Html | undefined;

/** The start of the document, up to the first entry. */
export function htmlHeading({ title, facts }: ExportHeading, { language }: ExportLabels): Html {
  const list = joinHtml(facts.map(text), html`<br>\n`);
  return html`<!DOCTYPE html>
<html lang="${text(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(title)}</h1>
<p class="quiet">${list}</p>
`;
}

export const HTML_ENDING = html`</body>\n</html>\n`;

export interface HtmlEntryOptions {
  labels: ExportLabels;
  /** Markdown that can't be rendered is shown as source. */
  render?: MarkdownRenderer;
  /** When the export began (Unix ms). */
  now?: number;
}

/** One entry. */
export function htmlEntry(
  entry: Listed,
  setting: Setting,
  { labels, render, now = systemClock.wall() }: HtmlEntryOptions,
): Html {
  if (!entry.readable) {
    return html`<article><p class="quiet">${text(labels.unreadable)}</p>${source(JSON.stringify(entry.raw, null, 2))}</article>\n`;
  }
  const { message } = entry;
  if (message.contentType === 'tip') {
    const texts = [contentText(entry, 'copied', now), ...notesOf(message, labels)];
    const notice = html`<header>${joinHtml([timeOf(message, setting), ...texts.map(span)], ' · ')}</header>`;
    return html`${changesOf(setting)}${articleOf(message, setting, notice, buttonsOf(message, labels))}`;
  }
  const command = message.commandName && labels.command(message.commandName);
  const article = articleOf(
    message,
    setting,
    headerOf(message, setting, command, captionOf(message, labels, now)),
    quotationOf(setting, labels),
    ...partsOf(message, now).map((part) => partHtml(part, entry, render)),
    ...notesOf(message, labels).map(quiet),
    buttonsOf(message, labels),
  );
  return html`${changesOf(setting)}${article}`;
}

/** The text around the JSON of an entry, and the escape for each piece of it. */
export const htmlJsonBlock = (entry: Listed, setting: Setting, { long }: ExportLabels) => ({
  begin: html`${changesOf(setting)}<article>${
    entry.readable ? headerOf(entry.message, setting) : ''
  }<p class="quiet">${text(long)}</p><pre dir="auto">`,
  piece: (json: string) => text(escapeAllInvisible(json)),
  end: html`</pre></article>\n`,
});

/** A new day or time zone. */
function changesOf({ zone, day }: Setting): Html {
  return html`${zone && html`<p class="quiet">${text(zone)}</p>\n`}${day && html`<h2>${text(day)}</h2>\n`}`;
}

function articleOf({ msgId }: Message, { sender }: Setting, ...parts: Html[]): Html {
  const style = sender ? html` class="first"` : '';
  return html`<article id="${text(idOf(msgId))}"${style}>\n${joinHtml(parts, '\n')}\n</article>\n`;
}

/** The sender, unless it's the one above, and the time. */
function headerOf(message: Message, setting: Setting, ...more: string[]): Html {
  const { sender } = setting;
  const name = sender && html`<b dir="auto">${text(sender.name)}</b> `;
  const details = [sender && text(sender.details), timeOf(message, setting), ...more.map(span)];
  return html`<header>${name ?? ''}${joinHtml(details, ' · ')}</header>`;
}

function timeOf({ sendTime }: Message, { time }: Setting): Html {
  const date = new Date(sendTime ?? Number.NaN);
  const exact = Number.isNaN(date.getTime()) ? '' : html` datetime="${text(date.toISOString())}"`;
  return html`<time${exact}>${text(time)}</time>`;
}

/** The message that a reply answers, with a link if it's in the document. */
function quotationOf({ answered }: Setting, labels: ExportLabels): Html {
  if (!answered) return '';
  const { name, text: quoted, msgId } = answered;
  const label = text(name ? labels.replyTo(name) : labels.reply);
  const link = msgId === undefined ? label : html`<a href="#${text(fragment(msgId))}">${label}</a>`;
  return html`<blockquote class="quiet" dir="auto">${name || msgId ? html`${link}<br>` : ''}${text(quoted)}</blockquote>`;
}

function partHtml(part: Part, entry: Listed, render: MarkdownRenderer | undefined): Html {
  switch (part.kind) {
    case 'plain':
      return plain(part.text);
    case 'markdown': {
      const rendered = isFastToRender(part.text) ? render?.(part.text) : undefined;
      return rendered === undefined ? source(part.text) : html`<div dir="auto">${rendered}</div>`;
    }
    case 'html':
    case 'source':
      return source(part.text);
    case 'card': {
      const title = part.title && html`<div dir="auto"><b>${text(part.title)}</b></div>`;
      return html`${title}${partHtml(part.body, entry, render)}`;
    }
    case 'media': {
      const { name, location } = mediaReference(part.media);
      const link = linked(name, location);
      const parts = [link && html`<div dir="auto">${link}</div>`, part.text && plain(part.text)];
      return joinHtml(parts, '\n') || source(contentJson(entry));
    }
    case 'fields':
      return listOf(
        part.fields.map(({ label, value }) => {
          // A field without a label is shown as its value.
          const name = label && html`<span class="quiet" dir="auto">${text(label)}</span> `;
          return html`${name}<span class="text" dir="auto">${text(value || '—')}</span>`;
        }),
      );
    case 'json':
      return source(contentJson(entry));
  }
}

function buttonsOf({ content: { buttons = [] } }: Message, labels: ExportLabels): Html {
  const items = buttons.flat().map((button) => {
    const label = html`<b dir="auto">${text(readableText(button.text) || '…')}</b>`;
    return html`${label} <span class="quiet">${text(effectOf(button, labels))}</span>`;
  });
  return items.length > 0 ? listOf(items) : '';
}

const listOf = (items: readonly Html[]) => {
  const listed = items.map((item) => html`<li>${item}</li>`);
  return html`<ul>\n${joinHtml(listed, '\n')}\n</ul>`;
};

function linked(name: string, address: string): Html {
  if (!isWebAddress(address)) return text(escapeAllInvisible([name, address].filter(Boolean).join(' ')));
  const label = name || address;
  const link = html`<a href="${text(encodeAddress(address))}">${text(escapeAllInvisible(label))}</a>`;
  return joinHtml([link, text(otherTarget(label, address))], ' ');
}

const plain = (value: string) => html`<div class="text" dir="auto">${text(value)}</div>`;
const source = (code: string) => html`<pre>${text(escapeAllInvisible(code))}</pre>`;
const span = (value: string): Html => value && html`<span dir="auto">${text(value)}</span>`;
const quiet = (value: string) => value && html`<p class="quiet" dir="auto">${text(value)}</p>`;
const idOf = (msgId: string) => `message-${msgId}`;
const fragment = (msgId: string) => encodeURIComponent(idOf(msgId).replace(/\p{Surrogate}/gu, '\uFFFD'));

/** Escapes text for an element or an attribute. */
const text = (value: string) =>
  escapeInvisible(value).replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? '') as Html;

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
