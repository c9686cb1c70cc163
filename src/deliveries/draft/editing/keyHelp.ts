/** Says what the keys of the `chat:` block mean. */
import { Hover, type Position, type TextDocument } from 'vscode';
import { plainMarkdown } from '../../../presentation/card.ts';
import { blockLocationAt } from '../document/blockLocation.ts';
import { rowOf } from '../document/keys.ts';

/** Hovering a key says what it means. */
export function keyHover(document: TextDocument, position: Position): Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w+/);
  if (!range || !/^["']?[ \t]*:/.test(document.lineAt(position).text.slice(range.end.character))) return undefined;
  const location = blockLocationAt(document.getText(), document.offsetAt(range.end));
  const row = location?.in === 'key' ? rowOf(location.of, document.getText(range)) : undefined;
  return row && new Hover(plainMarkdown(row.help()), range);
}
