/** Deliveries whose process is killed. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import type { ProcessJob } from './killed.ts';
import { type KilledOutbox, runKillMatrix } from './killMatrix.ts';
import type { Effort, Proof } from './proof.ts';

async function run(effort: Effort): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chats-kills-'));
  const script = join(folder, 'killed.mjs');

  const openOutbox = async (): Promise<KilledOutbox> => {
    const outbox = await mkdtemp(join(folder, 'outbox-'));
    return {
      files: diskFiles(outbox),
      async send(job) {
        const processJob: ProcessJob = { ...job, folder: outbox };
        try {
          const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(processJob)]);
          return Number(stdout);
        } catch (error) {
          if (!wasKilled(error)) throw error;
          return undefined;
        }
      },
      remove: () => rm(outbox, { recursive: true, force: true }),
    };
  };

  try {
    // A bundle starts three times as fast.
    const entry = fileURLToPath(import.meta.resolve('./killed.ts'));
    await build({ entryPoints: [entry], outfile: script, bundle: true, platform: 'node', format: 'esm' });
    return await runKillMatrix({ name, restartSteps: 12, openOutbox }, effort);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Windows has no signals: a process without output on stderr was killed. */
function wasKilled(error: unknown): boolean {
  if (!(error instanceof Error && 'signal' in error && 'stderr' in error)) return false;
  return error.signal === 'SIGKILL' || (process.platform === 'win32' && error.stderr === '');
}

const name = 'kills';
export const kills: Proof = { name, run };
