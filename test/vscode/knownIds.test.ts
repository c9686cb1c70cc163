import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  commands,
  type DocumentLink,
  type InlayHint,
  MarkdownString,
  Range,
  type TerminalLinkContext,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { IdLinks } from '../../src/ids/documentLinks.ts';
import { NameHints } from '../../src/ids/inlayHints.ts';
import { KnownIds } from '../../src/ids/knownIds.ts';
import { TerminalLinks } from '../../src/ids/terminalLinks.ts';
import type { Connection } from '../../src/platform/connection.ts';
import { MentionedIds } from '../../src/platform/mentionedIds.ts';
import { Settings } from '../../src/platform/settings.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { newHost } from '../unit/test-host.ts';
import {
  configure,
  connectionTo,
  keeping,
  newConnection,
  serviceOf,
  type TestService,
  useService,
} from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

const show = async (content: string, language = 'plaintext') => {
  const document = await openUntitled(content, language);
  await window.showTextDocument(document);
  return document;
};

describe('Known IDs in a document', () => {
  let service: TestService;

  before(async () => {
    const people = ['7058314', '7230581'];
    service = await useService({ groups: ['518204736', 'big'], bots: ['30481126'], people });
  });

  after(() => service.close());

  afterEach(async () => {
    await closeEditors();
    await configure({ 'ids.showNames': undefined, 'hover.lookUp': undefined });
    service.requests.splice(0);
  });

  const links = async (document: TextDocument, count: number): Promise<DocumentLink[]> => {
    const all = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    const own = all.filter(({ target }) => target?.scheme === 'command');
    // VS Code may have called a provider that was just replaced.
    return own.length < count ? links(document, count) : own;
  };

  it('are links: to the history of a group, or to the card of a bot or user', async () => {
    const document = await show('518204736 and 30481126\n{"to": 7058314} and 7654321');
    assert.deepEqual(
      (await links(document, 3)).map(({ range, target, tooltip }) => [
        document.getText(range),
        target?.path,
        JSON.parse(decodeURIComponent(target?.query ?? '')),
        tooltip,
      ]),
      [
        ['518204736', 'botChats.openHistory', [{ kind: 'group', id: '518204736' }], 'Open History'],
        ['30481126', 'botChats.lookUp', [{ kind: 'bot', id: '30481126' }], 'Look Up'],
        ['7058314', 'botChats.lookUp', [{ kind: 'user', id: '7058314' }], 'Look Up'],
      ],
    );
    assert.deepEqual(service.requests, []);
  });

  it('are links only as values if they could be words', async () => {
    const document = await show('That is a big deal.\n- big\ngroup: big\n"big" and `big`\na big, bad wolf');
    assert.deepEqual(
      (await links(document, 4)).map(({ range }) => range.start.line),
      [1, 2, 3, 3],
    );
  });

  it('have names beside them once looked up, if turned on', async () => {
    const document = await show('Ask 7058314 in big, or 7654321.\n- big');
    const hints = async () => {
      const all = await commands.executeCommand<InlayHint[]>(
        'vscode.executeInlayHintProvider',
        document.uri,
        new Range(0, 0, 9, 0),
      );
      return all.map(({ label, position }) => [label, document.offsetAt(position)]);
    };
    assert.deepEqual(await hints(), []);
    assert.deepEqual(service.requests, []);
    await configure({ 'ids.showNames': true });
    const expected = [
      ['Alice Fernhollow', 11],
      ['Riverside Town 河畔小镇', 37],
    ];
    // The first attempts may be too early.
    while ((await hints()).length < expected.length);
    assert.deepEqual(await hints(), expected);
    assert.equal(service.requests.length, 2);
    await configure({ 'ids.showNames': false });
    while ((await hints()).length > 0);
  });

  it('are not looked up for names if lookups are turned off', async () => {
    await configure({ 'ids.showNames': true, 'hover.lookUp': 'never' });
    const document = await show('Ask 7230581');
    const hints = await commands.executeCommand<InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new Range(0, 0, 1, 0),
    );
    assert.deepEqual([hints, service.requests], [[], []]);
  });
});

describe('Links of known IDs', () => {
  let service: TestService;
  let connection: Connection;
  let known: KnownIds;
  const mentionedIds = new MentionedIds();
  mentionedIds.add([{ kind: 'user', id: '7058314' }]);
  const { token } = new CancellationTokenSource();

  before(async () => {
    service = await useService();
  });

  after(() => service.close());

  beforeEach(async () => {
    const kept = keeping();
    await workspace.fs.createDirectory(kept.folder);
    connection = newConnection(kept);
    known = new KnownIds(newHost({ connection, mentionedIds }));
  });

  afterEach(async () => {
    await closeEditors();
    known.dispose();
    connection.dispose();
  });

  it('cover the lines near the screen, and are refreshed on scrolling', async () => {
    const document = await show('7058314\n'.repeat(5_000));
    let asked = () => {};
    const links = new IdLinks(known, () => asked());
    try {
      const lines = async () =>
        (await links.provideDocumentLinks(document, token)).map(({ range }) => range.start.line);
      const first = await lines();
      assert.equal(first[0], 0);
      assert.ok(first.length >= 200 && first.length < 500, String(first.length));
      const again = new Promise<void>((resolve) => {
        asked = resolve;
      });
      window.activeTextEditor?.revealRange(new Range(4_000, 0, 4_000, 0));
      await again;
      const then = await lines();
      assert.ok(then.includes(4_000) && !then.includes(0) && then.length < 700);
    } finally {
      links.dispose();
    }
  });

  it('are refreshed when more IDs are known', async () => {
    const document = await show('big');
    let asked = () => {};
    const links = new IdLinks(known, () => asked());
    try {
      assert.deepEqual(await links.provideDocumentLinks(document, token), []);
      const again = new Promise<void>((resolve) => {
        asked = resolve;
      });
      mentionedIds.add([{ kind: 'group', id: 'big' }]);
      known.invalidate();
      await again;
      assert.equal((await links.provideDocumentLinks(document, token)).length, 1);
    } finally {
      mentionedIds.clear();
      mentionedIds.add([{ kind: 'user', id: '7058314' }]);
      links.dispose();
    }
  });

  it('are refreshed even while new IDs keep arriving', async () => {
    let isAsked = false;
    const links = new IdLinks(known, () => {
      isAsked = true;
    });
    try {
      while (!isAsked) {
        known.invalidate();
        await new Promise(setImmediate);
      }
    } finally {
      links.dispose();
    }
  });

  it('are not refreshed for the name of a known ID', async () => {
    let asked = 0;
    const links = new IdLinks(known, () => asked++);
    try {
      const names: string[] = [];
      known.onDidChange((what) => names.push(what));
      const { service: opened } = (await known.read()) ?? assert.fail();
      await opened.directory.get('user', '7058314');
      const more = new Promise<void>((resolve) => known.onDidChange((what) => what === 'ids' && resolve()));
      await opened.directory.get('user', '7102649');
      await more;
      assert.deepEqual([names, asked], [['names', 'ids'], 0]);
    } finally {
      links.dispose();
    }
  });

  it('work the same in terminals', async () => {
    const links = new TerminalLinks(known);
    const given = await links.provideTerminalLinks({ line: 'sent to 7058314 ok' } as TerminalLinkContext, token);
    assert.deepEqual(given, [
      { startIndex: 8, length: 7, tooltip: 'Look Up', reference: { id: '7058314', kind: 'user' } },
    ]);
  });
});

it('Names beside IDs show an untrusted card on hover', async () => {
  const service = await useService({ people: ['7058314'], 'ids.showNames': true });
  try {
    const document = await show('7058314');
    const hints = () =>
      commands.executeCommand<InlayHint[]>('vscode.executeInlayHintProvider', document.uri, new Range(0, 0, 1, 0), 9);
    let all = await hints();
    while (all.length === 0) all = await hints();
    const { tooltip } = all[0] ?? {};
    assert.ok(tooltip instanceof MarkdownString && !tooltip.isTrusted && tooltip.value.includes('Days online'));
  } finally {
    await closeEditors();
    await service.close();
  }
});

describe('Names beside IDs', () => {
  const mentionedIds = new MentionedIds();
  mentionedIds.add([{ kind: 'user', id: '7058314' }]);
  const { token } = new CancellationTokenSource();

  it('appear even while new IDs keep arriving', async () => {
    const known = new KnownIds(
      newHost({ connection: connectionTo(async () => serviceOf(async () => {})), mentionedIds }),
    );
    const hints = new NameHints(known, new Settings());
    try {
      let isAsked = false;
      hints.onDidChangeInlayHints(() => {
        isAsked = true;
      });
      while (!isAsked) {
        known.invalidate();
        await new Promise(setImmediate);
      }
    } finally {
      hints.dispose();
      known.dispose();
    }
  });

  it('are not requested again on each keystroke while the service fails', async () => {
    const asked: string[] = [];
    const service = serviceOf(async (id) => {
      asked.push(id);
      throw new ServiceError({ kind: 'timedOut', after: 1 });
    });
    const known = new KnownIds(newHost({ connection: connectionTo(async () => service), mentionedIds }));
    const hints = new NameHints(known, new Settings());
    try {
      const document = await openUntitled('Ask 7058314', 'plaintext');
      const ask = () => hints.provideInlayHints(document, new Range(0, 0, 0, 11), token);
      await ask();
      await assert.rejects(service.directory.get('user', '7058314'));
      await ask();
      // Lookups start in a later task.
      await new Promise((resolve) => setTimeout(resolve));
      assert.deepEqual(asked, ['7058314']);
    } finally {
      hints.dispose();
      known.dispose();
    }
  });

  it('are not looked up for lines scrolled past', async () => {
    const ids = Array.from({ length: 300 }, (_, at) => `${7_000_000 + at}`);
    const asked: string[] = [];
    const ended: string[] = [];
    const service = serviceOf((id, signal) => {
      asked.push(id);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          ended.push(id);
          reject(new ServiceError({ kind: 'cancelled' }));
        }),
      );
    });
    const many = new MentionedIds();
    many.addSource(async () => ids.map((id) => ({ kind: 'user', id })));
    const known = new KnownIds(newHost({ connection: connectionTo(async () => service), mentionedIds: many }));
    const hints = new NameHints(known, new Settings());
    try {
      const document = await openUntitled(ids.join('\n'), 'plaintext');
      await hints.provideInlayHints(document, new Range(0, 0, 99, 7), token);
      while (asked.length < 8) await new Promise(setImmediate);
      await hints.provideInlayHints(document, new Range(100, 0, 299, 7), token);
      // The eight pending lookups are all from the first hundred lines, and are canceled for the visible ones.
      while (asked.length < 16) await new Promise(setImmediate);
      assert.deepEqual(ended, asked.slice(0, 8));
      assert.ok(asked.slice(8).every((id) => Number(id) >= 7_000_100));
    } finally {
      hints.dispose();
      known.dispose();
    }
  });

  it('are truncated at a character boundary', async () => {
    const service = serviceOf(async () => {});
    const found = await service.directory.get('user', '7058314');
    if (found.kind === 'user') found.resource.nickname = `${'x'.repeat(39)}👍👍`;
    const known = new KnownIds(newHost({ connection: connectionTo(async () => service), mentionedIds }));
    const hints = new NameHints(known, new Settings());
    try {
      const document = await openUntitled('7058314', 'plaintext');
      const [hint] = await hints.provideInlayHints(document, new Range(0, 0, 0, 7), token);
      assert.equal(hint?.label, `${'x'.repeat(39)}…`);
    } finally {
      hints.dispose();
      known.dispose();
    }
  });
});
