/** Opens new drafts. */
import { Range, window, workspace } from 'vscode';
import { emptyDraft } from '../markup/messageDraft.ts';
import type { Host } from '../platform/host.ts';
import { displayName } from '../presentation/describe.ts';
import type { Chat } from '../service/model.ts';

type DraftHost = Pick<Host, 'commands' | 'connection'>;

/** Opens a new document that is addressed to these chats, if any, with its preview beside it. */
export async function openNewDraft(
  { commands, connection }: DraftHost,
  chats: readonly Chat[],
  botId?: string,
): Promise<void> {
  // Without a service, the IDs have no names.
  const service = await connection.open().catch(() => undefined);
  const named = chats.map(({ type, id }) => {
    const found = service?.directory.peek(type, id);
    return { type, id, name: found && displayName(found) };
  });
  const content = emptyDraft({ botId, chats: named });
  const document = await workspace.openTextDocument({ language: 'markdown', content });
  const end = document.positionAt(content.length);
  await window.showTextDocument(document, { selection: new Range(end, end) });
  await commands.run('preview', document.uri);
}
