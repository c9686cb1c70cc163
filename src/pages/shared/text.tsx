/** Text of a message: as it is, with what cannot be seen made visible, and its addresses as links. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { escapeInvisible, truncate } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink, splitLinks } from '../../markup/links.ts';
import { formatNumber } from './formats.ts';
import { formatLabel } from './host.ts';
import { useOpenState } from './openState.ts';

/** More of a text is shown only when it is asked for (UTF-16 units): laying it out takes long. */
const LONG = 20_000;

/** Longer text is shown without links. */
const LINKED = 200_000;

export function Text({ text }: { text: string }) {
  const pieces = useMemo(() => (text.length > LINKED ? [{ text, isAddress: false }] : splitLinks(text)), [text]);
  return (
    <>
      {pieces.map((piece, index) =>
        piece.isAddress ? <Address key={index} address={piece.text} /> : escapeInvisible(piece.text),
      )}
    </>
  );
}

/** An address of the web as a link, which VS Code asks about before it opens it; any other as text. */
export function Address({ address, children }: { address: string; children?: ComponentChildren }) {
  const web = parseWebAddress(address);
  const link = web && safeLink(web, children ? '' : address);
  if (!link) return <bdi>{children ?? escapeInvisible(address)}</bdi>;
  return (
    <>
      <a href={link.href} title={link.title} rel="noreferrer">
        {children ?? escapeInvisible(address)}
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

interface CutProps {
  /** What keeps that all of it was asked for. */
  of: object;
  text: string;
  children(shown: string): ComponentChildren;
}

/** The start of a text, and all of it when asked. */
export function Truncated({ of, text, children }: CutProps) {
  const [isWhole, showWhole] = useOpenState(of, 'whole');
  if (isWhole || text.length <= LONG) return <>{children(text)}</>;
  return (
    <>
      {children(truncate(text, LONG))}
      <button type="button" class="link show-all" onClick={() => showWhole(true)}>
        {formatLabel('showAll', formatNumber(text.length))}
      </button>
    </>
  );
}

/** Puts the words of a picture, or else its address, in the place of one that could not be loaded. */
export function replaceBrokenImage({ target }: Event): void {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt || escapeInvisible(target.src));
}
