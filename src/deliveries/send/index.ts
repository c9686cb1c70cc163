/** Registers the commands that send documents, and resend deliveries. */
import { type Disposable, type TextDocument, type Uri, window, workspace } from 'vscode';
import type { ActivationHost, Load } from '../../platform/host.ts';
import type { Chat } from '../../service/model.ts';
import type { DraftPrompt } from '../draft/draftPrompt.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import type { OutboxFeature } from '../outbox/index.ts';

type Lazy = Pick<typeof import('./draftSender.ts'), 'DraftSender' | 'openEdited' | 'readDraft'> &
  Pick<typeof import('../draft/chooseDocument.ts'), 'askWhatToSend' | 'chooseDocument' | 'clickedFile'> &
  Pick<typeof import('../draft/draftPrompt.ts'), 'DraftPrompt'> &
  Pick<typeof import('../draft/selection.ts'), 'selectionDraft'>;

/** `chosen` are the IDs of the deliveries that a command is for. */
export function registerSending(
  host: ActivationHost,
  outbox: OutboxFeature,
  reader: () => Promise<DraftReader>,
  chosen: (clicked?: string, selected?: readonly string[]) => Iterable<string>,
  load: Load<Lazy>,
) {
  const { commands } = host;
  let prompt: DraftPrompt | undefined;

  const sender = async () => {
    const { DraftSender, stored } = await load();
    return new DraftSender({ ...host, ...stored }, await outbox.controller(), await reader());
  };
  const sendDocument = async (document: TextDocument, chats: readonly Chat[], editedId?: string) => {
    const { readDraft } = await load();
    const { edits, controller } = outbox;
    const draft =
      chats.length > 0
        ? await (await reader()).draftIn(document)
        : await readDraft(document, { edits, controller, reader: await reader() }, editedId);
    await (await sender()).sendDraft(draft, chats, editedId);
  };
  /** Sends a document, the active one by default, to the chats that it names or the user chooses. */
  const sendFile = async (chats: readonly Chat[], file?: Uri) => {
    const document = await (await load()).chooseDocument(file);
    if (document) await sendDocument(document, chats);
  };
  /** Sends the message that a document edits, the active one by default, or that of a delivery. */
  const sendEdited = async (what: Uri | string | undefined = window.activeTextEditor?.document.uri) => {
    const { openEdited } = await load();
    const id = typeof what === 'string' ? what : undefined;
    const uri = typeof what === 'string' ? await openEdited(what, await outbox.controller(), host.access) : what;
    const document = uri && (await workspace.openTextDocument(uri));
    // The delivery may be gone, or belong to another service.
    if (document && (await outbox.edits.in(document))) return sendDocument(document, [], id);
    if (document) await commands.run('sendAs', document.uri);
  };
  /** Sends a document to chats, or offers what can be sent. */
  const send = async (chats: readonly Chat[], file?: Uri) => {
    const { askWhatToSend } = await load();
    const chosen = file ?? (await askWhatToSend());
    if (chosen === 'new') await commands.run('newMessage', undefined, [...chats]);
    else if (chosen) await sendFile(chats, chosen);
  };

  const disposables: Disposable[] = [
    // The button in an editor's title passes its document, which may be shown in a preview.
    commands.register('sendActiveMarkdown', async (clicked, selected) => {
      const { clickedFile } = await load();
      await sendFile([], clickedFile(clicked, selected));
    }),
    commands.register('sendSelection', async () => {
      const { selectionDraft } = await load();
      await (await sender()).sendDraft(selectionDraft());
    }),
    commands.register('sendAs', async (clicked, selected) => {
      const { clickedFile, DraftPrompt } = await load();
      prompt ??= new DraftPrompt(await reader());
      const draft = await prompt.ask(clickedFile(clicked, selected));
      if (draft) await (await sender()).sendDraft(draft);
    }),
    commands.register('sendEditedDelivery', sendEdited),
    commands.registerEach('resendDelivery', chosen, async (id) => (await sender()).resend(id)),
    commands.registerEach('lookUpMissing', chosen, async (id) => (await sender()).resend(id, { looksUp: true })),
  ];
  return { disposables, send };
}
