import assert from 'node:assert/strict';
import type { QuickPickItem, window } from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { serviceDigest } from '../../../src/platform/durableFiles.ts';
import type { Connection } from '../../../src/platform/service.ts';
import { pickChat, pickChats } from '../../../src/presentation/pickChat.ts';
import { chatLink } from '../../../src/protocol/chatLink.ts';
import { answer, onLists, restore, slowList } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { newConnection, useService } from '../test-service.ts';

const SHOP = '518204736';

describe('A chat that the user picks', () => {
  const _service = useService({ groups: [SHOP] });
  let connection: Connection;
  /** What is asked about an ID, and the answer to that. */
  let asked: (string | undefined)[][];
  let answered: number | undefined;

  beforeEach(() => {
    connection = newConnection();
    [asked, answered] = [[], undefined];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      asked.push(...items.map(({ label, description }) => [label, description]));
      return answered === undefined ? undefined : items[answered];
    }) as unknown as typeof window.showQuickPick);
  });
  afterEach(() => {
    connection.dispose();
    restore();
  });

  const labels: string[] = [];
  /** Types a text, and picks the item with this label. */
  const pick = (text: string, wanted: string) => {
    labels.splice(0);
    onLists({
      types: text,
      picks: ({ label }) => {
        labels.push(label);
        return label === wanted;
      },
    });
    return pickChat(newHost({ connection }), shownText`Open Message History`);
  };
  const typed = (id: string) => pick(` ${id} `, '$(edit) Another chat');

  it('may be of an ID that is not in the sidebar, which is looked up', async () => {
    assert.deepEqual(await typed('546790213'), { kind: 'group', id: '546790213' });
    assert.deepEqual(labels, [`$(organization) ${SHOP}`, '$(edit) Another chat']);
    assert.deepEqual(await typed('7058314'), { kind: 'user', id: '7058314' });
    assert.deepEqual(asked, []);
  });

  it('may be of an ID as people type and paste it', async () => {
    for (const text of ['５４６７９０２１３', 'ID：546790213', '“546790213”，'])
      assert.deepEqual(await typed(text), { kind: 'group', id: '546790213' }, text);
    assert.deepEqual(await typed('５１８２０４７３６'), { kind: 'group', id: '518204736' });
  });

  it('may be that of a pasted link, with its bot and its message, and without a look-up', async () => {
    const digest = await serviceDigest((await connection.open()).address);
    const link = chatLink('vscode', { digest, kind: 'user', id: '999', botId: '30481126' });
    const chat = { kind: 'user', id: '999', botId: '30481126' };
    assert.deepEqual(await pick(` ${link}#m1 `, '$(link) Linked message'), { ...chat, msgId: 'm1' });
    assert.deepEqual(labels, [`$(organization) ${SHOP}`, '$(link) Linked message']);
    assert.deepEqual(await pick(link, '$(link) Linked chat'), chat);
    assert.deepEqual(asked, []);
  });

  it('is refused if the link is broken or of another service', async () => {
    const other = chatLink('vscode', { digest: '0123456789ab', kind: 'group', id: SHOP });
    await assert.rejects(pick(other, '$(link) Linked chat'), /UserFacingError: This link belongs to another service\./);
    const broken = 'vscode://bot-chats.bot-chats/open?%5B%5D';
    await assert.rejects(pick(broken, '$(link) Linked chat'), /UserFacingError: This link can't be opened: vscode:/);
  });

  it('is the one of the sidebar if its ID is typed, and nothing else if that is no ID', async () => {
    for (const text of [SHOP, 'the shop']) {
      assert.deepEqual(await pick(text, `$(organization) ${SHOP}`), { kind: 'group', id: SHOP });
      assert.deepEqual(labels, [`$(organization) ${SHOP}`]);
    }
  });

  it('is none of a token, which would be looked up, too', async () => {
    const slow = slowList<QuickPickItem>();
    void pickChat(newHost({ connection }), shownText`Open Message History`);
    await slow.isShown;
    const shown = () => slow.list.items.map(({ label }) => label);
    for (const text of ['BOT_TOKEN=0a1b2c3d4e5f', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl']) {
      slow.types(text);
      assert.deepEqual(shown(), [`$(organization) ${SHOP}`], text);
    }
    slow.types('999');
    assert.equal(shown().length, 2);
  });

  it('is asked about if it cannot be looked up', async () => {
    answered = 1;
    assert.deepEqual(await typed('999'), { kind: 'user', id: '999' });
    assert.deepEqual(asked, [
      ['$(organization) Group', "doesn't exist"],
      ['$(account) Person', "doesn't exist"],
    ]);
    answered = undefined;
    assert.equal(await typed('999'), undefined);
  });

  it('is none if the user cancels', async () => {
    onLists('escape');
    assert.equal(await pickChat(newHost({ connection }), shownText`Open Message History`), undefined);
  });

  describe('among several', () => {
    const OTHER = '546790213';

    it('may be in the sidebar or not', async () => {
      onLists({ types: OTHER, picks: () => true });
      const chats = await pickChats(newHost({ connection }), shownText`Archive Chats`);
      assert.deepEqual(chats, [
        { kind: 'group', id: SHOP },
        { kind: 'group', id: OTHER },
      ]);
    });

    it('stays chosen while something else is typed', async () => {
      const slow = slowList<QuickPickItem>();
      const picked = pickChats(newHost({ connection }), shownText`Archive Chats`);
      await slow.isShown;
      assert.ok(slow.list.canSelectMany);
      slow.types(OTHER);
      slow.tells(slow.list.items.filter(({ description }) => description === OTHER));
      slow.types('shop 2');
      // VS Code reports an empty selection before the one that was set.
      const { selectedItems } = slow.list;
      slow.tells([]);
      slow.tells(selectedItems);
      slow.accepts();
      assert.deepEqual(await picked, [{ kind: 'group', id: OTHER }]);
    });

    it('is the one that was typed if Enter is pressed without choosing any, and asked for if there is none', async () => {
      const slow = slowList<QuickPickItem>();
      const picked = pickChats(newHost({ connection }), shownText`Archive Chats`);
      await slow.isShown;
      // VS Code highlights the first one.
      slow.list.activeItems = slow.list.items.slice(0, 1);
      slow.accepts();
      slow.list.activeItems = [];
      assert.equal(slow.list.placeholder, 'Select at least one chat');
      slow.types(OTHER);
      slow.accepts();
      assert.deepEqual(await picked, [{ kind: 'group', id: OTHER }]);
    });
  });
});
