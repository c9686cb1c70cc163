/** Text of a message, with invisible characters escaped and addresses linked. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink, splitLinks } from '../../markup/links.ts';
import { truncate } from '../../service/truncate.ts';
import { formatNumber } from './formats.ts';
import { l10n } from './host.ts';

/** Longer text is truncated until the user expands it (UTF-16 units): its layout is slow. */
const MAX_SHOWN = 20_000;

/** Longer text is shown without links (UTF-16 units). */
const MAX_LINKED = 200_000;

export function Text({ text }: { text: string }) {
  const pieces = useMemo(() => {
    // Marks are escaped first, so that an address is seen with the mark next to it.
    const shown = escapeInvisible(text);
    return text.length > MAX_LINKED ? [{ text: shown, isAddress: false }] : splitLinks(shown);
  }, [text]);
  return (
    <>{pieces.map((piece, index) => (piece.isAddress ? <Address key={index} address={piece.text} /> : piece.text))}</>
  );
}

/** A web address as a link, any other as text. */
export function Address({ address, children }: { address: string; children?: ComponentChildren }) {
  const web = parseWebAddress(address);
  const link = web && safeLink(web, children ? '' : address);
  if (!link) return <bdi>{children ?? escapeAllInvisible(address)}</bdi>;
  return (
    <>
      <a href={link.href} title={link.title} rel="noreferrer">
        {children ?? escapeAllInvisible(address)}
      </a>
      {link.realTarget && (
        <>
          {' '}
          <bdi class="real-place">(→ {link.realTarget})</bdi>
        </>
      )}
    </>
  );
}

interface TruncatedProps {
  /** The object that remembers whether the text is expanded. */
  owner: object;
  text: string;
  children(text: string): ComponentChildren;
}

/** The start of a long text, with a button to show all of it. */
export function Truncated({ owner, text, children }: TruncatedProps) {
  const [isExpanded, setExpanded] = useOpenState(owner, 'whole');
  if (isExpanded || text.length <= MAX_SHOWN) return <>{children(text)}</>;
  return (
    <>
      {children(truncate(text, MAX_SHOWN))}
      <button type="button" class="link show-all" onClick={() => setExpanded(true)}>
        {l10n.t('Show All {0} Characters', formatNumber(text.length))}
      </button>
    </>
  );
}

/** Replaces an image that failed to load by its alt text or address. */
export function replaceBrokenImage({ target }: Event): void {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt || escapeAllInvisible(target.src));
}

/** Names of the parts that the user has expanded, by message content: it may be scrolled out of the page and back. */
const openParts = new WeakMap<object, Set<string>>();

/** Whether a named part of a content is open, and a function to set that. */
export function useOpenState(content: object, name: string): [boolean, (isOpen: boolean) => void] {
  const [, repaint] = useState(0);
  const setOpen = (isOpen: boolean) => {
    const names = openParts.get(content) ?? new Set();
    if (isOpen) names.add(name);
    else names.delete(name);
    openParts.set(content, names);
    repaint((count) => count + 1);
  };
  return [openParts.get(content)?.has(name) ?? false, setOpen];
}

/** Copies the open state of a content to its replacement. */
export function carryOpenState(before: object, after: object): void {
  const names = openParts.get(before);
  if (names) openParts.set(after, names);
}
