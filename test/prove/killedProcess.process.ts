/** A process that sends and kills itself before a step: `node killedProcess.process.ts JOB`. Prints the number of steps. */
import fs from 'node:fs/promises';
import { diskFiles, type NodeFiles } from '../../src/platform/diskFiles.ts';
import { sendInWindow, type WindowJob } from './sending.ts';

export interface ProcessJob extends WindowJob {
  folder: string;
}

const job: ProcessJob = JSON.parse(process.argv[2] ?? '');
let steps = 0;

/** Called before every side effect: in between, it makes no difference when the process is killed. */
function step(): void {
  if (++steps === job.killedAt) process.kill(process.pid, 'SIGKILL');
}

const files: NodeFiles = {
  ...fs,
  async open(path, flags) {
    if (flags !== 'r') step();
    const handle = await fs.open(path, flags);
    return {
      async writeFile(text) {
        const middle = Math.floor(text.length / 2);
        for (const half of [text.slice(0, middle), text.slice(middle)]) {
          step();
          await handle.writeFile(half);
        }
      },
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  async mkdir(...folder) {
    step();
    return fs.mkdir(...folder);
  },
  async link(...names) {
    step();
    return fs.link(...names);
  },
  async rename(...names) {
    step();
    return fs.rename(...names);
  },
  async rm(...path) {
    step();
    return fs.rm(...path);
  },
};

await sendInWindow(job, diskFiles(job.folder, files), async (...request) => {
  step();
  return fetch(...request);
});
console.log(steps);
