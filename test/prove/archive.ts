/** Archives of chats that change, fail and are read by several windows, some of which are killed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { ArchiveDatabase } from '../../src/archive/archiveDatabase.ts';
import { serveSandbox } from '../host/serve.ts';
import { idsOf, openArchive } from '../unit/archive/archives.ts';
import { live, lives } from '../unit/archive/syncModel.ts';
import type { ArchiveJob } from './archiveKilled.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

const BOT = '30481126';
/** The sandbox's chat whose length can be set. */
const GROUP = '518204736';

/** Windows that archive the chat at once, each killed before a statement, or after its work. */
const windows = fc.array(fc.array(fc.option(fc.integer({ min: 1, max: 3_000 })), { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
});

async function run(effort: Effort): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-chats-archives-'));
  const script = join(folder, 'archiveKilled.mjs');
  let kills = 0;
  let archives = 0;

  const archiveIn = async (job: ArchiveJob) => {
    await promisify(execFile)(process.execPath, [script, JSON.stringify(job)]).catch((error) => {
      if (error.signal !== 'SIGKILL') throw error;
      kills++;
    });
  };

  const killed = fc.asyncProperty(fc.integer({ min: 0, max: 450 }), windows, async (messages, rounds) => {
    const path = join(folder, `${archives++}.db`);
    const { sandbox, close } = await serveSandbox({ messages });
    try {
      const { webUrl, openApiUrl } = sandbox;
      const chat = { service: openApiUrl, type: 'group' as const, id: GROUP, botId: BOT };
      const token = sandbox.token(BOT) ?? '';
      const job = { path, chat, webUrl, openApiUrl, token, killedBefore: 0 };
      for (const round of rounds) {
        await Promise.all(round.map((killedBefore) => archiveIn({ ...job, killedBefore: killedBefore ?? 0 })));
      }
      await archiveIn(job);
      const archive = openArchive(path);
      const page = archive.latest(archive.numberOf(chat) ?? 0, 1_000);
      const url = new URL(`${openApiUrl}/open-apis/v1/bot/messages`);
      url.search = new URLSearchParams({ token, 'chat-id': GROUP, 'chat-type': 'group', before: '1000' }).toString();
      const answer = (await (await fetch(url)).json()) as { data: { list: { msgId: string }[] } };
      const sent = answer.data.list.map(({ msgId }) => msgId);
      assert.deepEqual(idsOf(page) ?? [], sent, 'messages are lost, archived twice or out of order');
      assert.equal(archive.chats()[0]?.openGaps, 0);
      archive.close();
    } finally {
      await close();
      await rm(path, { force: true });
    }
  });

  const changing = fc.asyncProperty(lives, async (life) => {
    const database = new DatabaseSync(':memory:');
    archives++;
    await live(life, () => new ArchiveDatabase(database));
  });

  try {
    const entry = fileURLToPath(import.meta.resolve('./archiveKilled.ts'));
    await build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    const properties = {
      'an archive of a chat that changes and fails has each message once, in order': changing,
      'an archive whose windows were killed at any statement is the chat': killed,
    };
    const { found } = await search({ name, properties, runsPerRound: 20 }, effort);
    effort.tally('kills', kills);
    effort.report(`${name}: ${count(archives, 'archives')}, ${count(kills, 'kills')}, ${found.length} found`);
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const name = 'archive';
export const archive: Proof = { name, run };
