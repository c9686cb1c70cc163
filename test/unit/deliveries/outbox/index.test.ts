import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { commands, type Disposable, Uri, workspace } from 'vscode';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { registerOutbox } from '../../../../src/deliveries/outbox/index.ts';
import { isScheduled } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import { onMessages, restore } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { newConnection, useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { AT, BOT, deliveryOf, dieSending, groups, idOf, planBatches } from './testDeliveries.ts';

const ID = idOf('one');

describe('The outbox from activation on', () => {
  useService();
  withoutDelays();
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let files: ReturnType<typeof diskFiles>;
  let outbox: ReturnType<typeof registerOutbox>;
  let disposables: Disposable[];
  /** What VS Code is told. */
  let contexts: unknown[];

  const register = () => {
    outbox = registerOutbox(host);
    disposables.push(...outbox.disposables);
  };

  beforeEach(() => {
    connection = newConnection();
    host = newHost({ connection });
    files = diskFiles(Uri.joinPath(host.storageUri, 'outbox').fsPath);
    contexts = [];
    const setContext = commands.registerCommand('setContext', (...context) => void contexts.push(context));
    disposables = [setContext];
  });
  afterEach(async () => {
    await outbox.close();
    for (const one of disposables) one.dispose();
    restore();
    connection.dispose();
  });

  /** What VS Code is told of a document in which a message is edited. */
  const editing = ({ path, fsPath }: Uri) => ['botChats.editedDocuments', [...new Set([path, fsPath])]];
  const batches = planBatches([...groups('a', 'b'), { kind: 'user', id: 'c', name: 'C' }], 9);

  it('finds nothing if there is only what a killed window left', async () => {
    register();
    for (const what of ['running', 'scheduled', 'unseen'] as const) {
      assert.equal(await outbox.mayHave(what), false);
      await files.write(`${what}/${ID}.tmp`, '');
      assert.equal(await outbox.mayHave(what), false);
      await files.write(`${what}/${ID}`, '');
      assert.equal(await outbox.mayHave(what), true);
    }
  });

  it('says which delivery was scheduled from a document, or is edited in it, and lists and moves it', async () => {
    register();
    const changed: string[] = [];
    outbox.onDidChange((id) => changed.push(id));
    let edits = 0;
    outbox.edits.onDidChange(() => edits++);
    const uri = Uri.file('/folder/a.md');
    const document = { isUntitled: false, uri };
    const opened = connection.open.bind(connection);
    // Nothing is scheduled yet.
    connection.open = () => assert.fail('connected');
    assert.equal(await outbox.edits.in(document), undefined);
    connection.open = opened;
    const { address } = await connection.open();
    const delivery = deliveryOf(batches, { id: ID, service: address, source: `${uri}`, document: 'Hello' });
    const controller = await outbox.controller();
    await controller.outbox.schedule({ ...delivery, due: AT });
    const read = async () => [await outbox.edits.scheduledFrom(document), await outbox.edits.in(document)];
    assert.deepEqual(await read(), [{ id: ID, due: AT }, undefined]);
    const entry = await controller.outbox.get(ID);
    assert.ok(isScheduled(entry) && (await controller.outbox.beginEdit(entry)));
    const recipients = { group: 2, user: 1 };
    const edited = { id: ID, due: AT, botId: BOT, needless: new Set(), recipients };
    assert.deepEqual(await read(), [undefined, edited]);
    const untitled = { isUntitled: true, uri: Uri.parse('untitled:/folder/a.md') };
    assert.equal(await outbox.edits.in(untitled), undefined);
    await controller.compareEdits();
    assert.deepEqual(contexts.at(-1), editing(uri));
    assert.equal(edits, contexts.length);
    assert.deepEqual(changed, [ID, ID]);
    assert.deepEqual(
      (await outbox.deliveries.list()).deliveries.map(({ id }) => id),
      [ID],
    );
    assert.deepEqual((await (await outbox.moves()).survey()).ids, [ID]);
  });

  it('loads nothing at a start without deliveries that need it', async () => {
    const reads: Thenable<unknown>[] = [];
    const { readDirectory } = workspace.fs;
    const reading = mock.method(workspace.fs, 'readDirectory', (folder: Uri) => {
      const read = readDirectory(folder);
      reads.push(read);
      return read;
    });
    register();
    while (reads.length < 2) await setImmediate();
    await Promise.allSettled(reads);
    await setImmediate();
    assert.equal(outbox.controller.loaded, undefined);
    reading.mock.restore();
  });

  it('reports what was interrupted, and says what is edited, soon after the start', async () => {
    const store = new DeliveryStore(files);
    await store.create(deliveryOf(batches, { id: ID }));
    await dieSending(ID, files);
    const uri = Uri.file('/a.md');
    const later = idOf('later');
    await store.create(deliveryOf(batches, { id: later, source: `${uri}`, document: 'Hello', due: AT }));
    await store.claim(later, 0, { due: null, edited: true });
    const shown = onMessages();
    register();
    while (contexts.length === 0) await setImmediate();
    assert.deepEqual(shown, ['Interrupted, 0 of 3 reached: “Hello”. Not sent: 3.']);
    assert.deepEqual(contexts, [editing(uri)]);
  });
});
