/** Hovering a key of the `chat:` block says what it means. */
import { Hover, type Position, type TextDocument } from 'vscode';
import { plainMarkdown } from '../../presentation/card.ts';
import { cursorAt } from '../document/cursor.ts';
import { BLOCK_KEYS, BUTTON_KEYS } from '../document/keys.ts';
import { blockKeyText, buttonKeyText } from './keyText.ts';

export function hoverOf(document: TextDocument, position: Position): Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w+/);
  if (!range || !/^["']?[ \t]*:/.test(document.lineAt(position).text.slice(range.end.character))) return undefined;
  const word = document.getText(range);
  const cursor = cursorAt(document.getText(), document.offsetAt(range.end));
  if (cursor?.at !== 'key') return undefined;
  const key = cursor.of === 'chat' ? BLOCK_KEYS.find((one) => one === word) : undefined;
  const buttonKey = cursor.of === 'button' ? BUTTON_KEYS.find((one) => one === word) : undefined;
  const text = key ? blockKeyText(key) : buttonKey && buttonKeyText(buttonKey);
  return text === undefined ? undefined : new Hover(plainMarkdown(text), range);
}
