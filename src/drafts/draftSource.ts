/** What is to be sent: the document in front, a selection in it, or a file. */
import { l10n, type OpenDialogOptions, type TextDocument, Uri, window, workspace } from 'vscode';
import { frontMatter } from '../platform/settings.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { audience } from './audiences.ts';
import { parseDraft } from './document/readDraft.ts';
import type { Draft } from './draft.ts';
import { problemText } from './editing/problemText.ts';

/** The draft in a file, or in the document that is open, or in one that the person is asked for. */
export async function chosenDraft(file?: Uri): Promise<Draft | undefined> {
  const markdown = { Markdown: ['md', 'markdown'] };
  const chosen = file ?? openMarkdown() ?? (await askFile(l10n.t('Send which Markdown file?'), markdown));
  if (!chosen) return undefined;
  const document = await workspace.openTextDocument(chosen);
  if (document.languageId === 'markdown') return draftIn(document);
  throw new UserFacingError(l10n.t('{0} is not a Markdown file.', fileName(chosen)));
}

/**
 * The draft in a document, whose front matter says what it is, or as the type that the person chose.
 * @throws UserFacingError where it cannot be sent
 */
export function draftIn(document: TextDocument, contentType?: 'markdown' | 'text' | 'html'): Draft {
  const name = fileName(document.uri);
  const text = document.getText();
  const { message, bot, recipients, audiences, body, problems } = parseDraft(text, {
    keepFrontMatter: frontMatter() === 'keep',
    audience,
  });
  if (!message) {
    const errors = problems.filter(({ severity }) => severity === 'error').map(problemText);
    throw new UserFacingError(l10n.t('{0} cannot be sent: {1}', name, errors.join(' ')));
  }
  const { buttons } = message.content;
  // Front matter may ask for another type than the person.
  const words = 'text' in message.content ? message.content.text : text.slice(body.start, body.end);
  if (contentType && !words.trim()) throw new UserFacingError(l10n.t('{0} is empty: there is nothing to send.', name));
  const chosen = contentType && { contentType, content: { text: words, ...(buttons && { buttons }) } };
  const named = [...recipients, ...audiences.flatMap((one) => audience(one.name) ?? [])];
  const chats = new Map(named.map(({ type, id }) => [`${type} ${id}`, { type, id }]));
  return { name, source: sourceOf(document), message: chosen ?? message, botId: bot?.id, chats: [...chats.values()] };
}

/** What is selected in the editor, as Markdown. It has no address: another selection is not the same, changed. */
export function selectionDraft(): Draft {
  const { document, selections } = window.activeTextEditor ?? { selections: [] };
  const texts = selections.filter(({ isEmpty }) => !isEmpty).map((selection) => document?.getText(selection));
  const text = texts.join('\n');
  if (!document || !text.trim()) throw new UserFacingError(l10n.t('Nothing is selected.'));
  const name = l10n.t('selection of {0}', fileName(document.uri));
  return { name, message: { contentType: 'markdown', content: { text } }, chats: [] };
}

/** The file that a menu was opened on, if it was one. @throws UserFacingError where several are selected */
export function clickedFile(clicked: unknown, selected: unknown): Uri | undefined {
  if (Array.isArray(selected) && selected.length > 1) {
    throw new UserFacingError(l10n.t('Several files are selected: choose one to send.'));
  }
  return clicked instanceof Uri ? clicked : undefined;
}

export async function askFile(title: string, filters: OpenDialogOptions['filters'] & {}): Promise<Uri | undefined> {
  const [file] = (await window.showOpenDialog({ title, filters })) ?? [];
  return file;
}

/** The last name in an address. */
export function fileName({ path }: Uri): string {
  return path.split('/').at(-1) ?? path;
}

/** Another document will bear the name that an untitled one has now. */
const sourceOf = ({ isUntitled, uri }: TextDocument) => (isUntitled ? undefined : uri.toString());

function openMarkdown(): Uri | undefined {
  const document = window.activeTextEditor?.document;
  return document?.languageId === 'markdown' ? document.uri : undefined;
}
