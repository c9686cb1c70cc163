/** Finds the document to send. */
import { type TextDocument, type Uri, window, workspace } from 'vscode';
import { type ListItem, listItem, pickOne } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { askFile, fileName } from '../../presentation/fileDialogs.ts';
import { l10n } from '../../presentation/shown.ts';
import { isEditable, tabOf, textTabs } from '../../presentation/textEditors.ts';

interface SendItem extends ListItem {
  choose(): Uri | 'new' | Promise<Uri | undefined>;
}

interface FileItem extends SendItem {
  choose(): Promise<Uri | undefined>;
}

/**
 * A Markdown file, the active document, or the one that the user chooses. Undefined if the user cancels.
 * @throws UserFacingError if it's no Markdown
 */
export async function chooseDocument(file?: Uri): Promise<TextDocument | undefined> {
  const chosen = file ?? activeMessage() ?? (await askDocument(markdownFile()));
  const document = chosen && (await workspace.openTextDocument(chosen));
  if (!document || isMessage(document)) return document;
  throw new UserFacingError(l10n.t("{0} isn't a Markdown file.", fileName(document.uri)));
}

/** Offers the open documents, a new message, or a file. Undefined if the user cancels. */
export function askWhatToSend(): Promise<Uri | 'new' | undefined> {
  const message = listItem({ icon: 'edit', label: l10n.t('New Message…'), choose: () => 'new' as const });
  return ask([...openItems(), message, markdownFile()]);
}

/** The file that a menu was opened on, if any. @throws UserFacingError if several are selected */
export function clickedFile(clicked?: Uri, selected?: readonly Uri[]): Uri | undefined {
  if (selected && selected.length > 1) {
    throw new UserFacingError(l10n.t('Several files are selected. Select only one to send.'));
  }
  return clicked;
}

/** Offers the open Markdown documents, or a file of any type. Undefined if the user cancels. */
export const askAnyDocument = () => askDocument(anyFile());

/** Offers the open Markdown documents or a file; asks for the file at once if there are none. */
async function askDocument(file: FileItem): Promise<Uri | undefined> {
  const items = openItems();
  const chosen = items.length > 0 ? await ask([...items, file]) : await file.choose();
  return chosen === 'new' ? undefined : chosen;
}

const ask = async (items: readonly SendItem[]) =>
  (await pickOne<SendItem>(items, { title: l10n.t('Send what?') }))?.choose();

/** The open Markdown documents: the active one, those that are visible, and those in other tabs. */
function openItems(): SendItem[] {
  const active = activeMessage();
  const visible = window.visibleTextEditors.map(({ document }) => document.uri);
  const others = [...visible, ...textTabs().map(({ uri }) => uri)].filter(
    (uri) => isEditable({ uri }) && mayBeMessage(uri),
  );
  const all = new Map([...(active ? [active] : []), ...others].map((uri) => [uri.toString(), uri]));
  return Array.from(all.values(), (uri) => {
    // VS Code calls a document without a file by its first words.
    const label = uri.scheme === 'untitled' ? tabOf(uri)?.label : undefined;
    const name = label ?? fileName(uri);
    const description = uri === active ? l10n.t('the open document') : workspace.asRelativePath(uri);
    return listItem({
      icon: 'markdown',
      label: name,
      description: description === name ? undefined : description,
      choose: () => uri,
    });
  });
}

/** A tab that wasn't shown since VS Code's start has no document yet. */
function mayBeMessage(uri: Uri): boolean {
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return document ? isMessage(document) : /\.(?:md|markdown)$/i.test(uri.path);
}

/** Markdown, or what is typed into a new document whose language nobody chose. */
const isMessage = ({ isUntitled, languageId }: Pick<TextDocument, 'isUntitled' | 'languageId'>) =>
  languageId === 'markdown' || (isUntitled && languageId === 'plaintext');

function activeMessage(): Uri | undefined {
  const document = window.activeTextEditor?.document;
  return document && isMessage(document) ? document.uri : undefined;
}

const markdownFile = (): FileItem =>
  listItem({
    icon: 'folder-opened',
    label: l10n.t('Choose a Markdown File…'),
    choose: () => askFile(l10n.t('Send which draft?'), { Markdown: ['md', 'markdown'] }),
  });

const anyFile = (): FileItem =>
  listItem({
    icon: 'folder-opened',
    label: l10n.t('Choose a File…'),
    choose: () => askFile(l10n.t('Send which file?'), {}),
  });
