import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { configure, type TestService, useService } from '../unit/test-service.ts';

/** In the view itself: what it asks for can be seen in no other way. */
describe('Rows of the view', () => {
  let service: TestService;

  before(async () => {
    service = await useService({ groups: ['nosuch'], bots: [], people: [], 'service.callsPerSecond': 1000 });
    await commands.executeCommand('botChats.chats.focus');
  });
  after(async () => {
    // A view that is not shown asks for nothing while other tests count requests.
    await commands.executeCommand('workbench.view.explorer');
    await service.close();
  });

  const lookUps = () => service.requests.filter(({ pathname }) => pathname.endsWith('/group-info')).length;
  /** Resolves when so many lookups were made. */
  const made = async (count: number) => {
    // A command there and back lets the window do what it has to.
    while (lookUps() < count) await commands.executeCommand('list.focusFirst');
  };

  it('are looked up when they are painted, and anew after every refresh and with every service', async () => {
    await made(1);
    await configure({ 'service.callsPerSecond': 999 });
    await made(2);
    await commands.executeCommand('botChats.refresh');
    await made(3);
    await configure({ 'service.callsPerSecond': 998 });
    await made(4);
    await commands.executeCommand('botChats.refresh');
    await made(5);
    assert.equal(lookUps(), 5);
  });
});

describe('The sidebar in its window', () => {
  it('looks up the rows that are on the screen, and not the others', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `g${index}`);
    const service = await useService({ groups: ids, bots: [], people: [], 'service.callsPerSecond': 1000 });
    try {
      await commands.executeCommand('botChats.chats.focus');
      // Round trips through the window, which paints meanwhile.
      while (service.requests.length < 5) await commands.executeCommand('list.focusFirst');
      for (let trip = 0; trip < 50; trip++) await commands.executeCommand('list.focusFirst');
      assert.ok(service.requests.length < 100, `${service.requests.length} lookups`);
    } finally {
      await commands.executeCommand('workbench.view.explorer');
      await service.close();
    }
  });
});
