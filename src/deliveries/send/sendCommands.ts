/** The commands that send. Each finds the message to send, and hands it to the {@link DraftSender}. Loaded on first use. */
import { type TextDocument, type Uri, window, workspace } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Chat } from '../../service/model.ts';
import type { MessageEdits, MessageSender } from '../contract.ts';
import { askWhatToSend, chooseDocument, clickedFile } from '../draft/chooseDocument.ts';
import { DraftPrompt } from '../draft/draftPrompt.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import { selectionDraft } from '../draft/selection.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { resumeDelivery, sendDeliveryNow } from '../outbox/runDelivery.ts';
import { DraftSender, openEdited, readDraft } from './draftSender.ts';

interface Sending {
  readonly host: Host;
  readonly controller: OutboxController;
  readonly edits: MessageEdits;
  readonly reader: DraftReader;
  /** Does something with a delivery, and marks it as seen. */
  seen(act: (id: string) => unknown): (id: string) => Promise<void>;
}

export function sendCommands({ host, controller, edits, reader, seen }: Sending) {
  const { access, commands } = host;
  const sender = new DraftSender(host, controller, reader);
  const prompt = new DraftPrompt(reader);

  const sendDocument = async (document: TextDocument, chats: readonly Chat[], editedId?: string) => {
    const draft =
      chats.length > 0
        ? await reader.draftIn(document)
        : await readDraft(document, { edits, controller, reader }, editedId);
    await sender.sendDraft(draft, chats, editedId);
  };
  /** Sends a document, the active one by default, to the chats that it names or the user chooses. */
  const sendFile = async (chats: readonly Chat[], file?: Uri) => {
    const document = await chooseDocument(file);
    if (document) await sendDocument(document, chats);
  };

  return {
    // The button in an editor's title passes its document, which may be shown in a preview.
    sendActiveMarkdown: (clicked?: Uri, selected?: readonly Uri[]) => sendFile([], clickedFile(clicked, selected)),
    sendSelection: () => sender.sendDraft(selectionDraft()),
    sendAs: async (clicked?: Uri, selected?: readonly Uri[]) => {
      const draft = await prompt.ask(clickedFile(clicked, selected));
      if (draft) await sender.sendDraft(draft);
    },
    /** Sends the message that a document edits, the active one by default, or that of a delivery. */
    sendEditedDelivery: async (what: Uri | string | undefined = window.activeTextEditor?.document.uri) => {
      const id = typeof what === 'string' ? what : undefined;
      const uri = typeof what === 'string' ? await openEdited(what, controller, access) : what;
      const document = uri && (await workspace.openTextDocument(uri));
      // The delivery may be gone, or belong to another service.
      if (document && (await edits.in(document))) return sendDocument(document, [], id);
      if (document) await commands.run('sendAs', document.uri);
    },
    resumeDelivery: seen((id) => resumeDelivery(id, controller, host)),
    sendDeliveryNow: seen((id) => sendDeliveryNow(id, controller, host)),
    resendDelivery: (id: string) => sender.resend(id),
    lookUpMissing: (id: string) => sender.resend(id, { looksUp: true }),
    /** Sends a document to chats, or offers what can be sent. */
    send: async (chats: readonly Chat[], file?: Uri) => {
      const chosen = file ?? (await askWhatToSend());
      if (chosen === 'new') await commands.run('newMessage', undefined, [...chats]);
      else if (chosen) await sendFile(chats, chosen);
    },
  } satisfies MessageSender & Record<string, unknown>;
}
