/** Finds active content in hostile messages that were copied, drafted or exported. */
import MarkdownIt, { type Token } from 'markdown-it';
import { toDraft } from '../../../src/markup/messageDraft.ts';
import { toMarkdown } from '../../../src/markup/messageFormats.ts';
import { HTML_ENDING, htmlEntry, htmlHeading } from '../../../src/markup/rendered/exportHtml.ts';
import { markdownEntry, markdownHeading } from '../../../src/markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import type { Listed } from '../../../src/service/message.ts';
import { exportLabels, newConversation } from '../../unit/markup/exportLabels.ts';

/** A parser that allows everything: HTML, any address, bare links. */
const reader = new MarkdownIt({ html: true, linkify: true });
reader.validateLink = () => true;

/** Addresses that a document may link to. */
const HARMLESS = /^(?:https?|mailto):/i;
/** Bare addresses that parsers turn into links; their text is the address. */
const BARE = /^(?:(?:https?|ftp):|mailto:|\/\/)/i;

/** Active content in Markdown, and links and images that no message shows as such. */
export function actsInMarkdown(entries: readonly Listed[]): string[] {
  const found: string[] = [];
  for (const entry of entries) {
    const shown = shownIn(entry);
    found.push(...actors(toMarkdown(entry), shown).map((what) => `copied: ${what}`));
    // Front matter is data to every parser.
    const draft = toDraft(entry).replace(/^---\n(?:chat:\n[\s\S]*?)?---\n/, '');
    found.push(...actors(draft, shown).map((what) => `drafted: ${what}`));
  }
  const heading = { title: titleOf(entries), facts: [`Chat: ${titleOf(entries)}`] };
  const conversation = newConversation();
  const all = entries.map((entry) => ({ entry, setting: conversation.next(entry) }));
  const written = all.map(({ entry, setting }) => markdownEntry(entry, setting, exportLabels));
  const document = markdownHeading(heading) + written.join('');
  const shown = new Set(entries.flatMap((entry) => [...shownIn(entry)]));
  found.push(...actors(document, shown).map((what) => `exported: ${what}`));
  const tokens = reader.parse(document, {});
  // A preview would load them.
  const images = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image');
  found.push(...images.map(({ content }) => `exported: an image ${JSON.stringify(content)}`));
  const opened = tokens.filter(({ level }) => level === 0);
  const count = (type: string) => opened.filter((token) => token.type === type).length;
  const [days, zones] = [all.filter(({ setting }) => setting.day), all.filter(({ setting }) => setting.zone)];
  if (count('heading_open') !== 1 + days.length) found.push(`exported: ${count('heading_open')} headings`);
  // The line above each message, or of a system message.
  const lines = count('paragraph_open') - zones.length;
  if (lines !== entries.length) found.push(`exported: ${lines} lines above messages`);
  return found;
}

/** The same chat as an HTML document, with the addresses that each message may link to. */
export function htmlDocument(entries: readonly Listed[]): { html: string; shown: string[][] } {
  const rendered = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html;
  const heading = htmlHeading({ title: titleOf(entries), facts: [] }, exportLabels);
  const conversation = newConversation();
  const options = { labels: exportLabels, render: rendered };
  const articles = entries.map((entry) => htmlEntry(entry, conversation.next(entry), options));
  const html = heading + articles.join('') + HTML_ENDING;
  return { html, shown: entries.map((entry) => [...shownIn(entry)]) };
}

/** Active content in an HTML document, and links that its messages don't show. Runs in a page. */
export function actsInHtml({ html, shown }: ReturnType<typeof htmlDocument>): string[] {
  const elements = `html head meta title style body h1 h2 h3 h4 h5 h6 p br hr article header b time a div pre code ul ol
    li span bdi input label table thead tbody tr th td blockquote em strong s`.split(/\s+/);
  const attributes =
    'href title rel dir class id type disabled checked start lang charset content http-equiv name datetime';
  const allowed = new Set(attributes.split(' '));
  const document = new DOMParser().parseFromString(html, 'text/html');
  const found: string[] = [];
  const normal = (address: string) => (URL.canParse(address) ? new URL(address).href : address);
  const articles = [...document.querySelectorAll('article')];
  if (articles.length !== shown.length) found.push(`${articles.length} articles`);
  for (const element of document.querySelectorAll('*')) {
    const { localName } = element;
    if (!elements.includes(localName) || !(element instanceof HTMLElement)) found.push(localName);
    if (['meta', 'style', 'title'].includes(localName) && element.parentElement !== document.head)
      found.push(localName);
    if (localName === 'input' && !element.matches('[type=checkbox][disabled]')) found.push('input');
    for (const { name } of element.attributes) if (!allowed.has(name)) found.push(`${localName}[${name}]`);
    if (element.id && localName !== 'article') found.push(`${localName}#${element.id}`);
    const href = element.getAttribute('href');
    if (href === null || href.startsWith('#message-')) continue;
    const article = element.closest('article');
    const may = article ? (shown[articles.indexOf(article)] ?? []) : [];
    const isShown = may.some((address) => normal(address) === normal(href));
    if (!/^(?:https?|mailto):/i.test(href) || !isShown) found.push(`${localName}[href=${JSON.stringify(href)}]`);
  }
  return found;
}

/** Active content in Markdown, and links or images that are not in `shown`. */
function actors(markdown: string, shown: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const isShown = (address: string) => HARMLESS.test(address) && [...shown].some((one) => isSame(one, address));
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      const { type, content, markup } = token;
      const address = String(token.attrGet('href') ?? token.attrGet('src') ?? '');
      if (type === 'html_block' || type === 'html_inline') found.push(`HTML ${JSON.stringify(content)}`);
      if (type === 'image' && !isShown(address)) found.push(`an image of ${JSON.stringify(address)}`);
      const isBare = type === 'link_open' && (markup === 'linkify' || markup === 'autolink');
      if (isBare && !BARE.test(address)) found.push(`a bare link to ${JSON.stringify(address)}`);
      if (type === 'link_open' && !isBare && !isShown(address)) found.push(`a link to ${JSON.stringify(address)}`);
      visit(token.children ?? []);
    }
  };
  visit(reader.parse(markdown, {}));
  return found;
}

/** The addresses that a message shows as links or images. */
function shownIn(entry: Listed): Set<string> {
  if (!entry.readable) return new Set();
  const { contentType, content } = entry.message;
  const own = new Map([
    ['image', content.imageUrl],
    ['expression', content.imageUrl],
    ['file', content.fileUrl],
    ['video', content.videoUrl],
    ['audio', content.audioUrl],
  ]).get(contentType);
  const isPost = contentType === 'post' && content.postContentType === 2;
  const markdown = contentType === 'markdown' ? content.text : isPost ? content.postContent : '';
  const html = renderMarkdown(markdown ?? '', { loadImages: true })?.html;
  const linked = [...(html ?? '').matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address = '']) => unescaped(address));
  return new Set(
    [own, ...linked].filter((address) => address !== undefined && HARMLESS.test(address.trim())) as string[],
  );
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => (URL.canParse(address) ? new URL(address).href : address));
  return first === second;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const unescaped = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? '');

/** A chat name that is as hostile as the messages. */
function titleOf([first]: readonly Listed[]): string {
  return first?.readable ? first.message.senderNickname : '';
}
