/** Markdown to HTML, loaded when the first Markdown message is shown or exported. Message content is hostile. */
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { escapeInvisible } from './escapeInvisible.ts';
import { type Link, parseWebAddress, safeLink } from './links.ts';

export type Highlighter = (code: string, language: string) => [text: string, token: string | undefined][] | undefined;

export interface MarkdownOptions {
  /** Whether pictures of the web are shown; else they are links. */
  loadImages: boolean;
  /** Code in pieces, each with what it is as far as that is known; undefined where nothing is. */
  highlight?: Highlighter | undefined;
}

export interface RenderedMarkdown {
  /** Holds nothing but what Markdown can say. */
  html: string;
  /** Whether there is code that says which language it is in. */
  hasCode: boolean;
}

/** More quotes and lists within each other are not read as such: nobody could tell them apart. */
const DEPTH = 30;

/** As much code of a message is highlighted (UTF-16 units): more would make the page stand still. */
const HIGHLIGHTED = 20_000;

// Raw HTML stays text, and links lead to the web or to mail: no command:, vscode: or file: address.
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: DEPTH });
parser.validateLink = (url) => safeLink(url, '') !== undefined;
// A host is shown as it was written: decoded, it could look like another.
parser.normalizeLinkText = (url) => url;
// Only an address that says what it is becomes a link by itself.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const { escapeHtml } = parser.utils;

/** HTML of a Markdown text; undefined where it is nested too deeply to be read as Markdown. */
export function renderMarkdown(
  text: string,
  { loadImages: pictures, highlight }: MarkdownOptions,
): RenderedMarkdown | undefined {
  const tokens = parser.parse(text, {});
  // Beyond its bound the parser leaves out what it did not read.
  if (tokens.some(({ level }) => level >= DEPTH - 1)) return undefined;
  let left = HIGHLIGHTED;
  const env = {
    pictures,
    highlight: (code, language) => {
      left -= code.length;
      return left < 0 ? undefined : highlight?.(code, language);
    },
  } satisfies Drawing;
  const hasCode = tokens.some((token) => token.type === 'fence' && languageOf(token) !== '');
  return { html: parser.renderer.render(tokens, parser.options, env), hasCode };
}

/** What the rules that draw need to know. */
interface Drawing {
  pictures: boolean;
  highlight: Highlighter;
}

const languageOf = ({ info }: Token) =>
  info
    .trim()
    .split(/[\s,{]/)[0]
    ?.toLowerCase() ?? '';

parser.core.ruler.push('tasks', ({ tokens, Token }) => addTasks(tokens, (type) => new Token(type, '', 0)));

// A link says where it leads.
parser.core.ruler.push('links', ({ tokens, Token }) => {
  for (const { children } of tokens) {
    if (!children) continue;
    let start = 0;
    for (let index = 0; index < children.length; index++) {
      if (children[index]?.type === 'link_open') start = index;
      if (children[index]?.type !== 'link_close') continue;
      const open = children[start];
      const said = children.slice(start, index).map(({ type, content }) => (type.endsWith('break') ? ' ' : content));
      const link = safeLink(textOf(open, 'href'), said.join(''));
      if (!open || !link) continue;
      const own = textOf(open, 'title');
      open.attrs = Object.entries({
        ...attributesOf(link),
        title: own ? `${link.title}\n${escapeInvisible(own)}` : link.title,
      });
      if (!link.realTarget) continue;
      const note = new Token('real_place', '', 0);
      note.content = link.realTarget;
      children.splice(index + 1, 0, note);
      index++;
    }
  }
});

// The page's policy allows no style attributes: the alignment of a table's columns becomes a class.
parser.core.ruler.push('align', ({ tokens }) => {
  for (const token of tokens) {
    const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align) token.attrs = [['class', align]];
  }
});

// After all else, so that a mark is never taken for a part of the Markdown; entities are characters by now.
parser.core.ruler.push('visible', ({ tokens }) => {
  for (const token of tokens) {
    for (const part of [token, ...(token.children ?? [])]) {
      // A picture is drawn from its parts.
      if (part.type !== 'inline') part.content = escapeInvisible(part.content);
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

rules.real_place = (tokens, index) => {
  return ` <bdi class="real-place">(→ ${escapeHtml(tokens[index]?.content ?? '')})</bdi>`;
};

rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const address = textOf(token, 'src');
  const alt = self.renderInlineAsText(token?.children ?? [], options, env ?? {});
  const link = safeLink(address, alt);
  if (!link) return escapeHtml(alt);
  const picture =
    drawing(env).pictures && parseWebAddress(address)
      ? `<img${written({ src: link.href, alt, loading: 'lazy', referrerpolicy: 'no-referrer' })}>`
      : escapeHtml(alt || escapeInvisible(address));
  const place = link.realTarget ? ` <bdi class="real-place">(→ ${escapeHtml(link.realTarget)})</bdi>` : '';
  // Within a link it is a part of that.
  const isLinked = tokens.slice(0, index).reduce((depth, { type, nesting }) => {
    return type.startsWith('link_') ? depth + nesting : depth;
  }, 0);
  return isLinked ? picture : `<a${written(attributesOf(link))}>${picture}</a>${place}`;
};

rules.fence = (tokens, index, _options, env) => {
  const token = tokens[index];
  if (!token) return '';
  const language = languageOf(token);
  const pieces = (language && drawing(env).highlight(token.content, language)) || [[token.content, undefined]];
  const code = pieces
    .map(([text, kind]) => (kind ? `<span class="code-${kind}">${escapeHtml(text)}</span>` : escapeHtml(text)))
    .join('');
  return `<pre dir="auto"><code>${code}</code></pre>\n`;
};
rules.code_block = (tokens, index) =>
  `<pre dir="auto"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;

// A wide table scrolls in a box of its own.
rules.table_open = () => '<div class="table"><table>';
rules.table_close = () => '</table></div>';

const drawing = (env: Env | undefined) => env as unknown as Drawing;

const textOf = (token: Token | undefined, name: string) => String(token?.attrGet(name) ?? '');

function attributesOf({ href, title }: Link) {
  return { href, title, rel: 'noreferrer' };
}

function written(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
}

/** Turns the boxes of list items into tasks, each within a label, so that it is called by the item's own words. */
function addTasks(tokens: Token[], create: (type: string) => Token): void {
  tokens.forEach((token, index) => {
    const [item, paragraph] = tokens.slice(Math.max(0, index - 2), index);
    if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open') return;
    const first = token.children?.[0];
    const [box, mark] = /^\[([ xX])\](?=\s|$)\s*/.exec(first?.type === 'text' ? first.content : '') ?? [];
    if (!first || !token.children || box === undefined) return;
    item.attrSet('class', 'task');
    first.content = first.content.slice(box.length);
    const task = create('task');
    task.meta = { isDone: mark !== ' ' };
    token.children = [create('task_label_open'), task, ...token.children, create('task_label_close')];
  });
}
