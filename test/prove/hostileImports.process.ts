/** A process that imports a file, whose heap is small: `node hostileImports.process.ts FILE`. Prints an {@link ImportReport}. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import '../unit/vscode.ts';
import { longestBlock } from './blocks.ts';
import { memoryFiles } from './memoryDisk.ts';

export interface ImportReport {
  /** What was said of it. */
  readonly said: string;
  /** Milliseconds. */
  readonly longest: number;
  /** By how much the process has grown at most (bytes). */
  readonly memory: number;
}

const [, , file = ''] = process.argv;
// These import `vscode`, which is mocked by now.
const { Uri } = await import('vscode');
const { answer, onDialogs, pick } = await import('../unit/answers.ts');
const { CHAT } = await import('../unit/chats/archive/archives.ts');
const { replaceBuiltins } = await import('../unit/chats/archiving/testThreads.ts');
const { newHost } = await import('../unit/test-host.ts');
const { ArchiveController } = await import('../../src/chats/archiving/archiveController.ts');
const { DeliveryMoves } = await import('../../src/deliveries/outbox/deliveryMoves.ts');
const { DeliveryStore } = await import('../../src/deliveries/outbox/deliveryStore.ts');
const { Outbox } = await import('../../src/deliveries/outbox/outbox.ts');
const { MoveController } = await import('../../src/moving/moveController.ts');

/** The thread of the archive, from its source. */
class ArchiveWorker extends Worker {
  constructor(_: string, options: { workerData: unknown }) {
    super(fileURLToPath(import.meta.resolve('../../src/chats/archiving/archiveWorker.ts')), options);
  }
}
replaceBuiltins({ 'node:worker_threads': { Worker: ArchiveWorker } });

const dialogs = onDialogs((buttons) => buttons.find((one) => one === 'Import'));
answer('showOpenDialog', async () => [Uri.file(file)]);
// The chat of messages: the first one.
pick('');

const host = newHost();
const files = memoryFiles();
const store = new DeliveryStore(files);
const moves = new DeliveryMoves(files, store, new Outbox(store), () => {});
const archives = new ArchiveController(host, Uri.joinPath(host.storageUri, 'archive'), {
  open() {},
  repaint() {},
  setMessage() {},
  setTitle() {},
  showScope() {},
});
await archives.thread.archive.addChat(CHAT);
const controller = new MoveController(host, { outbox: async () => moves, archive: async () => archives.moves });
const before = process.memoryUsage.rss();
let first: string | undefined;
const longest = await longestBlock(async () => {
  const error = await controller.importData().then(() => undefined, String);
  // Imported again, it's known.
  first ??= error ?? dialogs.at(-1)?.text;
});
const memory = process.resourceUsage().maxRSS * 1024 - before;
console.log(JSON.stringify({ said: first ?? '', longest, memory } satisfies ImportReport));
process.exit();
