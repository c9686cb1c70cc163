import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { commands, env, type QuickPickItem, QuickPickItemKind, Range, Selection, Uri, window, workspace } from 'vscode';
import { IdPattern } from '../../src/ids/idPattern.ts';
import { insertNames } from '../../src/ids/insertNames.ts';
import { KnownIds } from '../../src/ids/knownIds.ts';
import { LookUpCommand } from '../../src/ids/lookUpCommand.ts';
import { Settings } from '../../src/platform/settings.ts';
import { answer, onLists, onMessages, restore, type as typeInto } from '../unit/answers.ts';
import { newHost } from '../unit/test-host.ts';
import { connectionTo, serviceOf, type TestService, useService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

type ShowQuickPick = typeof window.showQuickPick;

/** The quick picks shown; in each, selects the item with the next label. */
function answerQuickPicks(...labels: (string | undefined)[]) {
  const shown: { title: string | undefined; items: QuickPickItem[] }[] = [];
  answer('showQuickPick', (async (items: QuickPickItem[], options: { title?: string }) => {
    shown.push({ title: options.title, items });
    const label = labels[shown.length - 1];
    if (label === undefined) return undefined;
    const item = items.find((one) => one.label.endsWith(` ${label}`));
    assert.ok(item, `${label} is not among ${items.map((one) => one.label)}`);
    return item;
  }) as unknown as ShowQuickPick);
  return shown;
}

const labelled = (label: string) => (item: QuickPickItem) => item.label.endsWith(` ${label}`);

const itemTexts = (items: readonly QuickPickItem[]) =>
  items.map(({ label, kind }) =>
    kind === QuickPickItemKind.Separator ? `-- ${label}` : label.replace(/^\$\(.*?\) /, ''),
  );

describe('Looking up IDs', () => {
  let service: TestService;

  // Shared by all tests: what one looks up is remembered in the next.
  before(async () => {
    service = await useService({ groups: ['518204736', 'big'] });
  });

  after(() => service.close());

  afterEach(async () => {
    service.instead = () => undefined;
    restore();
    await closeEditors();
  });

  /** Opens a text with selections marked «» and cursors marked |. */
  const show = async (marked: string, language = 'plaintext') => {
    const document = await openUntitled(marked.replace(/[«»|]/g, ''), language);
    const editor = await window.showTextDocument(document);
    let offset = 0;
    const marks = [...marked].flatMap((character) => {
      if ('«»|'.includes(character)) return [{ character, at: document.positionAt(offset) }];
      offset += character.length;
      return [];
    });
    const wanted = marks.flatMap(({ character, at }, index) => {
      if (character === '|') return [new Selection(at, at)];
      const end = marks[index + 1];
      return character === '«' && end ? [new Selection(at, end.at)] : [];
    });
    // VS Code may still report the new editor's initial cursor.
    await new Promise<void>((resolve) => {
      const listening = window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor !== editor || !isDeepStrictEqual(selections, wanted)) return;
        listening.dispose();
        resolve();
      });
      editor.selections = wanted;
    });
    return document;
  };
  const lookUp = (subject?: unknown) => commands.executeCommand('botChats.lookUp', subject);

  it('shows details and actions for the selected ID', async () => {
    const lists = answerQuickPicks(undefined);
    await show('Ask «7058314» today');
    await lookUp();
    assert.equal(lists[0]?.title, 'Alice Fernhollow · 1,204 days online');
    const shown = itemTexts(lists[0]?.items ?? []);
    assert.deepEqual(shown.slice(0, 8), [
      'Open History',
      'New Message…',
      'Send…',
      'Copy ID',
      'Add to Sidebar',
      'Replace with Name',
      'Add Name After',
      '-- Details',
    ]);
    assert.ok(
      ['ID', 'Name', 'Registered', 'Days online', 'Days online in a row', 'VIP'].every((one) => shown.includes(one)),
    );
  });

  it('uses the ID at the cursor, and asks for one if there is none', async () => {
    const lists = answerQuickPicks();
    await show('Ask 7058|314 today');
    await lookUp();
    const boxes = typeInto('30481126');
    await show('Ask no|body');
    await lookUp();
    assert.equal(boxes.length, 1);
    assert.equal(boxes[0]?.ignoreFocusOut, true);
    assert.deepEqual(
      lists.map(({ title }) => title),
      ['Alice Fernhollow · 1,204 days online', 'Order Desk · 356 users'],
    );
    assert.ok(!itemTexts(lists[1]?.items ?? []).includes('Replace with Name'));
  });

  it('finds the ID in a larger selection', async () => {
    const lists = answerQuickPicks();
    await show('from «(7058314)» on');
    await lookUp();
    await show('from «https://a.example/u?id=7058314» on');
    await lookUp();
    const alice = 'Alice Fernhollow · 1,204 days online';
    assert.deepEqual(
      lists.map(({ title }) => title),
      [alice, alice],
    );
  });

  it('looks up an ID once for several cursors on it', async () => {
    answerQuickPicks('Replace with Name');
    const document = await show('Ask |70|583|14| today');
    await lookUp();
    assert.equal(document.getText(), 'Ask Alice Fernhollow today');
  });

  it('lists several IDs with their results', async () => {
    const lists = onLists('escape');
    typeInto('7058314, 9999999 518204736');
    service.instead = async (request) =>
      new URL(request.url).searchParams.get('userId') === '9999999' ? new Response('down', { status: 403 }) : undefined;
    await lookUp();
    assert.equal(lists[0]?.title, '3 IDs');
    assert.deepEqual(itemTexts(lists[0]?.items ?? []), [
      '-- Found',
      'Alice Fernhollow',
      'Fern & Kettle: the shop team',
      '-- Lookup failed',
      '9999999',
    ]);
    assert.match(lists[0]?.items.at(-1)?.detail ?? '', /HTTP status 403/);
  });

  it('retries failed lookups', async () => {
    const lists = onLists(labelled('9999998'), 'escape');
    typeInto('7058314 9999998');
    service.instead = async (request) =>
      lists.length === 0 && request.url.includes('9999998') ? new Response('down', { status: 403 }) : undefined;
    await lookUp();
    assert.deepEqual(itemTexts(lists[1]?.items ?? []).slice(-2), ["-- Doesn't exist", '9999998']);
  });

  it('says that an ID does not exist', async () => {
    const shown = onMessages();
    typeInto('9999999');
    await lookUp();
    assert.deepEqual(shown, ['No person, bot, or group has the ID 9999999.']);
  });

  it('replaces all selected IDs with names in one undo step', async () => {
    onLists(labelled('Replace with Names'));
    const document = await show('«7058314», «9999999» and «the group 518204736, and 7058314» again', 'markdown');
    await lookUp();
    assert.equal(
      document.getText(),
      'Alice Fernhollow, 9999999 and the group Fern & Kettle: the shop team, and Alice Fernhollow again',
    );
    await commands.executeCommand('undo');
    assert.equal(document.getText(), '7058314, 9999999 and the group 518204736, and 7058314 again');
  });

  it('leaves words, URLs and identifiers that only look like IDs', async () => {
    for (const [language, before, after] of [
      [
        'markdown',
        '«A big deal in big: 7058314, see https://a.example/7058314»',
        'A big deal in big: Alice Fernhollow, see https://a.example/7058314',
      ],
      ['python', '«f(big, "7058314")»', 'f(big, "Alice Fernhollow")'],
    ] as const) {
      onLists(labelled('Replace with Names'));
      answerQuickPicks('Replace with Name');
      const document = await show(before, language);
      await lookUp();
      assert.equal(document.getText(), after, language);
    }
  });

  it('adds missing quotes around a name in JSON', async () => {
    for (const [how, after] of [
      ['Replace with Names', '{"a": "Alice Fernhollow", "b": "Alice Fernhollow"}'],
      ['Add Names After', '{"a": "7058314 (Alice Fernhollow)", "b": "7058314 (Alice Fernhollow)"}'],
    ] as const) {
      answerQuickPicks(how);
      const document = await show('«{"a": 7058314, "b": "7058314"}»', 'json');
      await lookUp();
      assert.equal(document.getText(), after);
    }
  });

  it('continues with the other IDs if one does not exist', async () => {
    const told = onMessages();
    const lists = onLists(labelled('9999999'), 'escape');
    typeInto('7058314 9999999');
    await lookUp();
    assert.deepEqual([lists.length, told], [2, []]);
  });

  it('inserts names after IDs, but not twice', async () => {
    const document = await show('«7058314»');
    answerQuickPicks('Add Name After', 'Add Name After');
    await lookUp();
    assert.equal(document.getText(), '7058314 (Alice Fernhollow)');
    if (window.activeTextEditor) window.activeTextEditor.selection = new Selection(0, 0, 0, 7);
    await lookUp();
    assert.equal(document.getText(), '7058314 (Alice Fernhollow)');
  });

  it('escapes a name for the language of the document', async () => {
    const user = { userId: '7000001', nickname: '![x](https://a.example) "q" <b>' };
    service.instead = async () => Response.json({ code: 1, msg: 'success', data: { user } });
    for (const [language, before, after] of [
      ['markdown', '«7000001»', String.raw`!\[x\](https://a.example) "q" &lt;b>`],
      ['json', '{"to": "«7000001»"}', String.raw`{"to": "![x](https://a.example) \"q\" <b>"}`],
      ['html', '<p>«7000001»</p>', '<p>![x](https://a.example) &#34;q&#34; &#60;b&#62;</p>'],
      ['yaml', 'people: [«7000001»]', 'people: [x https a example q b]'],
      ['javascript', 'ask("«7000001»")', 'ask("x https a example q b")'],
      ['plaintext', '«7000001»', '![x](https://a.example) "q" <b>'],
    ] as const) {
      answerQuickPicks('Replace with Name');
      const document = await show(before, language);
      await lookUp();
      assert.equal(document.getText(), after, language);
    }
  });

  it('keeps a name in its table cell', async () => {
    const document = await workspace.openTextDocument(Uri.parse('untitled:people.csv'));
    const editor = await window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(document.positionAt(0), '7058314,1'));
    const targets = [{ id: '7058314', range: new Range(0, 0, 0, 7) }];
    await insertNames({ editor, targets }, new Map([['7058314', '=HYPERLINK("x"), Alice']]), 'replace');
    assert.equal(document.getText(), 'HYPERLINK x Alice,1');
  });

  it('leaves text that changed meanwhile', async () => {
    const told = onMessages();
    const document = await show('«7058314» and «7230581»');
    onLists(labelled('Replace with Names'));
    service.instead = async () => {
      await window.activeTextEditor?.edit((edit) => edit.insert(document.positionAt(2), 'x'));
      service.instead = () => undefined;
      return undefined;
    };
    await lookUp();
    assert.equal(document.getText(), '70x58314 and 7230581');
    assert.deepEqual(told, ['The document has changed. Select the IDs again.']);
  });

  it('says that an editor is read-only', async () => {
    const told = onMessages();
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, 'announcement.md'));
    const text = document.getText();
    const editor = await window.showTextDocument(document);
    const at = document.positionAt(text.indexOf('7058314') + 1);
    editor.selection = new Selection(at, at);
    await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      answerQuickPicks('Replace with Name');
      await lookUp();
      assert.equal(document.getText(), text);
      assert.deepEqual(told, ["The document couldn't be changed."]);
    } finally {
      await commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
    }
  });

  it('opens IDs in details, and copies other values', async () => {
    const lists = answerQuickPicks('Bot', 'Users');
    await lookUp({ kind: 'group', id: '518204736' });
    assert.equal(lists[1]?.title, 'Order Desk · 356 users');
    assert.equal(await env.clipboard.readText(), '356');
  });

  it('shows text from the service without icons', async () => {
    const user = { userId: '7000002', nickname: '$(trash) Alice' };
    service.instead = async (request) =>
      request.url.includes('30481127')
        ? Response.json({ code: -1, msg: '$(verified) ok' }, { status: 400 })
        : Response.json({ code: 1, msg: 'success', data: { user } });
    const many = onLists(labelled('\\$(trash) Alice'));
    const one = answerQuickPicks();
    typeInto('7000002 30481127 $(check)');
    await lookUp();
    const texts = [...many, ...one].flatMap(({ items }) =>
      items.flatMap(({ description, detail }) => [description, detail]),
    );
    assert.ok(many[0]?.items.some(({ label }) => label === '$(account) \\$(trash) Alice'));
    for (const icon of ['trash', 'verified', 'check']) {
      const shown = texts.filter((text) => text?.includes(`$(${icon})`));
      assert.ok(shown.length > 0 && shown.every((text) => text?.includes(`\\$(${icon})`)), String(shown));
    }
  });
});

it('Looking up shows remembered details at once, and refreshes old ones in the background', async () => {
  let now = 0;
  const service = serviceOf(
    async () => {},
    () => now,
  );
  await service.directory.get('user', '7058314');
  now = 3_600_000;
  const renewed = new Promise<void>((resolve) => service.directory.onDidChange(() => resolve()));
  const lists = answerQuickPicks();
  const known = new KnownIds(newHost({ connection: connectionTo(async () => service) }));
  try {
    const lookUp = new LookUpCommand({ openService: async () => service }, known, new IdPattern(new Settings()));
    await lookUp.run({ kind: 'user', id: '7058314' });
    assert.equal(lists[0]?.title, 'Alice');
    await renewed;
  } finally {
    known.dispose();
    restore();
  }
});
