/** Opens new drafts. */
import { commands, Range, SnippetString, type TextDocument, window, workspace } from 'vscode';
import { composeDraft, type DraftAddress, draftSnippet, emptyDraft } from '../markup/messageDraft.ts';
import type { CheckedDraft, Host, WrittenDraft } from '../platform/host.ts';
import { displayName } from '../presentation/describe.ts';
import type { Chat } from '../service/model.ts';
import { countedProblems } from './document/problem.ts';
import { DraftReader } from './draftReader.ts';
import { problemText } from './editing/problemText.ts';
import { unknownRecipients } from './editing/unknownRecipients.ts';

type DraftHost = Pick<Host, 'commands' | 'connection'>;

/** Opens a new document that is addressed to these chats, or asks for its recipients, with its preview beside it. */
export async function openNewDraft(
  host: DraftHost & Pick<Host, 'tokens'>,
  chats: readonly Chat[],
  botId?: string,
): Promise<void> {
  if (chats.length > 0) return void (await show(emptyDraft(await namedAddress(host, chats, botId)), host));
  const snippet = new SnippetString(draftSnippet(botId ?? (await onlyBot(host))));
  const editor = await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown' }));
  // In YAML, tabs don't indent.
  const options = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };
  await editor.insertSnippet(snippet, undefined, options);
  await host.commands.run('preview', editor.document.uri);
  // The cursor is where groups are named.
  await commands.executeCommand('editor.action.triggerSuggest');
}

/** The bot with a token, if there is exactly one. */
async function onlyBot({ connection, tokens }: Pick<Host, 'connection' | 'tokens'>): Promise<string | undefined> {
  const service = await connection.open().catch(() => undefined);
  const [bot, second] = service ? await tokens.bots(service) : [];
  return second === undefined ? bot : undefined;
}

/** See {@link DraftOpener}. The focus stays where the user is typing: this wasn't the user's command. */
export async function openWrittenDraft(
  { botId, chats, ...content }: WrittenDraft,
  host: DraftHost & Pick<Host, 'audiences' | 'settings'>,
): Promise<CheckedDraft> {
  const text = composeDraft(content, await namedAddress(host, chats, botId));
  const document = await show(text, host, { preserveFocus: true });
  const reader = new DraftReader(host);
  const { parsed, problems } = await reader.read(document);
  const directory = await host.connection.open().then(
    (service) => service.directory,
    () => undefined,
  );
  const unknown = directory ? unknownRecipients(parsed, directory) : [];
  const recipients = reader.chatsOf(parsed);
  return {
    problems: countedProblems([...problems, ...unknown]).map(({ severity, ...one }) => ({
      severity,
      text: problemText(one),
    })),
    recipients: recipients.length,
    unchecked: recipients.filter(({ kind, id }) => !directory?.has(kind, id)).length,
  };
}

/** With the names that are known, as comments. Without a service, there are none. */
async function namedAddress(
  { connection }: Pick<DraftHost, 'connection'>,
  chats: readonly Chat[],
  botId: string | undefined,
): Promise<DraftAddress> {
  const service = await connection.open().catch(() => undefined);
  const named = chats.map(({ kind, id }) => {
    const found = service?.directory.peek(kind, id);
    return { kind, id, name: found && displayName(found) };
  });
  return { botId, chats: named };
}

async function show(
  content: string,
  { commands }: Pick<DraftHost, 'commands'>,
  { preserveFocus = false } = {},
): Promise<TextDocument> {
  const document = await workspace.openTextDocument({ language: 'markdown', content });
  const end = document.positionAt(content.length);
  await window.showTextDocument(document, { selection: new Range(end, end), preserveFocus });
  await commands.run('preview', document.uri);
  return document;
}
