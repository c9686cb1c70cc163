/** Sanitizes HTML messages. Loaded when the first one is shown. */
import createPurifier from 'dompurify';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink } from '../../markup/links.ts';
import { readableText } from '../../markup/messageContent.ts';
import { CODE_ELEMENTS, HIDDEN_ELEMENTS } from '../../markup/rendered/plainText.ts';
import { BLOCK_ELEMENTS, INLINE_ELEMENTS, PLAIN_BLOCKS } from '../../markup/textWriter.ts';
import { policy } from './trustedHtml.ts';

/**
 * Text and structure only: nothing that runs, loads, takes input, or looks like a message (`article`, a plain block). The
 * body just holds them. If it weren't allowed, it would be copied, and copying a script in SVG crashes Chromium 147.
 */
const ALLOWED_TAGS = ['body', ...INLINE_ELEMENTS, ...BLOCK_ELEMENTS, ...PLAIN_BLOCKS];
const PLAIN_ATTRIBUTES = ['alt', 'colspan', 'dir', 'height', 'lang', 'reversed', 'rowspan', 'start', 'title', 'width'];

const POLICY = {
  ALLOWED_TAGS,
  FORBID_CONTENTS: [...HIDDEN_ELEMENTS],
  ALLOWED_ATTR: [...PLAIN_ATTRIBUTES, 'href', 'src'],
  ADD_URI_SAFE_ATTR: PLAIN_ATTRIBUTES,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ...(policy && { TRUSTED_TYPES_POLICY: policy as never }),
};

const purifier = isolatedPurifier();

/**
 * A purifier in the window of a removed frame: nothing runs or loads there, and nothing is reported as a violation of
 * the page's policy. Falls back to this window in browsers where that doesn't work.
 */
function isolatedPurifier() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const isolated = createPurifier(frame.contentWindow as Window & typeof globalThis);
  frame.remove();
  return isolated.sanitize('<b onclick="a">b</b>', POLICY) === '<b>b</b>' ? isolated : createPurifier(window);
}

/**
 * The page without scripts, styles, forms, frames, SVG, IDs and classes. Only web and mail links and web images remain;
 * images become links unless `loadImages`. Undefined if the page has no body.
 */
export function sanitizeHtml(html: string, { loadImages }: { loadImages: boolean }): DocumentFragment | undefined {
  // A fragment, because HTML may change its meaning when it's serialized and parsed again.
  // DOMPurify returns null for a frameset; its types omit that.
  const fragment: DocumentFragment | null = purifier.sanitize(html, { ...POLICY, RETURN_DOM_FRAGMENT: true });
  if (!fragment) return undefined;
  for (const block of fragment.querySelectorAll(PLAIN_BLOCKS.join())) replaceByDiv(block);
  for (const image of fragment.querySelectorAll('img')) sanitizeImage(image, loadImages);
  for (const link of fragment.querySelectorAll('a')) sanitizeLink(link);
  // These attributes mean nothing on other elements, so nothing has checked their addresses.
  for (const element of fragment.querySelectorAll('[href]:not(a)')) element.removeAttribute('href');
  for (const element of fragment.querySelectorAll('[src]:not(img)')) element.removeAttribute('src');
  for (const element of fragment.querySelectorAll('[title], [alt]')) {
    for (const name of ['title', 'alt']) {
      const value = element.getAttribute(name);
      if (value) element.setAttribute(name, escapeInvisible(value));
    }
  }
  // Import last: an image that belongs to this document loads, even if it isn't in the page.
  const page = document.importNode(fragment, true);
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    const text = currentNode.nodeValue ?? '';
    const isCode = currentNode.parentElement?.closest(CODE_ELEMENTS.join());
    currentNode.nodeValue = isCode ? escapeAllInvisible(text) : escapeInvisible(readableText(text));
  }
  return page;
}

/** Replaces an element by one that only separates its text from the text around it. */
function replaceByDiv(block: Element): void {
  const div = block.ownerDocument.createElement('div');
  for (const name of ['dir', 'lang', 'title']) {
    const value = block.getAttribute(name);
    if (value !== null) div.setAttribute(name, value);
  }
  div.append(...block.childNodes);
  block.replaceWith(div);
}

/** Replaces an image by a link if it isn't allowed, and by its alt text if it isn't a web image. */
function sanitizeImage(image: HTMLImageElement, isAllowed: boolean): void {
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

/** Shows the target of a link; a link without a valid target becomes text. */
function sanitizeLink(anchor: HTMLAnchorElement): void {
  const link = safeLink(anchor.getAttribute('href') ?? '', anchor.textContent ?? '');
  if (!link) {
    anchor.replaceWith(...anchor.childNodes);
    return;
  }
  const { href, title, realTarget } = link;
  const own = anchor.getAttribute('title');
  anchor.setAttribute('href', href);
  anchor.setAttribute('title', own ? `${title}\n${own}` : title);
  anchor.setAttribute('rel', 'noreferrer');
  if (!realTarget) return;
  const note = anchor.ownerDocument.createElement('bdi');
  note.className = 'real-place';
  note.textContent = `(→ ${realTarget})`;
  anchor.after(' ', note);
}
