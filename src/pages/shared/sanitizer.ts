/** The page that an HTML message holds, reduced to what is safe; loaded when the first one is shown. */
import createPurifier from 'dompurify';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink } from '../../markup/links.ts';

/** Words and their structure: nothing that runs, loads, asks or looks like the product, whose messages are articles. */
const TAGS = [
  ...['a', 'abbr', 'b', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'dd', 'del', 'details', 'dfn', 'div'],
  ...['dl', 'dt', 'em', 'figcaption', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd'],
  ...['li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'section', 'small', 'span', 'strong', 'sub'],
  ...['summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'u', 'ul', 'var', 'wbr'],
];
const PLAIN_ATTRIBUTES = ['alt', 'colspan', 'dir', 'height', 'lang', 'reversed', 'rowspan', 'start', 'title', 'width'];

const POLICY = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: [...PLAIN_ATTRIBUTES, 'href', 'src'],
  ADD_URI_SAFE_ATTR: PLAIN_ATTRIBUTES,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

const purifier = inertPurifier();

/**
 * Cleans in the window of a frame that is gone: nothing runs or loads there, and nothing is reported against the policy
 * of this page, which all of its other documents inherit. In a browser that cannot, it cleans in this window.
 */
function inertPurifier() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const inert = createPurifier(frame.contentWindow as Window & typeof globalThis);
  frame.remove();
  return inert.sanitize('<b onclick="a">b</b>', POLICY) === '<b>b</b>' ? inert : createPurifier(window);
}

/**
 * The page without scripts, styles, forms, frames, drawings, names and classes. Links lead to the web or to mail.
 * Pictures are links unless they are allowed, and then of the web. Undefined where the page has no body to clean.
 */
export function sanitizeHtml(html: string, { pictures }: { pictures: boolean }): DocumentFragment | undefined {
  // A fragment, never text that is read again: HTML may mean something else when it is read for the second time.
  // The library returns null for a page of frames, which its types don't say.
  const fragment: DocumentFragment | null = purifier.sanitize(html, { ...POLICY, RETURN_DOM_FRAGMENT: true });
  if (!fragment) return undefined;
  for (const image of fragment.querySelectorAll('img')) picture(image, pictures);
  for (const link of fragment.querySelectorAll('a')) lead(link);
  for (const element of fragment.querySelectorAll('[title], [alt]')) {
    for (const name of ['title', 'alt']) {
      const value = element.getAttribute(name);
      if (value) element.setAttribute(name, escapeInvisible(value));
    }
  }
  // What is a node of this document loads its picture, in the page or not: none is before it is looked at.
  const page = document.importNode(fragment, true);
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = escapeInvisible(texts.currentNode.nodeValue ?? '');
  return page;
}

/** A picture is a link to itself where it is not allowed, and its words where it is not of the web. */
function picture(image: HTMLImageElement, isAllowed: boolean): void {
  const address = parseWebAddress(image.getAttribute('src') ?? '');
  const alt = image.getAttribute('alt') ?? '';
  if (address && isAllowed) {
    image.loading = 'lazy';
    image.referrerPolicy = 'no-referrer';
    return;
  }
  if (!address || image.closest('a')) {
    image.replaceWith(alt);
    return;
  }
  const link = image.ownerDocument.createElement('a');
  link.setAttribute('href', address);
  link.textContent = alt || address;
  image.replaceWith(link);
}

/** A link says where it leads; one that leads nowhere is text. */
function lead(anchor: HTMLAnchorElement): void {
  const link = safeLink(anchor.getAttribute('href') ?? '', anchor.textContent ?? '');
  if (!link) {
    anchor.replaceWith(...anchor.childNodes);
    return;
  }
  const { href, title, realTarget: real } = link;
  const own = anchor.getAttribute('title');
  anchor.setAttribute('href', href);
  anchor.setAttribute('title', own ? `${title}\n${own}` : title);
  anchor.setAttribute('rel', 'noreferrer');
  if (!real) return;
  const note = anchor.ownerDocument.createElement('bdi');
  note.className = 'real-place';
  note.textContent = `(→ ${real})`;
  anchor.after(' ', note);
}
