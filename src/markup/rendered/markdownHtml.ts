/** Renders untrusted Markdown as HTML. Loaded with the pages, and with the first export to HTML. */

import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { parseUrl } from '../../service/address.ts';
import { showEmojiCodes } from '../emojiCodes.ts';
import { escapeAllInvisible, escapeInvisible } from '../escapeInvisible.ts';
import { type Link, parseWebAddress, safeLink } from '../links.ts';
import { hideMarks } from '../messageContent.ts';
import type { Html } from '../safeText.ts';
import { addressAround } from '../webAddress.ts';

/** Splits code into tokens; undefined if the language isn't known. */
type Highlighter = (code: string, language: string) => [text: string, kind: string | undefined][] | undefined;

export interface MarkdownOptions {
  /** Whether remote images are loaded; otherwise they're links. */
  loadImages: boolean;
  highlight?: Highlighter | undefined;
  /** The text for an image without an address, where images are loaded; by default none. */
  noAddress?: string | undefined;
}

export interface RenderedMarkdown {
  /** The HTML, which contains only what Markdown can express. */
  html: Html;
  /** Whether there is code that names its language. */
  hasCode: boolean;
}

/** Quotes and lists nested deeper than this aren't readable. */
const MAX_NESTING = 30;

/** Longer Markdown and HTML is shown as source (UTF-16 units): to render it, and its layout, could take seconds. */
export const MAX_RENDERED = 200_000;

/** At most this much code of a message is highlighted (UTF-16 units); more would block the page. */
const MAX_HIGHLIGHTED = 20_000;

// Raw HTML stays text. Only web and mail links are allowed: no command:, vscode: or file: addresses.
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: MAX_NESTING });
parser.validateLink = (url) => safeLink(url, '') !== undefined;
// Show a host as written: decoded, it could look like another.
parser.normalizeLinkText = (url) => url;
// The parser would encode the capitals and full-width letters of a host, which browsers read as small ones.
const encodeLink = parser.normalizeLink;
parser.normalizeLink = (url) => {
  const [, start = '', host = ''] =
    /^(https?:\/\/(?:[^/?#\\@]*@)?)([^\s/?#\\:@]*[^\0-~][^\s/?#\\:@]*)/i.exec(url) ?? [];
  const read = parseUrl(`https://${host}`)?.hostname ?? host;
  return encodeLink(start + read + url.slice(start.length + host.length));
};
// Only addresses with a scheme are linked automatically; those of mail are left to the parser.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
for (const scheme of ['http:', 'https:', 'ftp:', '//']) parser.linkify.add(scheme, null);

// A bare address ends where it ends in plain text.
parser.inline.ruler.at('linkify', (state, silent) => {
  if (state.linkLevel > 0 || !state.src.startsWith('://', state.pos)) return false;
  const found = addressAround(state.src, state.pos);
  const written = found && state.src.slice(found.index, state.pos);
  if (!found || !written || !state.pending.endsWith(written)) return false;
  state.pos = found.index + found.text.length;
  if (silent) return true;
  if (!found.isLinked) {
    state.pending += found.text.slice(written.length);
    return true;
  }
  state.pending = state.pending.slice(0, -written.length);
  state.push('link_open', 'a', 1).attrSet('href', state.md.normalizeLink(found.text));
  state.push('text', '', 0).content = found.text;
  state.push('link_close', 'a', -1);
  return true;
});

const { escapeHtml } = parser.utils;

/** The tokens of Markdown; undefined if it's too long or nested too deeply. */
export function parseMarkdown(text: string): Token[] | undefined {
  if (text.length > MAX_RENDERED) return undefined;
  const tokens = parser.parse(text, {});
  // Beyond its limit the parser drops content.
  return tokens.some(({ level }) => level >= MAX_NESTING - 1) ? undefined : tokens;
}

/** Renders Markdown as HTML; undefined if it's too long or nested too deeply. */
export function renderMarkdown(
  text: string,
  { loadImages, highlight, noAddress = '' }: MarkdownOptions,
): RenderedMarkdown | undefined {
  const tokens = parseMarkdown(text);
  if (!tokens) return undefined;
  let left = MAX_HIGHLIGHTED;
  const env = {
    loadImages,
    noAddress,
    highlight: (code, language) => {
      left -= code.length;
      return left < 0 ? undefined : highlight?.(code, language);
    },
  } satisfies RenderEnv;
  const hasCode = tokens.some((token) => token.type === 'fence' && languageOf(token) !== '');
  return { html: parser.renderer.render(tokens, parser.options, env) as Html, hasCode };
}

/** The environment of the render rules. */
interface RenderEnv {
  loadImages: boolean;
  noAddress: string;
  highlight: Highlighter;
}

const languageOf = ({ info }: Token) =>
  info
    .trim()
    .split(/[\s,{]/)[0]
    ?.toLowerCase() ?? '';

// Emoji codes are replaced while escaped brackets are still tokens of their own. An address stays as it is.
parser.core.ruler.after('inline', 'emoji', ({ tokens }) => {
  for (const token of tokens) {
    let before: Token | undefined;
    for (const part of token.children ?? []) {
      const isAddress = before?.type === 'link_open' && before.info === 'auto';
      const texts = part.type === 'image' ? (part.children ?? []) : [part];
      for (const one of texts) if (one.type === 'text' && !isAddress) one.content = showEmojiCodes(one.content);
      before = part;
    }
  }
});

parser.core.ruler.push('tasks', ({ tokens, Token }) => addTasks(tokens, (type) => new Token(type, '', 0)));

// A link shows its actual target.
parser.core.ruler.push('links', ({ tokens, Token }) => {
  for (const { children } of tokens) {
    if (!children) continue;
    let start = 0;
    for (let index = 0; index < children.length; index++) {
      if (children[index]?.type === 'link_open') start = index;
      if (children[index]?.type !== 'link_close') continue;
      const open = children[start];
      const label = children.slice(start, index).map(({ type, content }) => (type.endsWith('break') ? ' ' : content));
      const link = safeLink(textOf(open, 'href'), label.join(''));
      if (!open || !link) continue;
      const own = textOf(open, 'title');
      open.attrs = Object.entries({
        ...attributesOf(link),
        title: own ? `${link.title}\n${escapeInvisible(own)}` : link.title,
      });
      if (!link.realTarget) continue;
      const note = new Token('real_target', '', 0);
      note.content = link.realTarget;
      children.splice(index + 1, 0, note);
      index++;
    }
  }
});

// The page's policy forbids style attributes, so column alignment becomes a class.
parser.core.ruler.push('align', ({ tokens }) => {
  for (const token of tokens) {
    const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align) token.attrs = [['class', align]];
  }
});

const CODE = new Set(['code_inline', 'code_block', 'fence']);

// This comes last, so that escapes aren't parsed as Markdown and entities are decoded.
parser.core.ruler.push('visible', ({ tokens }) => {
  for (const token of tokens) {
    for (const part of [token, ...(token.children ?? [])]) {
      const visible = CODE.has(part.type) ? escapeAllInvisible : escapeInvisible;
      // An image is rendered from its children.
      // A mark may have been a character reference.
      if (part.type === 'text') part.content = hideMarks(part.content);
      if (part.type !== 'inline') part.content = visible(part.content);
      for (const inner of part.type === 'image' ? (part.children ?? []) : [])
        inner.content = escapeInvisible(inner.content);
    }
  }
});

const { rules } = parser.renderer;

rules.task = (tokens, index) => {
  const isDone = tokens[index]?.meta?.isDone === true;
  return `<input type="checkbox" disabled${isDone ? ' checked' : ''}>`;
};
rules.task_label_open = () => '<label>';
rules.task_label_close = () => '</label>';

rules.real_target = (tokens, index) => {
  return ` <bdi class="real-place">(→ ${escapeHtml(tokens[index]?.content ?? '')})</bdi>`;
};

rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const address = textOf(token, 'src');
  const alt = self.renderInlineAsText(token?.children ?? [], options, env ?? {});
  const link = safeLink(address, alt);
  const { loadImages, noAddress } = renderEnv(env);
  const note = loadImages && noAddress && `<small>(${escapeHtml(noAddress)})</small>`;
  if (!link) return [escapeHtml(alt), note].filter(Boolean).join(' ');
  const image =
    loadImages && parseWebAddress(address)
      ? `<img${writeAttributes({ src: link.href, alt, loading: 'lazy', referrerpolicy: 'no-referrer' })}>`
      : escapeHtml(alt || escapeAllInvisible(address));
  const realTarget = link.realTarget ? ` <bdi class="real-place">(→ ${escapeHtml(link.realTarget)})</bdi>` : '';
  // An image inside a link doesn't get a link of its own.
  const isLinked = tokens.slice(0, index).reduce((depth, { type, nesting }) => {
    return type.startsWith('link_') ? depth + nesting : depth;
  }, 0);
  return isLinked ? image : `<a${writeAttributes(attributesOf(link))}>${image}</a>${realTarget}`;
};

rules.fence = (tokens, index, _options, env) => {
  const token = tokens[index];
  if (!token) return '';
  const language = languageOf(token);
  const pieces = (language && renderEnv(env).highlight(token.content, language)) || [[token.content, undefined]];
  const code = pieces
    .map(([text, kind]) => (kind ? `<span class="code-${kind}">${escapeHtml(text)}</span>` : escapeHtml(text)))
    .join('');
  return `<pre dir="auto"><code>${code}</code></pre>\n`;
};
rules.code_block = (tokens, index) =>
  `<pre dir="auto"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;

// A wide table scrolls in its own box.
rules.table_open = () => '<div class="table"><table>';
rules.table_close = () => '</table></div>';

const renderEnv = (env: Env | undefined) => env as unknown as RenderEnv;

const textOf = (token: Token | undefined, name: string) => String(token?.attrGet(name) ?? '');

function attributesOf({ href, title }: Link) {
  return { href, title, rel: 'noreferrer' };
}

function writeAttributes(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
}

const TASK = /^\[([ xX])\](?=\s|$)\s*/;

/** Turns `[ ]` and `[x]` at the start of list items into checkboxes, labeled by the item's text. */
function addTasks(tokens: Token[], create: (type: string) => Token): void {
  tokens.forEach((token, index) => {
    const [item, paragraph] = tokens.slice(Math.max(0, index - 2), index);
    if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open') return;
    const first = token.children?.[0];
    // A box whose brackets are escaped in the source is text.
    if (first?.type !== 'text' || !token.children || !TASK.test(token.content)) return;
    const [box, mark] = TASK.exec(first.content) ?? [];
    if (box === undefined) return;
    item.attrSet('class', 'task');
    first.content = first.content.slice(box.length);
    const task = create('task');
    task.meta = { isDone: mark !== ' ' };
    token.children = [create('task_label_open'), task, ...token.children, create('task_label_close')];
  });
}
