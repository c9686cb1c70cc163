/** Reads documents in which the messages of scheduled deliveries are edited. */
import type { TextDocument, Uri } from 'vscode';
import type { Access } from '../../connecting/contract.ts';
import type { MessageEdits } from '../contract.ts';
import type { Draft } from '../draft/draft.ts';
import type { DraftReader } from '../draft/draftReader.ts';
import { serviceOf } from '../outbox/deliveryAccess.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { Delivery } from '../outbox/record.ts';

interface Editing {
  readonly edits: Pick<MessageEdits, 'in'>;
  controller(): Promise<Pick<OutboxController, 'entry'>>;
  readonly reader: Pick<DraftReader, 'draftIn' | 'parse'>;
}

/**
 * The draft in a document. An edited message keeps the type that the user chose, unless its document names one: that with
 * this ID, if given, as several may be edited in it.
 */
export async function readDraft(
  document: TextDocument,
  { edits, controller, reader }: Editing,
  editedId?: string,
): Promise<Draft> {
  const id = editedId ?? (await edits.in(document))?.id;
  const delivery = id === undefined ? undefined : (await (await controller()).entry(id)).status.delivery;
  return reader.draftIn(document, delivery && chosenType(delivery, document.getText(), reader));
}

/** The document in which the message of a delivery is edited, once it's shown. Undefined if the user cancels. */
export async function openEdited(
  id: string,
  controller: Pick<OutboxController, 'entryFor' | 'openToEdit'>,
  access: Pick<Access, 'openService'>,
): Promise<Uri | undefined> {
  const entry = await controller.entryFor('sendEdited', id);
  const service = await serviceOf(entry.status.delivery, access);
  return service && controller.openToEdit(entry);
}

/** The type of a message, if its document didn't name it then and hasn't come to name another one since. */
function chosenType(
  { document = '', message: { contentType } }: Delivery,
  now: string,
  reader: Pick<DraftReader, 'parse'>,
) {
  if (contentType === 'image' || contentType === 'file') return undefined;
  const typeIn = (text: string) => reader.parse(text).shown?.contentType;
  const named = typeIn(document);
  return named === contentType || named !== typeIn(now) ? undefined : contentType;
}
