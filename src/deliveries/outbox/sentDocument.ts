/** The documents of deliveries: as they were when they were sent, and opened to edit the message. */
import { Range, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { markdownVariables, writtenMessage } from '../../markup/markdownVariables.ts';
import { composeDraft } from '../../markup/messageDraft.ts';
import { tabOf, textTabs } from '../../presentation/textEditors.ts';
import type { Chat } from '../../service/model.ts';
import type { DeliveryStatus } from './deliveryStatus.ts';
import { hasDocument } from './editedDocuments.ts';
import type { Delivery } from './record.ts';

/** The document of a delivery. If it wasn't stored, a document that would send the same message. */
export function sentDocument({
  document,
  message,
  variables,
}: Pick<Delivery, 'document' | 'message' | 'variables'>): string {
  if (document !== undefined) return document;
  const { contentType, content } = writtenMessage(message, variables !== undefined);
  const body = 'text' in content ? content.text : '';
  const type = contentType === 'text' || contentType === 'html' ? contentType : undefined;
  const buttons = (content.buttons ?? []).map((row) => row.map((button) => ({ url: '', value: '', ...button })));
  // A text that begins with a rule needs a block: the rule would start front matter.
  const needsBlock = type !== undefined || buttons.length > 0 || /^\uFEFF?---/.test(body);
  // The block names no bot: every delivery has one, but few documents name it, which would look like a change.
  return needsBlock ? composeDraft({ body, type, audiences: [], buttons }, { chats: [] }) : body;
}

/** How many recipients a draft can name; more have to be chosen again. */
export const MAX_CHATS = 1_000;

/** Opens the document where it has a tab, if it has one. Resolves to its address. */
export async function openMessage(status: DeliveryStatus, opened: string | undefined): Promise<Uri> {
  const { delivery } = status;
  const chats = status.total > MAX_CHATS ? [] : status.recipients();
  const document =
    (await openSource(hasDocument(delivery) ? delivery.source : undefined)) ??
    (await openSource(opened?.startsWith('untitled:') ? undefined : opened)) ??
    (await openUntitled(delivery, opened)) ??
    (await workspace.openTextDocument({ language: languageOf(delivery), content: draftOf(delivery, chats) }));
  const viewColumn = tabOf(document.uri)?.group.viewColumn;
  await window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
  return document.uri;
}

/** The language in which the text of a document without front matter means what it was sent as. */
function languageOf({ document, message: { contentType, content }, variables }: Delivery): string {
  if (document === undefined || variables || document.startsWith('---')) return 'markdown';
  if (contentType !== 'markdown') return contentType === 'html' ? 'html' : 'plaintext';
  // In Markdown, such braces would be variables, or escaped.
  const hasBraces = content.text === document && markdownVariables(document).some(({ isCode }) => !isCode);
  return hasBraces ? 'plaintext' : 'markdown';
}

/** The open document without a file that a message was sent from, or that was opened to edit it. */
async function openUntitled({ document }: Delivery, opened: string | undefined) {
  const found = workspace.textDocuments.find(
    (one) => one.isUntitled && (`${one.uri}` === opened || (document !== undefined && one.getText() === document)),
  );
  if (found || opened === undefined) return found;
  // After a reload, VS Code opens the documents of hidden tabs when they are shown.
  const address = Uri.parse(opened);
  return tabOf(address) ? workspace.openTextDocument(address) : undefined;
}

/** Closes the open document without a file that was sent, if the outbox has exactly its text. */
export async function closeUntitled({ document: sent }: Delivery, opened: string | undefined): Promise<void> {
  const document = workspace.textDocuments.find(({ isUntitled, uri }) => isUntitled && `${uri}` === opened);
  // VS Code asks whether to save a document with a path, even if it's empty.
  if (!document || document.getText() !== sent || document.uri.path.startsWith('/')) return;
  const edit = new WorkspaceEdit();
  edit.delete(document.uri, new Range(0, 0, document.lineCount, 0));
  // The edit fails if the user is typing.
  if (!(await workspace.applyEdit(edit))) return;
  const tabs = textTabs().filter(({ uri }) => `${uri}` === opened);
  await window.tabGroups.close(
    tabs.map(({ tab }) => tab),
    true,
  );
}

/** Opens the document that a delivery was made of; undefined if there's no such document any more. */
export async function openSource(source: string | undefined) {
  if (source === undefined) return undefined;
  try {
    return await workspace.openTextDocument(Uri.parse(source, true));
  } catch {
    return undefined;
  }
}

/** The document of a delivery, or its message as a draft. */
export function draftOf(
  { bot, document, message, variables }: Delivery,
  chats: readonly (Chat & { name?: string })[],
): string {
  if (document !== undefined) return document;
  const { content, contentType } = writtenMessage(message, variables !== undefined);
  const address = { botId: bot.id, chats };
  const buttons = (content.buttons ?? []).map((row) => row.map((button) => ({ url: '', value: '', ...button })));
  if (contentType !== 'image' && contentType !== 'file') {
    return composeDraft({ body: content.text, type: contentType, audiences: [], buttons }, address);
  }
  const { buttons: _, ...fields } = content;
  const lines = Object.entries({ type: contentType, ...fields }).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`,
  );
  const draft = composeDraft({ body: '', audiences: [], buttons }, address);
  return draft.replace('chat:\n', () => `chat:\n${lines.join('')}`);
}
