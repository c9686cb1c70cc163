import assert from 'node:assert/strict';
import { configure } from '../test-service.ts';
import { idsOf, SHOP, SHOP_INPUT, useReadTool } from './agents.ts';

describe('What the user lets an agent read', () => {
  const { tools, read } = useReadTool();

  it('asks before, naming the chat and the number of messages', async () => {
    assert.equal(
      await tools.agent.question('read', { ...SHOP_INPUT, count: 7 }),
      `Let the agent read messages? Up to 7 messages of the group Work (${SHOP}), with their senders, times, and buttons, will be sent to the language model. Allowing this for longer than once allows it for all chats.`,
    );
    for (const [input, words] of [
      [{ chatType: 'person', chatId: '1' }, 'Up to 20 messages of the chat with 1, with their senders'],
      [{ chatType: 'person', chatId: '1', count: 1 }, 'A message of the chat with 1, with its sender'],
      [{ ...SHOP_INPUT, count: 1 }, `A message of the group Work (${SHOP}), with its sender`],
    ] as const)
      assert.ok((await tools.agent.question('read', input))?.includes(words), words);
    assert.equal(await tools.agent.progress('read', SHOP_INPUT), `Reading messages of Work (${SHOP})`);
  });

  it('shows no icons in a name', async () => {
    tools.service.instead = async () =>
      Response.json({ code: 1, msg: 'success', data: { user: { userId: '7', nickname: '$(verified) Bank' } } });
    assert.equal(
      await tools.agent.progress('read', { chatType: 'person', chatId: '7' }),
      'Reading messages of $\u200b(verified) Bank (7)',
    );
  });

  it('asks nothing, and makes no request, for an input that is not valid', async () => {
    assert.equal(await tools.agent.question('read', { chatType: 'group' }), undefined);
    assert.deepEqual(tools.service.requests, []);
  });

  it('asks with the name that the user has given it and the ID, and reads no message, if its own cannot be looked up', async () => {
    tools.service.instead = async () => new Response('down', { status: 403 });
    assert.match(
      (await tools.agent.question('read', SHOP_INPUT)) ?? '',
      new RegExp(`of the group Work \\(${SHOP}\\),`),
    );
    assert.ok(tools.service.requests.every(({ pathname }) => !pathname.endsWith('/messages')));
  });

  it('does not ask for chats that the user has allowed, and refuses others', async () => {
    await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [SHOP] } });
    assert.equal(await tools.agent.question('read', SHOP_INPUT), undefined);
    assert.equal(idsOf(await read({ count: 2 })).length, 2);
    tools.service.requests.splice(0);
    assert.equal(await tools.agent.question('read', { chatType: 'group', chatId: '1' }), undefined);
    await assert.rejects(
      read({ chatId: '1' }),
      /^ToolError: The user doesn't let agents see group 1\. The user lets agents see only some chats/,
    );
    await configure({ 'agents.access': 'none', 'agents.chats': { groups: [SHOP] } });
    await assert.rejects(read(), /doesn't let agents see/);
    assert.equal(tools.service.requests.length, 0);
    await configure({ 'agents.access': 'all' });
    assert.equal(await tools.agent.question('read', SHOP_INPUT), undefined);
  });

  it('lets a chosen group be read, and not the person with the same ID', async () => {
    const person = { chatType: 'person', chatId: SHOP };
    await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [Number(SHOP)] } });
    assert.equal(idsOf(await read({ count: 2 })).length, 2);
    tools.service.requests.splice(0);
    await assert.rejects(read(person), new RegExp(`^ToolError: The user doesn't let agents see person ${SHOP}\\.`));
    await configure({ 'agents.chats': { people: [SHOP] } });
    await assert.rejects(read(), new RegExp(`agents see group ${SHOP}\\.`));
    assert.equal(tools.service.requests.length, 0);
  });

  it('refuses every chat if the chosen ones can’t be read in full', async () => {
    for (const chats of [[SHOP], SHOP, { groups: [SHOP], persons: [] }, { groups: [SHOP, 'a b'] }, { groups: SHOP }]) {
      await configure({ 'agents.access': 'chosen', 'agents.chats': chats });
      await assert.rejects(
        read(),
        /agents see group \d+\. The setting botChats\.agents\.chats isn't valid, so agents see no groups or people\. Ask the user/,
      );
    }
    await configure({ 'agents.access': 'chosenn', 'agents.chats': { groups: [SHOP] } });
    await assert.rejects(read(), /doesn't let agents see/);
  });
});
