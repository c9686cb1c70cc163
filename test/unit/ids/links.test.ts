import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  commands,
  Range,
  type TerminalLinkContext,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { KnownIds } from '../../../src/ids/knownIds.ts';
import { IdLinks, TerminalLinks } from '../../../src/ids/links.ts';
import type { ListSettings } from '../../../src/platform/listSettings.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import { chatLink } from '../../../src/protocol/chatLink.ts';
import { settled } from '../deferred.ts';
import { connectionTo, serviceOf } from '../test-service.ts';
import { closeDocuments, scrolled } from '../vscode-editors.ts';
import { withoutDelays } from '../withoutDelays.ts';

const { token } = new CancellationTokenSource();

describe('Links of known IDs', () => {
  let service: Service;
  let known: KnownIds;
  let links: IdLinks;
  let terminal: TerminalLinks;
  let mentionedIds: MentionedIds;
  withoutDelays();
  /** How often VS Code was made to ask again. */
  let refreshes: number;
  let onRefresh: () => void;

  beforeEach(() => {
    mentionedIds = new MentionedIds();
    mentionedIds.add([{ kind: 'user', id: '7058314' }]);
    service = serviceOf(async () => {});
    const lists = { read: () => ({ entries: [], unusable: [] }) } as unknown as ListSettings;
    known = new KnownIds({ connection: connectionTo(async () => service), lists, mentionedIds });
    terminal = new TerminalLinks(known);
    [refreshes, onRefresh] = [0, () => {}];
    links = new IdLinks(known, () => {
      refreshes++;
      onRefresh();
    });
  });
  afterEach(() => {
    links.dispose();
    known.dispose();
    closeDocuments();
  });

  const show = async (content: string, language = 'plaintext') => {
    const document = await workspace.openTextDocument({ content, language });
    await window.showTextDocument(document);
    return document;
  };
  /** The texts of links, with what they run and say. */
  const linksIn = async (document: TextDocument) =>
    (await links.provideDocumentLinks(document, token)).map(({ range, target, tooltip }) => [
      document.getText(range),
      target?.path,
      JSON.parse(decodeURIComponent(target?.query ?? '')),
      tooltip,
    ]);
  const linesIn = async (document: TextDocument) =>
    (await links.provideDocumentLinks(document, token)).map(({ range }) => range.start.line);
  const inTerminal = (line: string) => terminal.provideTerminalLinks({ line } as TerminalLinkContext, token);
  const refreshed = () =>
    new Promise<void>((resolve) => {
      onRefresh = resolve;
    });

  it('open the history of a group, or the card of a bot or user', async () => {
    mentionedIds.add([
      { kind: 'group', id: '518204736' },
      { kind: 'bot', id: '30481126' },
    ]);
    const document = await show('518204736 and 30481126\n{"to": 7058314} and 7654321');
    assert.deepEqual(await linksIn(document), [
      ['518204736', 'botChats.openHistory', [{ kind: 'group', id: '518204736' }], 'Open History'],
      ['30481126', 'botChats.lookUp', [{ kind: 'bot', id: '30481126' }], 'Look Up'],
      ['7058314', 'botChats.lookUp', [{ kind: 'user', id: '7058314' }], 'Look Up'],
    ]);
  });

  it('are only on values if they could be words', async () => {
    mentionedIds.add([{ kind: 'group', id: 'big' }]);
    const document = await show('That is a big deal.\n- big\ngroup: big\n"big" and `big`\na big, bad wolf');
    assert.deepEqual(await linesIn(document), [1, 2, 3, 3]);
  });

  it('cover the lines near the screen, and are refreshed on scrolling', async () => {
    const document = await show('7058314\n'.repeat(5_000));
    const first = await linesIn(document);
    assert.equal(first[0], 0);
    assert.ok(first.length >= 200 && first.length < 500, String(first.length));
    const again = refreshed();
    window.activeTextEditor?.revealRange(new Range(4_000, 0, 4_000, 0));
    await again;
    const then = await linesIn(document);
    assert.ok(then.includes(4_000) && !then.includes(0) && then.length < 700);
  });

  describe('beside links to chats', () => {
    const chat = chatLink('vscode', { digest: '0123456789ab', kind: 'group', id: '7058314' });

    it('are those links as a whole, even if no service is connected', async () => {
      const document = await show(`7058314\nSee ${chat}#m1, or\n<${chat}>`);
      const ours = [
        [`${chat}#m1`, 'botChats.openLink', [`${chat}#m1`], 'Open Message'],
        [chat, 'botChats.openLink', [chat], 'Open History'],
      ];
      assert.deepEqual((await linksIn(document)).slice(0, 2), ours);
      assert.equal((await linksIn(document)).length, 3);
      known.read = async () => undefined;
      assert.deepEqual(await linksIn(document), ours);
    });

    it('lead where they do as a whole, wherever VS Code ends a long line', async () => {
      const link = `${chat}#m123`;
      for (let shown = 1; shown <= link.length; shown++) {
        const line = `${' '.repeat(10_000 - shown)}${link} ${chat}`;
        const given = (await linksIn(await show(line))).map(([, , given]) => given);
        assert.deepEqual(given, [[link]], `${shown}`);
        const opened = (await inTerminal(line)).map(({ argument }) => argument);
        assert.deepEqual(opened, [link], `${shown}`);
      }
    });

    it('are the same in terminals', async () => {
      known.read = async () => undefined;
      const [given, more] = await inTerminal(`see ${chat}#m1`);
      assert.equal(more, undefined);
      assert.deepEqual([given?.startIndex, given?.length, given?.tooltip], [4, chat.length + 3, 'Open Message']);
      const opened: unknown[] = [];
      const registered = commands.registerCommand('botChats.openLink', (address) => void opened.push(address));
      if (given) await terminal.handleTerminalLink(given);
      registered.dispose();
      assert.deepEqual(opened, [`${chat}#m1`]);
    });
  });

  it('are not refreshed on scrolling to lines that have them', async () => {
    const document = await show('7058314\n'.repeat(5_000));
    window.activeTextEditor?.revealRange(new Range(1_000, 0, 1_000, 0));
    await linesIn(document);
    for (const line of [800, 1_000, 1_200]) window.activeTextEditor?.revealRange(new Range(line, 0, line, 0));
    await settled();
    assert.equal(refreshes, 0);
  });

  it('cover no folded lines', async () => {
    const document = await show('7058314\n'.repeat(5_000));
    const visibleRanges = [1_000, 4_000].map((line) => new Range(line, 0, line + 9, 0));
    Object.assign(window.activeTextEditor ?? assert.fail(), { visibleRanges });
    const lines = await linesIn(document);
    const ends = [0, 209, 210, 419].map((at) => lines[at]);
    assert.deepEqual(ends, [800, 1_009, 4_000, 4_209]);
  });

  it('are refreshed if only a part of the screen has none, beside folded lines', async () => {
    const document = await show('7058314\n'.repeat(5_000));
    await linesIn(document);
    const again = refreshed();
    const visibleRanges = [0, 4_000].map((line) => new Range(line, 0, line + 9, 0));
    const textEditor = window.activeTextEditor ?? assert.fail();
    scrolled.fire({ textEditor, visibleRanges } as unknown as Parameters<typeof scrolled.fire>[0]);
    await again;
  });

  it('are none if VS Code no longer asks for them', async () => {
    const canceled = new CancellationTokenSource();
    canceled.cancel();
    const document = await show('7058314');
    assert.deepEqual(await links.provideDocumentLinks(document, canceled.token), []);
    const context = { line: '7058314' } as TerminalLinkContext;
    assert.deepEqual(await terminal.provideTerminalLinks(context, canceled.token), []);
  });

  it('are not refreshed once they are gone', async () => {
    known.invalidate();
    links.dispose();
    known.invalidate();
    await settled();
    assert.equal(refreshes, 0);
  });

  it('are refreshed when more IDs are known', async () => {
    const document = await show('big');
    assert.deepEqual(await links.provideDocumentLinks(document, token), []);
    const again = refreshed();
    mentionedIds.add([{ kind: 'group', id: 'big' }]);
    known.invalidate();
    await again;
    assert.equal((await links.provideDocumentLinks(document, token)).length, 1);
  });

  it('are refreshed even while new IDs keep arriving', async () => {
    while (refreshes === 0) {
      known.invalidate();
      await settled();
    }
  });

  it('are not refreshed for the name of a known ID', async () => {
    await known.read();
    await service.directory.get('user', '7058314');
    await settled();
    assert.equal(refreshes, 0);
    await service.directory.get('user', '7102649');
    await settled();
    assert.equal(refreshes, 1);
  });

  it('are the same in terminals', async () => {
    assert.deepEqual(await inTerminal('sent to 7058314 ok'), [
      {
        startIndex: 8,
        length: 7,
        tooltip: 'Look Up',
        command: 'botChats.lookUp',
        argument: { id: '7058314', kind: 'user' },
      },
    ]);
  });
});
