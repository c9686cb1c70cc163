/** What the keys of the `chat:` block mean. */
import { Hover, l10n, type Position, type TextDocument } from 'vscode';
import { plainMarkdown } from '../../../presentation/card.ts';
import { blockLocationAt } from '../document/blockLocation.ts';
import { BLOCK_KEYS, type BlockKey, BUTTON_KEYS, type ButtonKey, CHATS_KEYS } from '../document/keys.ts';
import { NOT } from '../document/where.ts';

/** Hovering a key says what it means. */
export function keyHover(document: TextDocument, position: Position): Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w+/);
  if (!range || !/^["']?[ \t]*:/.test(document.lineAt(position).text.slice(range.end.character))) return undefined;
  const word = document.getText(range);
  const location = blockLocationAt(document.getText(), document.offsetAt(range.end));
  if (location?.in !== 'key') return undefined;
  const key = location.of === 'chat' ? BLOCK_KEYS.find((one) => one === word) : undefined;
  const buttonKey = location.of === 'button' ? BUTTON_KEYS.find((one) => one === word) : undefined;
  const exceptKey = location.of === 'except' ? CHATS_KEYS.find((one) => one === word) : undefined;
  const texts = [
    key && blockKeyText(key),
    buttonKey && buttonKeyText(buttonKey),
    exceptKey && exceptKeyText(exceptKey),
  ];
  const text = location.of === 'where' && word === NOT ? notText() : texts.find((one) => one !== undefined);
  return text === undefined ? undefined : new Hover(plainMarkdown(text), range);
}

/** One sentence about a key of the block. */
export function blockKeyText(key: BlockKey): string {
  switch (key) {
    case 'bot':
      return l10n.t('The ID of the bot that sends the message.');
    case 'groups':
      return l10n.t('The IDs of the groups that receive the message.');
    case 'people':
      return l10n.t('The IDs of the people who receive the message.');
    case 'audiences':
      return l10n.t('The names of audiences in your settings. Everyone in them receives the message.');
    case 'recipients':
      return l10n.t(
        'A CSV file with an id column, beside this document. Its other columns are variables, such as {{name}}.',
      );
    case 'kind':
      return l10n.t('Whether the IDs in the file are those of people (person) or of groups (group).');
    case 'where':
      return l10n.t(
        'Picks rows of the CSV file by their columns: a value, a list of values, or present for any value. All lines must hold, and nothing below not:.',
      );
    case 'except':
      return l10n.t(
        'Groups, people, audiences, and a CSV file of those who get nothing, even if they are named above.',
      );
    case 'type':
      return l10n.t('The type of content: markdown (default), text, html, image, or file.');
    case 'imageKey':
      return l10n.t('The key that the service gave the uploaded image.');
    case 'fileName':
      return l10n.t('The file name that recipients see.');
    case 'fileUrl':
      return l10n.t('The URL that the file is downloaded from.');
    case 'buttons':
      return l10n.t('Rows of buttons below the message.');
    case 'follows':
      return l10n.t('The ID of the delivery that this message reminds of. Their reports link to each other.');
  }
}

/** One sentence about a key below `except:`. */
export function exceptKeyText(key: (typeof CHATS_KEYS)[number]): string {
  switch (key) {
    case 'groups':
      return l10n.t('The IDs of groups that get nothing.');
    case 'people':
      return l10n.t('The IDs of people who get nothing.');
    case 'audiences':
      return l10n.t('The names of audiences in your settings. Nobody in them gets anything.');
    case 'recipients':
      return l10n.t('A CSV file with an id column, beside this document. Nobody in it gets anything.');
    case 'kind':
      return blockKeyText('kind');
  }
}

export const notText = () => l10n.t('What must not hold for a row that is picked.');

/** One sentence about a key of a button. */
export function buttonKeyText(key: ButtonKey): string {
  switch (key) {
    case 'text':
      return l10n.t('The label on the button.');
    case 'opens':
      return l10n.t('The URL that the button opens.');
    case 'copies':
      return l10n.t('The text that the button copies to the clipboard.');
    case 'reports':
      return l10n.t('The value that the bot receives when someone clicks the button.');
  }
}
