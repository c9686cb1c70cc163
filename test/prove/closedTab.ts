/** Deliveries in a browser, whose tab is closed at every step. */
import { openDatabaseTab, openTab } from '../host/tabs.ts';
import { type KilledOutbox, killAtEveryStep } from './killedProcess.ts';
import type { Effort, Proof } from './proof.ts';
import type { WindowJob } from './sending.ts';

/**
 * A browser repeats even a POST by itself if a connection that it has used before breaks without an answer. Nothing in
 * the page can prevent that, so that here each request has a connection of its own.
 */
const SANDBOX = { cors: true, keepAlive: false };

const SCRIPT = import.meta.resolve('./closedTab.tab.ts');

async function run(effort: Effort): Promise<string[]> {
  const survivor = await openDatabaseTab();
  let outboxes = 0;
  const openOutbox = async (): Promise<KilledOutbox> => {
    const database = `outbox ${++outboxes}`;
    return {
      files: survivor.files(database),
      send: (job) => sendInTab(job, database),
      remove: () => survivor.delete(database),
    };
  };
  try {
    return await killAtEveryStep({ name, restartSteps: 30, sandbox: SANDBOX, openOutbox }, effort);
  } finally {
    await survivor.page.close();
  }
}

/** Resolves to the number of steps, or to undefined when the tab has been closed at a step. */
async function sendInTab(job: WindowJob, database: string): Promise<number | undefined> {
  const page = await openTab(SCRIPT);
  const closed = new Promise<undefined>((resolve) => page.once('close', () => resolve(undefined)));
  const sent = page.evaluate(([job, database]) => window.__send(job, database), [job, database] as const);
  const steps = await Promise.race([sent, closed]).catch((error) => {
    // The call may fail before the tab is known to be closed.
    if (error instanceof Error && error.message.includes('closed')) return closed;
    throw error;
  });
  await page.close();
  return steps;
}

const name = 'closedTab';
export const closedTab: Proof = { name, run };
