/** How a piece of a value is written in the front matter: a fix that forgets the quotation marks around it breaks the YAML. */
import { isScalar, type Scalar, visit } from 'yaml';
import { findFrontMatter } from './frontMatter.ts';
import { parseYaml } from './parseYaml.ts';

/** The piece as it's written at an offset of the document; undefined if it can't be, without other quotation marks. */
type PieceWriter = (piece: string, at: number) => string | undefined;

/** Parses the front matter of a document when it's first asked. Below it, a piece is written as it is. */
export function pieceWriter(text: string): PieceWriter {
  let values: Scalar.Parsed[] | undefined;
  return (piece, at) => {
    values ??= scalarsIn(text);
    const value = values.find(({ range: [start, end] }) => start <= at && at < end);
    switch (value?.type) {
      case 'QUOTE_DOUBLE':
        return piece.replace(/["\\]/g, '\\$&');
      case 'QUOTE_SINGLE':
        return piece.replaceAll("'", "''");
      case 'PLAIN':
        return /(?:^|\s)#|:(?:\s|$)/.test(piece) ? undefined : piece;
      default:
        return piece;
    }
  };
}

function scalarsIn(text: string): Scalar.Parsed[] {
  const found: Scalar.Parsed[] = [];
  const front = findFrontMatter(text);
  if (!front?.isClosed) return found;
  const parsed = parseYaml(text.slice(0, front.yaml.end), front.yaml.start);
  if ('error' in parsed || !parsed.root) return found;
  visit(parsed.root, {
    Node: (_, node) => {
      if (isScalar(node)) found.push(node as Scalar.Parsed);
    },
  });
  return found;
}
