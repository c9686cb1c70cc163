import assert from 'node:assert/strict';
import { commands, type Disposable, Uri, type UriHandler } from 'vscode';
import { registerHistory } from '../../../../src/chats/history/index.ts';
import { serviceDigest } from '../../../../src/platform/durableFiles.ts';
import { chatLink } from '../../../../src/protocol/chatLink.ts';
import { answer } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, useService } from '../../test-service.ts';
import { BOT, GROUP } from './panels.ts';
import { sendTo, TestPage } from './test-page.ts';

describe('A history that is opened by a link to VS Code', () => {
  const service = useService({ 'history.refreshSeconds': 0 });
  const pages = usePages((title) => new TestPage(title));
  const disposables: Disposable[] = [];

  afterEach(async () => {
    for (const one of disposables.splice(0)) one.dispose();
    await configure({ 'history.remoteImagesIn': undefined });
  });

  it('shows what the extension has sent or found, and images once they are allowed, and counts as read', async () => {
    const contexts: unknown[][] = [];
    const connection = newConnection();
    const opened = await connection.open();
    const host = newHost({ connection });
    await host.tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    let handler: UriHandler | undefined;
    answer('registerUriHandler', (given) => {
      handler = given;
      return { dispose() {} };
    });
    disposables.push(
      commands.registerCommand('setContext', (...context) => void contexts.push(context)),
      ...registerHistory(host, { archive: host.archive, archived: host.archived }).disposables,
      connection,
    );
    await configure({ 'history.remoteImagesIn': { groups: ['big'], people: [] } });
    assert.deepEqual(pages.opened, []);

    const digest = await serviceDigest(opened.address);
    await handler?.handleUri(Uri.parse(chatLink('vscode', { digest, kind: 'group', id: GROUP, botId: BOT })));
    const page = pages.last;
    page.send({ type: 'ready' });
    await page.until(() => page.items.length === 50 && contexts.some(([name]) => name === 'botChats.hasReadHistory'));
    const sent = await sendTo(service.sandbox, GROUP, 'news');
    const other = { ...opened, address: 'https://other.example' } as typeof opened;
    await host.chatEvents.arrived(other, [{ kind: 'group', id: GROUP }]);
    await host.chatEvents.arrived(opened, [{ kind: 'user', id: GROUP }]);
    assert.notEqual(page.keys.at(-1), sent);
    await host.chatEvents.arrived(opened, [{ kind: 'group', id: GROUP }]);
    assert.equal(page.keys.at(-1), sent);

    assert.doesNotMatch(page.html, /img-src https:/);
    await configure({ 'history.remoteImagesIn': { groups: [GROUP], people: [] } });
    while (page.htmls.length === 1) await settled();
    assert.match(page.html, /img-src https:/);
  });
});
