/** What is to be sent: the document in front, a selection in it, or a file. */
import { l10n, type TextDocument, type Uri, window, workspace } from 'vscode';
import { UserFacingError } from '../words/explain.ts';
import { frontMatter } from '../workbench/settings.ts';
import { readDraft } from './document/readDraft.ts';
import type { Draft } from './draft.ts';
import { problemText } from './editing/problemWords.ts';

/** The draft in a file, or in the document that is open, or in one that the person is asked for. */
export async function chosenDraft(file?: Uri): Promise<Draft | undefined> {
  const chosen = file ?? openMarkdown() ?? (await askFile());
  return chosen && draftIn(await workspace.openTextDocument(chosen));
}

/** @throws UserFacingError where there is nothing to send */
function draftIn(document: TextDocument): Draft {
  const name = document.uri.path.split('/').at(-1) ?? document.uri.path;
  if (document.languageId !== 'markdown') throw new UserFacingError(l10n.t('{0} is not a Markdown file.', name));
  const options = { keepFrontMatter: frontMatter() === 'keep', audience: () => undefined };
  const { message, bot, recipients, problems } = readDraft(document.getText(), options);
  if (!message) {
    const errors = problems.filter(({ severity }) => severity === 'error').map(problemText);
    throw new UserFacingError(l10n.t('{0} cannot be sent: {1}', name, errors.join(' ')));
  }
  const chats = recipients.map(({ type, id }) => ({ type, id }));
  return { name, source: document.uri.toString(), message, botId: bot?.id, chats };
}

function openMarkdown(): Uri | undefined {
  const document = window.activeTextEditor?.document;
  return document?.languageId === 'markdown' ? document.uri : undefined;
}

async function askFile(): Promise<Uri | undefined> {
  const title = l10n.t('Send which Markdown file?');
  const [file] = (await window.showOpenDialog({ title, filters: { Markdown: ['md', 'markdown'] } })) ?? [];
  return file;
}
