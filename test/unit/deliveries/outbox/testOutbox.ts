import { randomUUID } from 'node:crypto';
import { Uri, type window } from 'vscode';
import { LISTING_DELAY } from '../../../../src/deliveries/outbox/deliveryCheck.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import type { Batch, Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { newConnection, type TestService } from '../../test-service.ts';
import { BOT, planBatches } from './testDeliveries.ts';

/** The user takes no messages of bots: the service does not list them. */
export const RECIPIENTS: Recipient[] = [
  { kind: 'group', id: '518204736', name: 'The shop' },
  { kind: 'group', id: 'big', name: '=HYPERLINK("x")' },
  { kind: 'user', id: '7850437', name: '[Nora](command:x)' },
];

/**
 * An outbox on a disk, by default an empty one, which sends to a service, and what changed in it. `clock` is that of the suite,
 * which goes on with each delivery.
 */
export async function openOutbox(service: TestService, clock: { now: number }, folder = temporaryPath('outbox')) {
  const connection = newConnection();
  const host = newHost({ connection, access: { chooseBot: async () => BOT } });
  const token = service.sandbox.token(BOT) ?? '';
  await host.tokens.set(await connection.open(), BOT, token);
  /** The commands that were run, with their arguments. */
  const ran: unknown[] = [];
  host.commands.run = async (...command) => void ran.push(command);
  /** The IDs of the deliveries that have changed. */
  const changed: string[] = [];
  /** The addresses of the documents in which messages are edited, whenever others are. */
  const edits: (readonly string[])[] = [];
  const events: ConstructorParameters<typeof OutboxController>[2] = {
    changed: (id) => void changed.push(id),
    editsChanged: (documents) => void edits.push(documents),
  };
  const controller = new OutboxController(host, Uri.file(folder), events, new EditedDocuments(host.workspaceMemento));
  const { outbox } = controller;
  service.requests.splice(0);
  service.sandbox.setFaults(undefined);

  /** The ID of a delivery that is made now, after all others. */
  const newId = () => newDeliveryId(++clock.now);

  /** Sends to all recipients, one in a batch, without a word on the screen. */
  async function deliver(changes: Partial<Delivery> = {}) {
    const { client, address } = await connection.open();
    const delivery: Delivery = {
      id: newId(),
      at: clock.now,
      service: address,
      bot: { id: BOT, name: 'Order Desk' },
      name: 'announcement.md',
      message: { contentType: 'text', content: { text: `Hello\n\n${randomUUID()}` } },
      digest: 'd',
      batches: planBatches(RECIPIENTS, 1),
      ...changes,
    };
    const send = ({ recvType, recipients }: Batch, options: object) => {
      const ids = recipients.map(({ id }) => id);
      return client.batchSend(token, recvType, ids, delivery.message, options);
    };
    const { status } = await outbox.start(delivery, { token, never: () => new Map(), send });
    return status;
  }

  function close() {
    const closed = controller.close();
    connection.dispose();
    return closed;
  }

  /** Lets time pass until what was sent is listed for sure. */
  const untilListed = () => {
    clock.now += LISTING_DELAY;
  };
  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));
  return {
    connection,
    host,
    controller,
    outbox,
    folder,
    ran,
    changed,
    edits,
    newId,
    deliver,
    untilListed,
    sends,
    close,
  };
}

/** A message that is a text. */
export const text = (words: string) => ({ message: { contentType: 'text' as const, content: { text: words } } });

/** Tells a test of what a progress notification shows, where it can be canceled; `begin` runs before the task. */
export function onProgress(
  report: (shown: { message?: string; increment?: number }, cancel: () => void) => void = () => {},
  begin: (cancel: () => void) => unknown = () => {},
): void {
  let cancel = () => {};
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (run: () => void) => {
      cancel = run;
      void begin(cancel);
      return { dispose: () => {} };
    },
  };
  answer('withProgress', (async (_, task) =>
    task({ report: (shown) => report(shown, cancel) }, token as never)) as typeof window.withProgress);
}
