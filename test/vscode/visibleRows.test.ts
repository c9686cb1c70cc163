import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { configure, startService, type TestService } from '../unit/test-service.ts';

/** Uses the real view, because only VS Code decides which rows it asks about. */
describe('Sidebar rows', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ groups: ['nosuch'], bots: [], people: [], 'service.callsPerSecond': 1000 });
    await commands.executeCommand('botChats.chats.focus');
  });
  after(async () => {
    // A hidden view sends no requests while other tests count theirs.
    await commands.executeCommand('workbench.view.explorer');
    await service.close();
  });

  const countLookups = () => service.requests.filter(({ pathname }) => pathname.endsWith('/group-info')).length;
  /** Resolves after this many lookups. */
  const waitForLookups = async (count: number) => {
    // A command round trip lets the window catch up.
    while (countLookups() < count) await commands.executeCommand('list.focusFirst');
  };

  it('are looked up when painted, and again after a refresh or a change of service', async () => {
    await waitForLookups(1);
    await configure({ 'service.callsPerSecond': 999 });
    await waitForLookups(2);
    await commands.executeCommand('botChats.refresh');
    await waitForLookups(3);
    await configure({ 'service.callsPerSecond': 998 });
    await waitForLookups(4);
    await commands.executeCommand('botChats.refresh');
    await waitForLookups(5);
    assert.equal(countLookups(), 5);
  });
});

describe('The sidebar in a window', () => {
  it('looks up only visible rows', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `g${index}`);
    const service = await startService({ groups: ids, bots: [], people: [], 'service.callsPerSecond': 1000 });
    try {
      await commands.executeCommand('botChats.chats.focus');
      // Round trips give the window time to paint.
      while (service.requests.length < 5) await commands.executeCommand('list.focusFirst');
      for (let trip = 0; trip < 50; trip++) await commands.executeCommand('list.focusFirst');
      assert.ok(service.requests.length < 100, `${service.requests.length} lookups`);
    } finally {
      await commands.executeCommand('workbench.view.explorer');
      await service.close();
    }
  });
});
