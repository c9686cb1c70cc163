/** Archives of chats that change, fail and are read by several windows, some of which are killed; and damaged files. */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { ArchiveDatabase } from '../../src/chats/archive/archiveDatabase.ts';
import { killableScript } from '../host/processes.ts';
import { serveSandbox } from '../host/serve.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { idsOf, openArchive } from '../unit/chats/archive/archives.ts';
import { archiveMessages, assertDamageIsTold } from '../unit/chats/archive/damage.ts';
import { live, lives } from '../unit/chats/archive/syncModel.ts';
import type { ArchiveJob } from './archive.process.ts';
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
  const folder = await temporaryFolder('archives');
  const runJob = await killableScript<ArchiveJob>(fileURLToPath(import.meta.resolve('./archive.process.ts')));
  let kills = 0;
  let archives = 0;

  const archiveIn = async (job: ArchiveJob) => {
    if ((await runJob(job)) === undefined) kills++;
  };

  const killed = fc.asyncProperty(fc.integer({ min: 0, max: 450 }), windows, async (messages, rounds) => {
    const path = join(folder, `${archives++}.db`);
    const { sandbox, close } = await serveSandbox({ messages });
    try {
      const { webUrl, openApiUrl } = sandbox;
      const chat = { service: openApiUrl, kind: 'group' as const, id: GROUP, botId: BOT };
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

  const damaged = fc.asyncProperty(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 64 }), async (place, bytes) => {
    const path = join(folder, `${archives++}.db`);
    const chat = archiveMessages(path);
    const file = await readFile(path);
    const at = place % file.length;
    file.set(bytes.subarray(0, file.length - at), at);
    assertDamageIsTold(path, chat, file, `damage at ${at}`);
    await rm(path);
  });

  const properties = {
    'an archive of a chat that changes and fails has each message once, in order': changing,
    'an archive whose windows were killed at any statement is the chat': killed,
    'an archive works, or says that it is damaged, whatever bytes are wrong': damaged,
  };
  const { found } = await search({ name, properties, runsPerRound: 20 }, effort);
  effort.tally('kills', kills);
  effort.report(`${name}: ${count(archives, 'archives')}, ${count(kills, 'kills')}, ${found.length} found`);
  return found;
}

const name = 'archive';
export const archive: Proof = { name, run };
