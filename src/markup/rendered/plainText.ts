/** The text that people see of Markdown and HTML. Loaded with the pages, and with what first needs it elsewhere. Pure. */
import { Parser } from 'htmlparser2';
import type { Token } from 'markdown-it';
import { showEmojiCodes } from '../emojiCodes.ts';
import { parseWebAddress, splitLinks } from '../links.ts';
import { hideMarks } from '../messageContent.ts';
import { type Purpose, realTarget, TextWriter } from '../textWriter.ts';
import { MAX_RENDERED, parseMarkdown } from './markdownHtml.ts';

/**
 * Elements that aren't shown, nor is anything in them. Of all others, only the text in them is shown. `head` and
 * `colgroup` aren't among them: text ends them.
 */
export const HIDDEN_ELEMENTS: readonly string[] =
  'audio iframe math noembed noframes noscript plaintext script style svg template title video xmp'.split(' ');

/** Elements in which emoji codes stay as they are. */
export const CODE_ELEMENTS: readonly string[] = ['code', 'kbd', 'pre', 'samp'];

/** A text without markup. Its addresses say where they lead, as they do where they're shown. */
export function addressesText(text: string, purpose: Purpose): string {
  if (purpose === 'copied' || !text.includes('://')) return text;
  const pieces = splitLinks(text).map((one) => (one.isAddress ? one.text + realTarget(one.text, one.text) : one.text));
  return pieces.join('');
}

/** The text of Markdown; its source if it's too long, or nested too deeply, to be rendered. */
export function markdownText(markdown: string, purpose: Purpose): string {
  const tokens = parseMarkdown(markdown);
  if (!tokens) return markdown;
  const writer = new TextWriter(purpose);
  for (const token of tokens.flatMap((one) => (one.type === 'inline' ? (one.children ?? []) : one))) {
    writeToken(writer, token);
  }
  return writer.text;
}

/**
 * The links of Markdown whose text names another target, each with that text and where it leads. Undefined if it's too
 * long, or nested too deeply, to be read.
 */
export function disguisedLinks(markdown: string): { text: string; target: string }[] | undefined {
  return parseMarkdown(markdown)?.flatMap(({ children }) => {
    let text = '';
    return (children ?? []).flatMap(({ type, content }) => {
      if (type === 'real_target') return { text, target: content };
      text = type === 'link_open' ? '' : text + (type.endsWith('break') ? ' ' : content);
      return [];
    });
  });
}

function writeToken(writer: TextWriter, token: Token): void {
  const attribute = (name: string) => String(token.attrGet(name) ?? '');
  switch (token.type) {
    case 'fence':
    case 'code_block':
      writer.open('pre');
      writer.write(token.content);
      writer.close('pre');
      break;
    case 'image': {
      const src = attribute('src');
      const alt = token.children?.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
      writer.open('img', { alt: alt || (parseWebAddress(src) ?? ''), src });
      break;
    }
    case 'task':
      writer.mark(token.meta?.isDone === true ? '☑ ' : '☐ ');
      break;
    // The writer finds it out itself.
    case 'real_target':
      break;
    default:
      // The paragraphs of a tight list are hidden.
      if (token.hidden) break;
      if (token.content) writer.write(token.content);
      else if (token.nesting < 0) writer.close(token.tag);
      else writer.open(token.tag, { href: attribute('href'), start: attribute('start') });
  }
}

/** The text of a page; its source if that is too long to be rendered. */
export function htmlText(html: string, purpose: Purpose): string {
  if (html.length > MAX_RENDERED) return html;
  const writer = new TextWriter(purpose);
  /** How many elements of a kind are open. */
  let hidden = 0;
  let code = 0;
  let isAtStartOfPre = false;
  const parser = new Parser({
    ontext: (text) => {
      const shown = isAtStartOfPre ? text.replace(/^\r?\n/, '') : text;
      isAtStartOfPre = false;
      if (hidden === 0) writer.write(code > 0 ? shown : showEmojiCodes(shown));
    },
    onopentag: (name, attributes) => {
      isAtStartOfPre = name === 'pre';
      if (CODE_ELEMENTS.includes(name)) code++;
      if (HIDDEN_ELEMENTS.includes(name)) hidden++;
      else if (hidden === 0) writer.open(name, attributes);
    },
    onclosetag: (name) => {
      if (CODE_ELEMENTS.includes(name)) code--;
      if (HIDDEN_ELEMENTS.includes(name)) hidden--;
      else if (hidden === 0) writer.close(name);
    },
  });
  parser.end(html);
  // A mark may have been a character reference.
  return hideMarks(writer.text);
}
