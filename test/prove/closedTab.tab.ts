/** Runs in a tab, which sends and has itself closed at a step. */
import { databaseFiles } from '../../src/platform/databaseFiles.ts';
import { sendInWindow, type WindowJob } from './sending.ts';
import { aroundFiles } from './steps.ts';

declare global {
  interface Window {
    /** Resolves to the number of steps. */
    __send(job: WindowJob, database: string): Promise<number>;
  }
}

/** What would let a tab go on that waits to be closed. Without these, the garbage collector would end its wait. */
const goOn: (() => void)[] = [];

window.__send = async (job, database) => {
  let steps = 0;
  const step = async () => {
    if (++steps === job.killedAt) void window.__closeTab();
    // Other operations may be under way, but nothing new is done until the tab is closed.
    if (job.killedAt && steps >= job.killedAt) await new Promise<void>((resolve) => goOn.push(resolve));
  };
  /** A step before it, and one when it was begun, so that nobody knows whether it was done. */
  const files = aroundFiles(databaseFiles(database), async (operation) => {
    await step();
    const done = operation();
    // A failure is for who waits for the operation.
    done.catch(() => {});
    await step();
    return done;
  });
  await sendInWindow(job, files, async (...request) => {
    await step();
    const answer = await fetch(...request);
    await step();
    return answer;
  });
  return steps;
};
