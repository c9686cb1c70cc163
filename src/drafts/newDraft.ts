/** Opens new drafts. */
import { Range, type TextDocument, window, workspace } from 'vscode';
import { composeDraft, type DraftAddress, type DraftContent, emptyDraft } from '../markup/messageDraft.ts';
import type { Host } from '../platform/host.ts';
import { displayName } from '../presentation/describe.ts';
import type { Chat } from '../service/model.ts';
import { DraftReader } from './draftReader.ts';
import { problemText } from './editing/problemText.ts';
import { unknownRecipients } from './editing/unknownRecipients.ts';

type DraftHost = Pick<Host, 'commands' | 'connection'>;

/** What the checks of a draft find. */
interface CheckedDraft {
  readonly problems: readonly { readonly severity: 'error' | 'warning'; readonly text: string }[];
  /** The number of recipients, including those of audiences. */
  readonly recipients: number;
}

/** Opens a new document that is addressed to these chats, if any, with its preview beside it. */
export async function openNewDraft(host: DraftHost, chats: readonly Chat[], botId?: string): Promise<void> {
  await show(emptyDraft(await namedAddress(host, chats, botId)), host);
}

/** Opens a new document with a draft that is already written, with its preview. Resolves to what its checks find. */
export async function openWrittenDraft(
  { botId, chats, ...content }: DraftContent & { botId: string | undefined; chats: readonly Chat[] },
  host: DraftHost & Pick<Host, 'audiences' | 'settings'>,
): Promise<CheckedDraft> {
  const document = await show(composeDraft(content, await namedAddress(host, chats, botId)), host);
  const reader = new DraftReader(host);
  const parsed = reader.parse(document.getText());
  const service = await host.connection.open().catch(() => undefined);
  const unknown = service ? unknownRecipients(parsed, service.directory) : [];
  const problems = [...parsed.problems, ...unknown].map((one) => ({ severity: one.severity, text: problemText(one) }));
  return { problems, recipients: reader.chatsOf(parsed).length };
}

/** With the names that are known, as comments. Without a service, there are none. */
async function namedAddress(
  { connection }: Pick<DraftHost, 'connection'>,
  chats: readonly Chat[],
  botId: string | undefined,
): Promise<DraftAddress> {
  const service = await connection.open().catch(() => undefined);
  const named = chats.map(({ type, id }) => {
    const found = service?.directory.peek(type, id);
    return { type, id, name: found && displayName(found) };
  });
  return { botId, chats: named };
}

async function show(content: string, { commands }: Pick<DraftHost, 'commands'>): Promise<TextDocument> {
  const document = await workspace.openTextDocument({ language: 'markdown', content });
  const end = document.positionAt(content.length);
  await window.showTextDocument(document, { selection: new Range(end, end) });
  await commands.run('preview', document.uri);
  return document;
}
