import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type CodeActionContext,
  commands,
  Diagnostic,
  type Disposable,
  EventEmitter,
  languages,
  Position,
  Selection,
  type TextDocument,
  type TextEditorSelectionChangeEvent,
  TextEditorSelectionChangeKind,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { registerEditing } from '../../../../../src/deliveries/draft/editing/index.ts';
import type { Connection } from '../../../../../src/platform/service.ts';
import { settled } from '../../../deferred.ts';
import { newHost } from '../../../test-host.ts';
import { configure, newConnection, useService } from '../../../test-service.ts';
import { closeDocuments } from '../../../vscode-editors.ts';
import { withoutDelays } from '../../../withoutDelays.ts';
import {
  diagnosticsOf,
  newFolder,
  openDraft,
  openInHead,
  openWithBlock,
  rangeOf,
  replaceText,
  useEditing,
} from './drafts.ts';

describe('The checks of open drafts', () => {
  const service = useService({ people: ['7058314', '9999999'] });
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let registered: readonly Disposable[];
  withoutDelays();

  const register = () => registerEditing(host, host.edits, async () => new DraftReader(host));

  beforeEach(() => {
    connection = newConnection();
    host = newHost({ connection });
    registered = register();
    service.requests.splice(0);
  });
  afterEach(async () => {
    closeDocuments();
    for (const one of registered) one.dispose();
    connection.dispose();
    await configure({ audiences: undefined });
  });

  const shown = ({ uri }: TextDocument, count: number) => diagnosticsOf(uri, ({ length }) => length === count);
  const messages = async ({ uri }: { uri: Uri }, ...expected: string[]) => {
    const described = (all: readonly Diagnostic[]) =>
      all.map(({ message, severity, range }) => `${severity} ${range.start.line + 1}: ${message}`);
    await diagnosticsOf(uri, (all) => described(all).join('\n') === expected.join('\n'));
  };

  it('show problems where they are, until they are fixed', async () => {
    const document = await openWithBlock('bots: 1', 'groups: [big, big]');
    const problems = await shown(document, 2);
    assert.deepEqual(
      problems.map(({ message, severity, range }) => [message, severity, document.getText(range)]),
      [
        ['Unknown key bots.', 0, 'bots'],
        ['big is listed twice. Only one message is sent.', 1, 'big'],
      ],
    );
    assert.equal(problems[1]?.range.start.character, 16);
    await replaceText(document, 'bots', 'bot');
    await shown(document, 1);
    await replaceText(document, ', big', '');
    await shown(document, 0);
    assert.deepEqual(service.requests, []);
  });

  it('don’t say that a new message is empty, before it’s saved or sent', async () => {
    const document = await openDraft('---', 'chat:', '  groups: []', '---', '');
    await replaceText(document, 'groups', 'grups');
    await messages(document, '0 3: Unknown key grups.');
    await replaceText(document, 'grups', 'groups');
    await shown(document, 0);
    const { write, open } = newFolder();
    await write('empty.md', document.getText());
    await messages(await open('empty.md'), '0 5: The message is empty.');
  });

  it('find a block below the first line, also if its key is written otherwise, as sending it does', async () => {
    for (const key of ['chat', 'Chat', 'CHAT', 'chats', '"Chats"']) {
      const document = await openDraft('', '---', `${key}:`, '  groups: [big]', '---', 'Hi');
      const [{ message } = assert.fail()] = await shown(document, 1);
      assert.match(message, /^This chat: block would be sent as text\./);
    }
  });

  it('show nothing in other documents, or in one that was closed or lost its block', async () => {
    const others = [
      await openDraft('# Read me', '', '![a](b.png)'),
      await openDraft('---', 'title: [', '---', '![a](b.png)'),
      await openDraft('---', '', 'chat: a rule, and no end', '', '![a](b.png)'),
      await workspace.openTextDocument({ language: 'plaintext', content: '---\nchat: a\n---\n' }),
    ];
    const document = await openWithBlock('wat: 1');
    await shown(document, 1);
    for (const { uri } of others) assert.deepEqual(languages.getDiagnostics(uri), []);
    await replaceText(document, 'chat', 'other');
    await shown(document, 0);
    await replaceText(document, 'other', 'chat');
    await shown(document, 1);
    closeDocuments();
    await shown(document, 0);
  });

  it('warn about recipients known not to exist, without sending requests', async () => {
    const document = await openWithBlock('people: [9999999, 7058314, 9999999]');
    await shown(document, 1);
    assert.deepEqual(service.requests, []);
    await assert.rejects((await connection.open()).directory.get('user', '9999999'));
    const problems = (await shown(document, 2)).map(({ message }) => message);
    assert.ok(problems.includes("Person 9999999 doesn't exist."), problems.join('\n'));
    assert.equal(service.requests.length, 1);
  });

  it('notice a changed setting', async () => {
    const document = await openWithBlock('audiences: [customers]');
    const [{ message } = {}] = await shown(document, 1);
    assert.equal(message, "Audience customers isn't in your settings.");
    await configure({ audiences: { customers: { people: ['1'] } } });
    await shown(document, 0);
  });

  it('are followed by new CodeLenses', async () => {
    for (const one of registered) one.dispose();
    const changed = new Promise<void>((resolve) => {
      test.mock.method(
        languages,
        'registerCodeLensProvider',
        ((_, { onDidChangeCodeLenses }) =>
          onDidChangeCodeLenses?.(() => resolve()) ??
          assert.fail('they never change')) as typeof languages.registerCodeLensProvider,
      );
    });
    registered = register();
    test.mock.restoreAll();
    await openWithBlock('wat: 1');
    await changed;
  });

  it('are followed by suggestions where Tab has put the cursor, in a Markdown document that can be edited', async () => {
    for (const one of registered) one.dispose();
    const moved = new EventEmitter<TextEditorSelectionChangeEvent>();
    const mocked = test.mock.method(window, 'onDidChangeTextEditorSelection', moved.event);
    registered = register();
    mocked.mock.restore();
    const lines = ['---', 'chat:', '  type: ', '---', 'Hi'];
    const draft = await openDraft(...lines);
    const plain = await workspace.openTextDocument({ language: 'plaintext', content: lines.join('\n') });
    await shown(draft, 1);
    const suggested: (TextDocument | undefined)[] = [];
    const suggesting = commands.registerCommand('editor.action.triggerSuggest', () => {
      suggested.push(window.activeTextEditor?.document);
    });
    const at = new Position(2, 8);
    for (const document of [plain, await openInHead(...lines), draft]) {
      const textEditor = await window.showTextDocument(document);
      moved.fire({ textEditor, kind: TextEditorSelectionChangeKind.Command, selections: [new Selection(at, at)] });
      for (let turn = 0; turn < 10; turn++) await settled();
    }
    while (suggested.length === 0) await settled();
    suggesting.dispose();
    assert.deepEqual(suggested, [draft]);
  });

  it('make known which IDs audiences and open drafts mention', async () => {
    await configure({ audiences: { shop: { groups: ['518204736'] } } });
    await openWithBlock('bot: 30481126', 'people: [7102649]', 'except: { people: [7058314] }');
    await openDraft('---', 'title: x', '---', '7230581');
    const mentioned = await host.mentionedIds.fromSources();
    assert.deepEqual(mentioned.map(({ kind, id }) => `${kind} ${id}`).sort(), [
      'bot 30481126',
      'group 518204736',
      'user 7058314',
      'user 7102649',
    ]);
  });

  describe('with a file of recipients', () => {
    let folder: ReturnType<typeof newFolder>;
    const HEAD = ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '---', ''];

    beforeEach(() => {
      folder = newFolder();
    });

    const csv = () => folder.uriOf('customers.csv');
    const writeCsv = (...lines: string[]) => folder.write('customers.csv', ...lines);
    const open = async (...lines: string[]) => {
      await folder.write('order.md', ...lines);
      return folder.open('order.md');
    };

    it('show what is wrong with the variables and with each row, and notice changes of the file', async () => {
      const row = "x y isn't one ID. Give each ID a row of its own.";
      await writeCsv('id,name,order,city', '7058314,Ann,,Bonn', 'x y,Bo,2,Rome', '7102649,Cy,3,Oslo');
      const document = await open(...HEAD, 'Dear {{name}}, {{order}}');
      await messages(
        document,
        `0 3: customers.csv has a row that can't be used, on line 3. ${row}`,
        '2 3: Never used in this document: city.',
        '1 7: {{order}} is empty for 1 recipient, on line 2 of customers.csv.',
      );
      await messages({ uri: csv() }, `0 3: ${row}`);
      await writeCsv('id,name,order', '7058314,Ann,1', '7102649,Cy,3');
      await messages(document);
      await messages({ uri: csv() });
      await writeCsv('id,name,order', 'x y,Bo,2');
      await messages({ uri: csv() }, `0 2: ${row}`);
      // This isn't text.
      await writeCsv('\0'.repeat(99));
      await messages({ uri: csv() });
      assert.deepEqual(service.requests, []);
    });

    it('mark the rows of the file under except: that can’t be used, until it’s named no more', async () => {
      const past = folder.uriOf('past.csv');
      await writeCsv('id', '7058314', '7058314', 'x y');
      await folder.write('past.csv', 'id,name', '7,Ann', '7,Anna', '8', '8 9,Bo');
      const except = ['  except:', '    recipients: past.csv', '    kind: person'];
      const document = await open(...HEAD.slice(0, 4), ...except, '---', 'Hi');
      const several = (id: string) => `${id} isn't one ID. Give each ID a row of its own.`;
      const own = [`0 4: ${several('x y')}`, '1 3: 7058314 is on line 2, too. Only one message is sent.'];
      await messages({ uri: past }, `0 5: ${several('8 9')}`);
      await messages({ uri: csv() }, ...own);
      await folder.write('past.csv', 'id', 'x y');
      await messages({ uri: past }, `0 2: ${several('x y')}`);
      await replaceText(document, 'past.csv', 'customers.csv');
      await messages({ uri: past });
      await messages({ uri: csv() }, ...own);
      await document.save();
    });

    it('mark the rows of a file as long as one of several drafts names it', async () => {
      await writeCsv('id', 'x y');
      const said = "0 2: x y isn't one ID. Give each ID a row of its own.";
      const draft = await open(...HEAD, 'Hi');
      await folder.write('other.md', ...HEAD, 'Hi');
      const other = await folder.open('other.md');
      await shown(draft, 1);
      await shown(other, 1);
      await replaceText(draft, 'customers.csv', 'nobody.csv');
      await messages(draft, "0 3: There's no file nobody.csv beside this document.");
      await messages({ uri: csv() }, said);
      await replaceText(other, 'customers.csv', 'nobody.csv');
      await messages({ uri: csv() });
      for (const document of [draft, other]) await document.save();
    });

    it('mark the rows of recipients known not to exist', async () => {
      await writeCsv('id,name', '7058314,Ann', '9999999,Bo');
      const document = await open(...HEAD, 'Dear {{name}}');
      await messages(document);
      await assert.rejects((await connection.open()).directory.get('user', '9999999'));
      await messages({ uri: csv() }, "1 3: Person 9999999 doesn't exist.");
    });
  });
});

describe('The quick fixes of a draft', () => {
  const editing = useEditing();

  const fixesFor = (document: TextDocument, text: string, diagnostics: Diagnostic[] = []) =>
    editing.help.fixes(document, rangeOf(document, text), { diagnostics } as unknown as CodeActionContext);
  const fix = async (document: TextDocument, text: string, title: string) => {
    const fixes = await fixesFor(document, text);
    const action = fixes.find((one) => one.title === title);
    assert.ok(action?.edit, `${title} is not among ${fixes.map((one) => one.title).join(', ')}`);
    await workspace.applyEdit(action.edit);
  };

  it('change nothing in a text that was typed on while they were looked for', async () => {
    const document = await openWithBlock('type: md');
    const fixes = fixesFor(document, 'md');
    await replaceText(document, 'type', 'bot: 1\n  type');
    assert.deepEqual(await fixes, []);
  });

  it('change only what is wrong', async () => {
    const document = await openWithBlock('to: [1]', 'type: md', 'people:', '  - 7058314', '  - 7058314');
    assert.deepEqual(await fixesFor(document, 'Hi'), []);
    await fix(document, 'to', 'Rename to groups');
    await fix(document, 'md', 'Replace with markdown');
    await fix(document, '7058314', 'Remove from the list');
    const block = ['chat:', '  groups: [1]', '  type: markdown', '  people:', '    - 7058314'];
    assert.equal(document.getText(), ['---', ...block, '---', '', 'Hi'].join('\n'));
  });

  it('are offered at each of the problems that they are for, and once where these are together', async () => {
    const document = await openDraft('---', 'chat:', 'groups: [1]', 'except:', '  people: [7]', '---', '', 'Hi');
    for (const place of ['groups', 'except', 'groups: [1]\nexcept'])
      assert.deepEqual(
        (await fixesFor(document, place)).map(({ title }) => title),
        ['Indent below chat:'],
        place,
      );
  });

  it('say which problem they are for, and are preferred to others if there is one', async () => {
    const document = await openWithBlock('to: [1]', 'type: md');
    const problem = (place: string, text: string) => new Diagnostic(rangeOf(document, place), text);
    const own = problem('to', 'Unknown key to.');
    const others = [problem('md', 'Unknown key to.'), problem('to', 'Unknown key type.')];
    for (const fix of await fixesFor(document, 'to', [...others, own])) {
      assert.deepEqual(fix.diagnostics, [own]);
      assert.equal(fix.isPreferred, false);
    }
    const [only, ...more] = await fixesFor(document, 'md');
    assert.equal(only?.isPreferred, true);
    assert.deepEqual(more, []);
  });

  it('save a document that has no place yet, for which no file can be looked for', async () => {
    const document = await openWithBlock('recipients: customers.csv', 'kind: person');
    const [save, ...others] = await fixesFor(document, 'customers.csv');
    assert.equal(save?.title, 'Save this document…');
    assert.equal(save.command?.command, 'workbench.action.files.save');
    assert.equal(save.edit, undefined);
    assert.deepEqual(others, []);
  });

  it('leave the cursor where something is to be typed', async () => {
    const document = await openDraft('---', 'chat:', '    people: [1]', '---', '', 'Hi {{shift}}');
    await fix(document, '{{shift}}', 'Name a CSV file of recipients');
    const block = ['---', 'chat:', '    recipients: ', '    people: [1]', '---'];
    assert.equal(document.getText(), [...block, '', 'Hi {{shift}}'].join('\n'));
  });
});
