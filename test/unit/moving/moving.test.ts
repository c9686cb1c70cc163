import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Uri } from 'vscode';
import { ArchiveController } from '../../../src/chats/archiving/archiveController.ts';
import { DeliveryMoves } from '../../../src/deliveries/outbox/deliveryMoves.ts';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { stateOf } from '../../../src/deliveries/outbox/outboxEntry.ts';
import { MoveController } from '../../../src/moving/moveController.ts';
import { temporaryFolder } from '../../host/temporary.ts';
import { memoryFiles } from '../../prove/memoryDisk.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { CHAT, jsonsOf, MESSAGES } from '../chats/archive/archives.ts';
import { restoreBuiltins, testThreads } from '../chats/archiving/testThreads.ts';
import { useWallClock } from '../clocks.ts';
import { AT, deliveryOf, groups, idOf, planBatches, reaching } from '../deliveries/outbox/testDeliveries.ts';
import { onProgress } from '../deliveries/outbox/testOutbox.ts';
import { newHost } from '../test-host.ts';

const DUE = AT + 24 * 3_600_000;
const SCHEDULED = idOf('due');
const BEGUN = idOf('begun');
const DONE = idOf('done');

describe('Moving to another computer', () => {
  useWallClock(AT);
  let file: string;
  let shown: string[];
  /** The buttons that are pressed, wherever they are offered. */
  let press: string[];

  beforeEach(async () => {
    testThreads();
    file = join(await temporaryFolder('moving'), 'Bot Chats.ndjson.gz');
    press = [];
    shown = onMessages((_, buttons) => buttons.find((button) => press.includes(button)));
    answer('showSaveDialog', async () => Uri.file(file));
    answer('showOpenDialog', async () => [Uri.file(file)]);
  });
  afterEach(() => {
    restore();
    restoreBuiltins();
  });

  function computer() {
    const host = newHost();
    const files = memoryFiles();
    const store = new DeliveryStore(files);
    const outbox = new Outbox(store);
    const moves = new DeliveryMoves(files, store, outbox, () => {});
    const view = { open() {}, repaint() {}, setMessage() {}, setTitle() {}, showScope() {} };
    const archives = new ArchiveController(host, Uri.joinPath(host.storageUri, 'archive'), view);
    const archive = archives.thread.archive;
    const moving = new MoveController(host, { outbox: async () => moves, archive: async () => archives.moves });
    const states = async () => {
      const entries = await outbox.all();
      return Object.fromEntries(entries.map((entry) => [entry.status.delivery.id, stateOf(entry)]));
    };
    return { outbox, archive, moving, states };
  }

  it('takes everything along, and only schedules there what the user wants to be sent from there', async () => {
    const here = computer();
    const there = computer();
    const batches = () => planBatches(groups('a', 'b', 'c'), 1);
    await here.outbox.start(deliveryOf(batches(), { id: DONE }), reaching(9));
    await here.outbox.start(deliveryOf(batches(), { id: BEGUN }), reaching(1));
    await here.outbox.schedule({ ...deliveryOf(batches(), { id: SCHEDULED }), due: DUE });
    await here.archive.addPage(await here.archive.addChat(CHAT), jsonsOf(MESSAGES.slice(0, 1200)));
    press = ['Move Them, Too'];
    await here.moving.moveData();
    const states = { [DONE]: 'delivered', [BEGUN]: 'unfinished', [SCHEDULED]: 'unfinished' };
    assert.deepEqual(await here.states(), states);
    assert.ok(!gunzipSync(await readFile(file)).includes('a-token'));

    press = ['Import'];
    await there.moving.importData();
    assert.deepEqual(await there.states(), states);
    const [chat] = await there.archive.chats();
    assert.equal(chat?.messages, 1200);
    assert.equal(chat?.imports[0]?.messages, 1200);

    press = ['Import', 'Schedule'];
    await there.moving.importData();
    assert.equal((await there.outbox.scheduled()).length, 1);
    assert.equal((await here.outbox.scheduled()).length, 0);
    assert.equal((await there.archive.chats())[0]?.messages, 1200);
  });

  it('says how much of an exported file is read while its messages are imported', async () => {
    const { archive, moving } = computer();
    const chat = await archive.addChat(CHAT);
    file = file.replace('.gz', '');
    await writeFile(
      file,
      MESSAGES.slice(0, 6)
        .map((one) => JSON.stringify(one))
        .join('\n'),
    );
    let percent = 0;
    onProgress(({ increment = 0 }) => (percent += increment));
    await moving.importMessages(chat);
    assert.match(shown.at(-1) ?? '', /^Imported 6 messages/);
    assert.equal(percent, 100);
  });
});
