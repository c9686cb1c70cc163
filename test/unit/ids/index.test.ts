import assert from 'node:assert/strict';
import { mock } from 'node:test';
import {
  CancellationTokenSource,
  commands,
  Disposable,
  type DocumentLinkProvider,
  EventEmitter,
  type HoverProvider,
  type InlayHintsProvider,
  languages,
  Position,
  type TerminalLinkContext,
  type TerminalLinkProvider,
  window,
  workspace,
} from 'vscode';
import { registerIds } from '../../../src/ids/index.ts';
import type { Service } from '../../../src/platform/service.ts';
import { pick, restore } from '../answers.ts';
import { settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';
import { configure, connectionTo, serviceOf } from '../test-service.ts';
import { closeDocuments } from '../vscode-editors.ts';
import { withoutDelays } from '../withoutDelays.ts';

const { token } = new CancellationTokenSource();

describe('IDs from activation on', () => {
  withoutDelays();
  let host: ReturnType<typeof newHost>;
  let disposables: Disposable[];
  let service: Service;
  const changed = new EventEmitter<void>();
  /** The providers that VS Code has. */
  let links: DocumentLinkProvider[];
  let hovers: HoverProvider[];
  let hints: InlayHintsProvider[];
  let terminals: TerminalLinkProvider[];
  /** How often VS Code got the provider of links, which makes it ask. */
  let linkRegistrations: number;
  let onChange: () => void;

  const keepIn = <T>(providers: T[], provider: T) => {
    providers.push(provider);
    onChange();
    return new Disposable(() => {
      providers.splice(providers.indexOf(provider), 1);
      onChange();
    });
  };
  /** Waits until the providers are so. */
  const until = async (isSo: () => boolean) => {
    while (!isSo())
      await new Promise<void>((resolve) => {
        onChange = resolve;
      });
  };
  /** Does something, and waits until VS Code is made to ask for links again. */
  const refreshing = async (act: () => unknown) => {
    const before = linkRegistrations;
    await act();
    await until(() => linkRegistrations > before);
  };

  beforeEach(async () => {
    links = [];
    hovers = [];
    hints = [];
    terminals = [];
    linkRegistrations = 0;
    onChange = () => {};
    mock.method(languages, 'registerDocumentLinkProvider', (_: unknown, provider: DocumentLinkProvider) => {
      linkRegistrations++;
      return keepIn(links, provider);
    });
    mock.method(languages, 'registerHoverProvider', (_: unknown, provider: HoverProvider) => keepIn(hovers, provider));
    mock.method(languages, 'registerInlayHintsProvider', (_: unknown, provider: InlayHintsProvider) =>
      keepIn(hints, provider),
    );
    mock.method(window, 'registerTerminalLinkProvider', (provider: TerminalLinkProvider) =>
      keepIn(terminals, provider),
    );
    service = serviceOf(async () => {});
    host = newHost({ connection: connectionTo(async () => service, changed.event) });
    host.mentionedIds.add([{ kind: 'user', id: '7058314' }]);
    disposables = registerIds(host);
    await until(() => terminals.length === 1);
  });
  afterEach(async () => {
    for (const one of disposables) one.dispose();
    mock.restoreAll();
    restore();
    closeDocuments();
    await configure({ 'ids.showNames': undefined });
  });

  const show = async (content: string) => {
    const document = await workspace.openTextDocument({ content, language: 'plaintext' });
    await window.showTextDocument(document);
    return document;
  };
  const linksIn = async (content: string) => links[0]?.provideDocumentLinks(await show(content), token);

  it('have cards and links in documents and terminals', async () => {
    const document = await show('Ask 7058314');
    assert.ok(await hovers[0]?.provideHover(document, new Position(0, 5), token));
    assert.equal((await links[0]?.provideDocumentLinks(document, token))?.length, 1);
    const [link] = (await terminals[0]?.provideTerminalLinks({ line: '7058314' } as TerminalLinkContext, token)) ?? [];
    const followed: unknown[] = [];
    const lookUp = mock.method(commands, 'executeCommand', async (...call: unknown[]) => void followed.push(call));
    if (link) await terminals[0]?.handleTerminalLink(link);
    lookUp.mock.restore();
    assert.deepEqual(followed, [['botChats.lookUp', { kind: 'user', id: '7058314' }]]);
  });

  it('are looked up by a command', async () => {
    const items = pick(undefined);
    await commands.executeCommand('botChats.lookUp', { kind: 'user', id: '7058314' });
    assert.ok(items.some((item) => item.includes('Copy ID')));
  });

  it('have names beside them only while that is set', async () => {
    assert.equal(hints.length, 0);
    for (const [isSet, count] of [
      [true, 1],
      [false, 0],
      [true, 1],
    ] as const) {
      await configure({ 'ids.showNames': isSet });
      await until(() => hints.length === count);
    }
  });

  it('have links to what is known by now, for which VS Code is made to ask again', async () => {
    assert.deepEqual(await linksIn('7102649'), []);
    await refreshing(() => host.mentionedIds.add([{ kind: 'user', id: '7102649' }]));
    assert.equal(links.length, 1);
    assert.equal((await linksIn('7102649'))?.length, 1);
  });

  it('have links to what is listed by now', async () => {
    assert.equal((await linksIn('7058314'))?.length, 1);
    for (const [setting, value] of [
      ['groups', ['big']],
      ['bots', ['30481126']],
      ['people', ['7102649']],
      ['audiences', { all: ['big'] }],
      ['hover.lookUp', 'never'],
    ] as const) {
      await refreshing(() => configure({ [setting]: value }));
      await refreshing(() => configure({ [setting]: undefined }));
    }
  });

  it('are no longer known from a service that was left', async () => {
    changed.fire();
    assert.deepEqual([...host.mentionedIds.kinds], []);
  });

  it('have nothing once the extension is gone, even if that is at once', async () => {
    await configure({ 'ids.showNames': true });
    await until(() => hints.length === 1);
    for (const one of disposables.splice(0)) one.dispose();
    await until(() => [links, hovers, hints, terminals].every(({ length }) => length === 0));
    changed.fire();
    for (const one of registerIds(host)) one.dispose();
    await settled();
    assert.deepEqual([links, hovers, hints, terminals], [[], [], [], []]);
  });
});
