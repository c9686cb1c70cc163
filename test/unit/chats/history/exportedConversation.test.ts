import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { ExportProgress } from '../../../../src/chats/history/commands/exportProgress.ts';
import { exportFormat } from '../../../../src/chats/history/commands/formats.ts';
import { Listed } from '../../../../src/service/message.ts';
import { FakeChat, upTo } from './chat.ts';
import { document, MemoryStore, read } from './export-chat.ts';

/** A message every ten minutes, over three days or two. */
const timeOf = (name: number) => Date.UTC(2026, 2, 3, 12) + name * 600_000;

/** A chat of two senders, who take turns of 100 messages. Some reply to the message 100 before. */
function newChat(): FakeChat {
  const chat = new FakeChat(upTo(250));
  chat.override = (page, names) =>
    new FakeChat(names).answer(page).map((entry) => {
      const name = entry.readable ? Number(entry.message.msgId) : 0;
      const senderNickname = Math.floor(name / 100) % 2 ? 'Ben' : 'Ann';
      const parentId = name > 150 && name % 40 === 0 ? `${name - 100}` : '';
      const content = { text: `no. ${name}` };
      const more = { senderNickname, parentId, content, contentType: 'text', sendTime: timeOf(name) };
      return v.parse(Listed, { msgId: `${name}`, ...more });
    });
  return chat;
}

/** The document of a chat that was read. */
async function exported(progress: ExportProgress, store: MemoryStore): Promise<string> {
  const text = await document(progress, store, exportFormat('md', { chat: 'A chat', bot: '' }, progress));
  return text.replace(/^- Exported: .*\n/m, '');
}

describe('An exported chat', () => {
  it('has each day, sender and quotation once, across its parts and after an interruption', async () => {
    const store = new MemoryStore();
    const text = await exported(await read(newChat(), store), store);
    assert.equal(store.parts.size, 3);
    const days = text.match(/^## .*$/gm) ?? [];
    assert.equal(new Set(days).size, days.length);
    // Two changes of the sender, and one name at the top of each day.
    assert.equal(text.match(/^\*\*(?:Ann|Ben)\*\* · /gm)?.length, 2 + days.length);
    assert.deepEqual(text.match(/^> > .*$/gm), ['> > Ann: no. 60', '> > Ben: no. 100', '> > Ben: no. 140']);

    const resumed = new MemoryStore();
    const interrupted = newChat();
    interrupted.failsAt = 2;
    await assert.rejects(read(interrupted, resumed), /no network/);
    assert.equal(await exported(await read(newChat(), resumed), resumed), text);
  });
});
