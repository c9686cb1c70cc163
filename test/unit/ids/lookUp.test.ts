import assert from 'node:assert/strict';
import {
  type CancellationToken,
  CancellationTokenSource,
  commands,
  env,
  type QuickPickItem,
  QuickPickItemKind,
  Selection,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { IdPattern } from '../../../src/ids/idPattern.ts';
import { KnownIds } from '../../../src/ids/knownIds.ts';
import { LookUpCommand } from '../../../src/ids/lookUpCommand.ts';
import { Settings } from '../../../src/platform/settings.ts';
import type { PossibleReference } from '../../../src/service/model.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onLists, restore, slowList, type as typeInto } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { configure, connectionTo, newConnection, serviceOf, useService } from '../test-service.ts';
import { closeDocuments } from '../vscode-editors.ts';

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
  const service = useService({ groups: ['518204736', 'big'] });
  let known: KnownIds;
  let command: LookUpCommand;

  // Shared by all tests: what one looks up is remembered in the next.
  before(async () => {
    const host = newHost({ connection: newConnection() });
    known = new KnownIds(host);
    command = new LookUpCommand(host.access, known, new IdPattern(new Settings()));
  });

  after(() => known.dispose());

  afterEach(() => {
    service.instead = () => undefined;
    restore();
    closeDocuments();
  });

  /** Opens a text with selections marked «» and cursors marked |. */
  const show = async (marked: string, language = 'plaintext') => {
    const content = marked.replace(/[«»|]/g, '');
    const document = await workspace.openTextDocument({ content, language });
    const editor = await window.showTextDocument(document);
    let offset = 0;
    const marks = [...marked].flatMap((character) => {
      if ('«»|'.includes(character)) return [{ character, at: document.positionAt(offset) }];
      offset += character.length;
      return [];
    });
    editor.selections = marks.flatMap(({ character, at }, index) => {
      if (character === '|') return [new Selection(at, at)];
      const end = marks[index + 1];
      return character === '«' && end ? [new Selection(at, end.at)] : [];
    });
    return document;
  };
  const lookUp = (reference?: PossibleReference) => command.lookUp(reference);
  /** What becomes of a text by an action on what is selected in it. */
  const textAfter = async (action: string, marked: string, language?: string) => {
    answerQuickPicks(action);
    const document = await show(marked, language);
    await lookUp();
    return document.getText();
  };
  const answerWith = (user: object) => {
    service.instead = async () => Response.json({ code: 1, msg: 'success', data: { user } });
  };

  it('shows what a given ID belongs to, whether or not its kind is given', async () => {
    const lists = answerQuickPicks(undefined, undefined, undefined);
    for (const reference of [{ kind: 'bot', id: '30481126' } as const, { id: '30481126' }, { id: '518204736' }]) {
      await lookUp(reference);
    }
    assert.deepEqual(
      lists.map(({ title }) => title?.split(' · ')[0]),
      ['Order Desk', 'Order Desk', 'Fern & Kettle: the shop team'],
    );
    await assert.rejects(lookUp({ id: '9999998' }), { message: 'No person, bot, or group has the ID 9999998.' });
  });

  it('shows details and actions for the selected ID', async () => {
    const lists = answerQuickPicks(undefined);
    await show('Ask «7058314» today');
    await lookUp();
    assert.equal(lists[0]?.title, 'Alice Fernhollow · 1,204 days online');
    const shown = itemTexts(lists[0]?.items ?? []);
    assert.deepEqual(shown.slice(0, 9), [
      'Open History',
      'New Message…',
      'Send Existing Draft…',
      'Show Deliveries…',
      'Copy ID',
      'Add to Sidebar',
      'Replace with Name',
      'Add Name After',
      '-- Details',
    ]);
    const icons = lists[0]?.items.slice(6, 8).map(({ label }) => label);
    assert.deepEqual(icons, ['$(replace) Replace with Name', '$(tag) Add Name After']);
    const facts = ['ID', 'Name', 'Registered', 'Registered › As reported by the service', 'Days online'];
    assert.deepEqual(shown.slice(9, 14), facts);
  });

  it('finds out what an ID belongs to that is listed as that of another kind', async () => {
    await configure({ groups: ['518204736', 'big', '7850437', '9999997'] });
    known.invalidate();
    try {
      const lists = answerQuickPicks();
      await lookUp({ id: '7850437' });
      assert.match(lists[0]?.title ?? '', /^Nora/);
      await assert.rejects(lookUp({ id: '9999997' }), { message: 'No person, bot, or group has the ID 9999997.' });
      await assert.rejects(lookUp({ kind: 'group', id: '7850437' }), /no group 7850437/);
    } finally {
      await configure({ groups: ['518204736', 'big'] });
      known.invalidate();
    }
  });

  it('uses the ID at the cursor, and asks for one if there is none', async () => {
    const lists = answerQuickPicks();
    await show('Ask 7058|314 today');
    await lookUp();
    const boxes = typeInto('30481126');
    await show('Ask no|body');
    await lookUp();
    assert.equal(boxes.length, 1);
    assert.equal(boxes[0]?.title, 'Look Up ID');
    assert.equal(boxes[0]?.ignoreFocusOut, true);
    assert.deepEqual(
      lists.map(({ title }) => title),
      ['Alice Fernhollow · 1,204 days online', 'Order Desk · 356 users'],
    );
    assert.ok(!itemTexts(lists[1]?.items ?? []).includes('Replace with Name'));
  });

  it('asks for an ID if what is selected is none', async () => {
    for (const marked of ['«—»', `«${'x'.repeat(201)}»`]) {
      const boxes = typeInto(undefined);
      await show(marked);
      await lookUp();
      assert.equal(boxes.length, 1, marked);
    }
  });

  it('asks for no token, selected or typed: it would be sent to the address of look-ups', async () => {
    service.requests.splice(0);
    const boxes = typeInto(undefined);
    await show('«BOT_TOKEN=0a1b2c3d4e5f»');
    await lookUp();
    const problemOf = (text: string) => boxes[0]?.validateInput?.(text);
    assert.equal(problemOf('30481126 BOT_TOKEN=0a1b2c3d4e5f'), 'A token is in this text. Enter only IDs.');
    assert.equal(problemOf('30481126'), undefined);
    assert.deepEqual(service.requests, []);
  });

  it('looks up no more than 1,000 selected IDs', async () => {
    await show(`«${Array.from({ length: 1_001 }, (_, at) => `${7_000_000 + at}`).join('\n')}»`);
    await assert.rejects(lookUp(), { message: 'Select no more than 1,000 different IDs.' });
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
    assert.equal(await textAfter('Replace with Name', 'Ask |70|583|14| today'), 'Ask Alice Fernhollow today');
  });

  it('lists several IDs with their results', async () => {
    const lists = onLists('escape');
    typeInto('7058314, 9999999 518204736');
    service.instead = async (request) =>
      new URL(request.url).searchParams.get('userId') === '9999999' ? new Response('down', { status: 403 }) : undefined;
    service.requests.splice(0);
    await lookUp();
    assert.equal(service.requests.filter(({ search }) => search.includes('9999999')).length, 1);
    assert.equal(lists[0]?.title, '3 IDs');
    assert.equal(lists[0]?.placeholder, 'Select an ID to see its details');
    assert.deepEqual(itemTexts(lists[0]?.items ?? []), [
      '-- Found',
      'Alice Fernhollow',
      'Fern & Kettle: the shop team',
      '-- Lookup failed',
      '9999999',
    ]);
    assert.match(lists[0]?.items.at(-1)?.detail ?? '', /HTTP status 403/);
  });

  it('selects the first result in the list, so that Enter changes nothing', async () => {
    const { list, isShown, accepts } = slowList();
    await show('«7058314, 518204736»');
    const done = lookUp();
    await isShown;
    assert.deepEqual(itemTexts(list.activeItems), ['Alice Fernhollow']);
    assert.deepEqual([list.matchOnDescription, list.matchOnDetail], [true, true]);
    accepts();
    await done;
  });

  it('offers for one of several only what is about it', async () => {
    onLists(labelled('Alice Fernhollow'));
    assert.equal(await textAfter('Replace with Name', '«7058314, 518204736»'), 'Alice Fernhollow, 518204736');
  });

  it('retries failed lookups', async () => {
    service.requests.splice(0);
    const lists = onLists(labelled('9999998'), 'escape');
    typeInto('7058314 9999998');
    service.instead = async (request) =>
      lists.length === 0 && request.url.includes('9999998') ? new Response('down', { status: 403 }) : undefined;
    await lookUp();
    assert.deepEqual(itemTexts(lists[1]?.items ?? []).slice(-2), ["-- Doesn't exist", '9999998']);
    const again = service.requests.filter(({ search }) => search.includes('7058314'));
    assert.deepEqual(again, []);
  });

  it('says that an ID does not exist', async () => {
    typeInto('9999999');
    await assert.rejects(lookUp(), { message: 'No person, bot, or group has the ID 9999999.' });
  });

  it('replaces all selected IDs with names', async () => {
    onLists(labelled('Replace with Names'));
    const document = await show('«7058314», «9999999» and «the group 518204736, and 7058314» again', 'markdown');
    await lookUp();
    assert.equal(
      document.getText(),
      'Alice Fernhollow, 9999999 and the group Fern & Kettle: the shop team, and Alice Fernhollow again',
    );
  });

  it('replaces an ID in wide digits, and nothing around it', async () => {
    for (const marked of ['问 «５１８２０４７３６»', '«问 ５１８２０４７３６»', '问 «５１８２０４７３６，»']) {
      const expected = marked.replace(/[«»]/g, '').replace('５１８２０４７３６', 'Fern & Kettle: the shop team');
      assert.equal(await textAfter('Replace with Name', marked), expected, marked);
    }
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
      assert.equal(await textAfter('Replace with Name', before, language), after, language);
    }
  });

  it('adds missing quotes around a name in JSON', async () => {
    for (const [how, after] of [
      ['Replace with Names', '{"a": "Alice Fernhollow", "b": "Alice Fernhollow"}'],
      ['Add Names After', '{"a": "7058314 (Alice Fernhollow)", "b": "7058314 (Alice Fernhollow)"}'],
    ] as const)
      assert.equal(await textAfter(how, '«{"a": 7058314, "b": "7058314"}»', 'json'), after, how);
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
    answerWith({ userId: '7000001', nickname: '![x](https://a.example) "q" <b>' });
    for (const [language, before, after] of [
      ['markdown', '«7000001»', String.raw`!\[x\](https://a.example) "q" &lt;b>`],
      ['json', '{"to": "«7000001»"}', String.raw`{"to": "![x](https://a.example) \"q\" <b>"}`],
      ['html', '<p>«7000001»</p>', '<p>![x](https://a.example) &#34;q&#34; &#60;b&#62;</p>'],
      ['yaml', 'people: [«7000001»]', 'people: [x https a example q b]'],
      ['javascript', 'ask("«7000001»")', 'ask("x https a example q b")'],
      ['xml', '<to>«7000001»</to>', '<to>![x](https://a.example) &#34;q&#34; &#60;b&#62;</to>'],
      ['jsonc', '["«7000001»"]', String.raw`["![x](https://a.example) \"q\" <b>"]`],
      ['jsonl', '«7000001»', String.raw`"![x](https://a.example) \"q\" <b>"`],
      ['log', '«7000001»', '![x](https://a.example) "q" <b>'],
      ['Log', '«7000001»', '![x](https://a.example) "q" <b>'],
      ['plaintext', '«7000001»', '![x](https://a.example) "q" <b>'],
    ] as const)
      assert.equal(await textAfter('Replace with Name', before, language), after, language);
  });

  it('offers no name to insert of somebody without one', async () => {
    answerWith({ userId: '7000004', nickname: '' });
    const lists = answerQuickPicks();
    await show('Ask «7000004» today');
    await lookUp();
    assert.ok(!itemTexts(lists[0]?.items ?? []).includes('Replace with Name'));
  });

  it('runs the chosen action for what was looked up', async () => {
    const given: unknown[] = [];
    const registered = commands.registerCommand('botChats.copyId', (reference) => void given.push(reference));
    answerQuickPicks('Copy ID');
    await lookUp({ id: '30481126' });
    registered.dispose();
    assert.deepEqual(given, [{ kind: 'bot', id: '30481126' }]);
  });

  it('keeps a name in its table cell', async () => {
    answerWith({ userId: '7000003', nickname: '=HYPERLINK("x"), Alice' });
    answerQuickPicks('Replace with Name');
    const file = Uri.joinPath(Uri.file(temporaryPath('tables')), 'people.csv');
    await workspace.fs.writeFile(file, new TextEncoder().encode('7000003,1'));
    const editor = await window.showTextDocument(file);
    editor.selection = new Selection(0, 0, 0, 7);
    await lookUp();
    assert.equal(editor.document.getText(), 'HYPERLINK x Alice,1');
  });

  it('leaves text that changed meanwhile', async () => {
    const document = await show('«7058314» and «7230581»');
    onLists(labelled('Replace with Names'));
    service.instead = async () => {
      const edit = new WorkspaceEdit();
      edit.insert(document.uri, document.positionAt(2), 'x');
      await workspace.applyEdit(edit);
      service.instead = () => undefined;
      return undefined;
    };
    await assert.rejects(lookUp(), { message: 'The document has changed. Select the IDs again.' });
    assert.equal(document.getText(), '70x58314 and 7230581');
  });

  it('looks up again what does not exist, or failed, when that is chosen', async () => {
    const lists = onLists(labelled('7000099'), 'escape');
    typeInto('7000099 7058314');
    service.instead = async ({ url }) => {
      if (lists.length === 0 || !url.includes('7000099')) return undefined;
      const user = { userId: '7000099', nickname: 'New Nora' };
      return Response.json({ code: 1, msg: 'success', data: { user } });
    };
    await lookUp();
    assert.deepEqual(
      lists.map(({ items }) => items.some(labelled('New Nora'))),
      [false, true],
    );
  });

  it('says nothing of one ID once the user cancels', async () => {
    let respond = () => {};
    const responded = new Promise<undefined>((resolve) => {
      respond = () => resolve(undefined);
    });
    service.instead = () => responded;
    const titles: unknown[] = [];
    answer('withProgress', (async (
      { title }: { title?: string },
      task: (progress: object, token: CancellationToken) => unknown,
    ) => {
      titles.push(title);
      const source = new CancellationTokenSource();
      const done = task({ report() {} }, source.token);
      source.cancel();
      return done;
    }) as unknown as typeof window.withProgress);
    const lists = onLists();
    typeInto('7000009');
    await lookUp();
    await lookUp({ kind: 'user', id: '7000009' });
    respond();
    assert.deepEqual(titles, ['Looking up', 'Looking up']);
    assert.deepEqual(lists, []);
  });

  it('shows the document again that another one has covered meanwhile, and changes it', async () => {
    const document = await show('Ask «7058314» today');
    const other = await workspace.openTextDocument({ content: 'other' });
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      await window.showTextDocument(other);
      return items.find(labelled('Replace with Name'));
    }) as unknown as ShowQuickPick);
    await lookUp();
    assert.equal(document.getText(), 'Ask Alice Fernhollow today');
    assert.equal(window.activeTextEditor?.document, document);
    await show('Ask «7058314» today');
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      closeDocuments();
      return items.find(labelled('Replace with Name'));
    }) as unknown as ShowQuickPick);
    await assert.rejects(lookUp(), { message: "The document couldn't be changed." });
  });

  it('changes the document in another column if it’s there by now, and shows it nowhere else', async () => {
    const document = await show('Ask «7058314» today');
    const other = await workspace.openTextDocument({ content: 'other' });
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      await window.showTextDocument(other);
      await window.showTextDocument(document, { viewColumn: 2 });
      await window.showTextDocument(other);
      answer('showTextDocument', () => assert.fail('shown'));
      return items.find(labelled('Replace with Name'));
    }) as unknown as ShowQuickPick);
    await lookUp();
    assert.equal(document.getText(), 'Ask Alice Fernhollow today');
  });

  it('opens IDs in details, and copies other values', async () => {
    const lists = answerQuickPicks('Bot', 'Users');
    await lookUp({ kind: 'group', id: '518204736' });
    assert.ok(lists[0]?.items.some(({ label }) => label === '$(arrow-right) Bot'));
    assert.equal(lists[1]?.title, 'Order Desk · 356 users');
    assert.equal(await env.clipboard.readText(), '356');
  });

  it('shows text from the service without icons', async () => {
    service.instead = async ({ url }) => {
      if (url.includes('30481127')) return Response.json({ code: -1, msg: '$(verified) ok' }, { status: 400 });
      const user = { userId: new URL(url).searchParams.get('userId'), nickname: '$(trash) Alice' };
      return Response.json({ code: 1, msg: 'success', data: { user } });
    };
    const [lists, details] = [onLists(labelled('\\$(trash) Alice')), answerQuickPicks()];
    typeInto('7000002 30481127');
    await lookUp();
    assert.match(lists[0]?.items.at(-1)?.detail ?? '', / “\\\$\(verified\) ok”/);
    const name = details[0]?.items.find(({ label }) => label.endsWith(' Name'));
    assert.equal(name?.description, '\\$(trash) Alice');
  });

  it('shows remembered details at once, and refreshes old ones in the background', async () => {
    let now = 0;
    const aged = serviceOf(
      async () => {},
      () => now,
    );
    await aged.directory.get('user', '7058314');
    now = 3_600_000;
    const renewed = new Promise<void>((resolve) => aged.directory.onDidChange(() => resolve()));
    const lists = answerQuickPicks();
    const ids = new KnownIds(newHost({ connection: connectionTo(async () => aged) }));
    try {
      const again = new LookUpCommand({ openService: async () => aged }, ids, new IdPattern(new Settings()));
      await again.lookUp({ kind: 'user', id: '7058314' });
      assert.equal(lists[0]?.title, 'Alice');
      await renewed;
    } finally {
      ids.dispose();
    }
  });
});
