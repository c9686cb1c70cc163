/** Text of a message: as it is, with what cannot be seen made visible, and its addresses as links. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { startOf, visible } from '../../markup/invisibles.ts';
import { linkTo, splitLinks, webAddress } from '../../markup/links.ts';
import { say } from './host.ts';
import { numberText } from './numbers.ts';
import { useKept } from './openState.ts';

/** More of a text is shown only when it is asked for (UTF-16 units): laying it out takes long. */
const LONG = 20_000;

/** Longer text is shown without links. */
const LINKED = 200_000;

export function Text({ text }: { text: string }) {
  const pieces = useMemo(() => (text.length > LINKED ? [{ text, isAddress: false }] : splitLinks(text)), [text]);
  return (
    <>
      {pieces.map((piece, index) =>
        piece.isAddress ? <Address key={index} address={piece.text} /> : visible(piece.text),
      )}
    </>
  );
}

/** An address of the web as a link, which VS Code asks about before it opens it; any other as text. */
export function Address({ address, children }: { address: string; children?: ComponentChildren }) {
  const web = webAddress(address);
  const link = web && linkTo(web, children ? '' : address);
  if (!link) return <bdi>{children ?? visible(address)}</bdi>;
  return (
    <>
      <a href={link.href} title={link.title} rel="noreferrer">
        {children ?? visible(address)}
      </a>
      {link.real && (
        <>
          {' '}
          <bdi class="real-place">(→ {link.real})</bdi>
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
export function Cut({ of, text, children }: CutProps) {
  const [isWhole, showWhole] = useKept(of, 'whole');
  if (isWhole || text.length <= LONG) return <>{children(text)}</>;
  return (
    <>
      {children(startOf(text, LONG))}
      <button type="button" class="link show-all" onClick={() => showWhole(true)}>
        {say('showAll', numberText(text.length))}
      </button>
    </>
  );
}
