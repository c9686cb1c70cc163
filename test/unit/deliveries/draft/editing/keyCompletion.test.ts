import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  type CompletionItem,
  CompletionItemKind,
  commands,
  type Disposable,
  EventEmitter,
  Range,
  Selection,
  SnippetString,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextEditorSelectionChangeKind,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { parseDocument } from 'yaml';
import { askedAt, KeySuggestions } from '../../../../../src/deliveries/draft/editing/keySuggestions.ts';
import { configure } from '../../../test-service.ts';
import { openAt, openDraft, useEditing } from './drafts.ts';

/** What `|` in the lines of the front matter is offered: for each key, the front matter with it. */
type Offered = ReadonlyMap<string, string>;

describe('A suggested key', () => {
  const editing = useEditing();

  before(() =>
    configure({ groups: [{ id: '518204736', label: 'The shop' }, { id: '2', label: '店 2' }, 'big'], people: ['9'] }),
  );
  after(() => configure({ groups: undefined, people: undefined }));

  /** Opens a draft with this front matter, without the `|` in it. */
  const openMarked = (lines: readonly string[]) => openAt(['---', ...lines, '---', '', 'Hi: '].join('\n'));
  async function offered(...lines: string[]): Promise<Offered> {
    const { document, position } = await openMarked(lines);
    const items = (await editing.offered(document, position)) ?? [];
    const keys = items.filter(({ kind }) => kind === CompletionItemKind.Property);
    return new Map(keys.map((item) => [String(item.label), accepted(document, item)]));
  }

  /** The front matter once a suggestion is accepted. VS Code indents the lines of a snippet only without `keepWhitespace`. */
  function accepted(document: TextDocument, { insertText, keepWhitespace, range }: CompletionItem): string {
    assert.ok(insertText instanceof SnippetString && keepWhitespace);
    const text = document.getText();
    const { start, end } = range as Range;
    const inserted = insertText.value.replace(/\$\d/g, '');
    const whole = text.slice(0, document.offsetAt(start)) + inserted + text.slice(document.offsetAt(end));
    return whole.slice('---\n'.length, whole.indexOf('\n---\n', 4));
  }

  const lineWith = (all: Offered, key: string) =>
    all
      .get(key)
      ?.split('\n')
      .find((line) => new RegExp(`^[- ]*${key}:`).test(line));

  const ONE = ['    - text: One', '      opens: https://example.com'];
  const ROW = ['    - - text: One', '        opens: https://example.com'];

  it('belongs to the button above, wherever below its dash the cursor is', async () => {
    for (const blanks of ['   ', '    ', '     ', '      ', '        ']) {
      const all = await offered('chat:', '  buttons:', ...ONE, '    - text: Two', `${blanks}|`);
      assert.deepEqual([...all.keys()], ['opens', 'copies', 'reports']);
      assert.equal(all.get('opens')?.split('\n').at(-1), '      opens: ');
    }
    const inRow = await offered('chat:', '  buttons:', '    - - text: One', '    re|', '    - - text: Two');
    assert.equal(inRow.get('reports')?.split('\n').at(-2), '        reports: ');
    const bare = await offered('chat:', '  buttons:', '    -', '    |');
    assert.equal(bare.get('text')?.split('\n').at(-1), '      text: ');
  });

  it('begins a button in line with the others', async () => {
    const begun = async (...lines: string[]) =>
      (await offered('chat:', '  buttons:', ...lines)).get('text')?.split('\n');
    for (const [above, line, all] of [
      [[], '    - text: ', ['    |']],
      [[], '  - text: ', ['  - |']],
      [ONE, '    - text: ', ['  - |', '    - |', '     - |', '      - te|']],
      [ROW, '      - text: ', ['      - |', '        - |']],
      [ROW, '    - text: ', ['    - |', '     - |']],
      [ROW, '    - - text: ', ['    - - |', '      - - |']],
    ] as const)
      for (const typed of all) assert.equal((await begun(...above, typed))?.at(-1), line, [...above, typed].join('\n'));
    assert.equal((await begun('  - |', ...ONE))?.at(2), '    - text: ');
  });

  it('belongs to the block, wherever below it the cursor is', async () => {
    for (const typed of ['', ' ', '  ', '    ', 'butt', '\t', '\tbutt']) {
      assert.equal(lineWith(await offered('chat:', '  groups: [1]', `${typed}|`), 'buttons'), '  buttons:');
      assert.equal(lineWith(await offered('chat:', `${typed}|`, '   groups: [1]'), 'buttons'), '   buttons:');
    }
    assert.equal(lineWith(await offered('chat:', '|'), 'bot'), '  bot: ');
    assert.equal(lineWith(await offered('chat:', '    |'), 'bot'), '    bot: ');
    assert.equal(lineWith(await offered('chat:', '  groups:', '    - 1', '    |'), 'buttons'), '  buttons:');
    assert.equal((await offered('chat:', '|')).get('groups'), 'chat:\n  groups:\n    - ');
    assert.equal(
      (await offered('chat:', '    type: text', 'butt|')).get('buttons'),
      'chat:\n    type: text\n    buttons:\n      - - text: \n          ',
    );
  });

  it('belongs to except: or where: below that, and to the block above them', async () => {
    const inExcept = await offered('chat:', '  except:', '    |');
    assert.deepEqual([...inExcept.keys()], ['groups', 'people', 'audiences', 'recipients', 'kind']);
    assert.equal(inExcept.get('people'), 'chat:\n  except:\n    people:\n      - ');
    const second = await offered('chat:', '  except:', '    groups:', '      - 1', '    pe|');
    assert.deepEqual([...second.keys()], ['people', 'audiences', 'recipients', 'kind']);
    const after = await offered('chat:', '  except:', '    groups: [1]', '  |');
    assert.equal(lineWith(after, 'bot'), '  bot: ');
    assert.ok(!after.has('except'));
    assert.equal((await offered('chat:', '  |')).get('except'), 'chat:\n  except:\n    ');
    assert.equal((await offered('chat:', '  where:', '    |')).get('not'), 'chat:\n  where:\n    not:\n      ');
    assert.deepEqual([...(await offered('chat:', '  where:', '    not:', '      |')).keys()], []);
  });

  it('is found by what is typed, after a dash as well', async () => {
    const document = await openDraft('---', 'chat:', '  buttons:', ...ONE, '  - te', '---');
    const [item] = (await editing.offered(document, document.lineAt(5).range.end)) ?? [];
    assert.equal(item?.filterText, '- text');
  });

  it('is suggested once its first letter is typed', async () => {
    let meanwhile = '';
    const isSuggested = async (typed: string, ...lines: string[]) => {
      const { document, position: start } = await openMarked(lines);
      await window.showTextDocument(document);
      let opened = 0;
      const opening = commands.registerCommand('editor.action.triggerSuggest', () => void opened++);
      const changes: TextDocumentChangeEvent[] = [];
      const listening = workspace.onDidChangeTextDocument((change) => changes.push(change));
      for (const [at, text] of [typed, meanwhile].entries()) {
        const edit = new WorkspaceEdit();
        edit.insert(document.uri, start.translate(0, at), text);
        await workspace.applyEdit(edit);
      }
      listening.dispose();
      for (const change of changes) await editing.help.keys.typed(change);
      opening.dispose();
      return opened === 1;
    };
    for (const [typed, ...lines] of [
      ['b', 'chat:', '|'],
      ['B', 'chat:', '  type: text', '  |'],
      ['o', 'chat:', '  buttons:', '    - text: a', '    |'],
      ['t', 'chat:', '  buttons:', '    - |'],
      ['h', 'chat:', '  type: | # short'],
      ['M', 'chat:', '  type: "|"'],
      ['S', 'chat:', '  groups: [big, |]'],
      ['店', 'chat:', '  groups:', '    - |'],
    ] as const)
      assert.ok(await isSuggested(typed, ...lines), lines.join('\n'));
    for (const [why, typed, ...lines] of [
      ['no key begins like this', 'z', 'chat:', '  |'],
      ['not the first letter', 'b', 'chat:', '  x|'],
      ['pasted', 'bot', 'chat:', '  |'],
      ['no value begins like this', 'b', 'chat:', '  type: |'],
      ['not the first letter of a value', 'S', 'chat:', '  groups: [The |]'],
      ['any text', 'S', 'chat:', '  fileName: |'],
      ['no block', 'b', 'title: x', '|'],
    ] as const)
      assert.ok(!(await isSuggested(typed, ...lines)), why);
    meanwhile = 'ot';
    assert.ok(await isSuggested('b', 'chat:', '  |'));
    meanwhile = 'ot: 3';
    assert.ok(!(await isSuggested('b', 'chat:', '  |')), 'its value is being typed');
  });

  it('is suggested, as is a value, where Tab has put the cursor, if nothing is there yet', async () => {
    const isSuggested = async (kind: TextEditorSelectionChangeKind, ...lines: string[]) => {
      const { document, position: at } = await openMarked(lines);
      const textEditor = await window.showTextDocument(document);
      const asked = askedAt(document, at);
      const { token } = new CancellationTokenSource();
      let found: CompletionItem[] | undefined;
      const opening = commands.registerCommand('editor.action.triggerSuggest', async () => {
        found = await editing.help.keys.answer(asked, editing.help.completions(asked), token);
      });
      await editing.help.keys.moved({ kind, textEditor, selections: [new Selection(at, at)] });
      opening.dispose();
      return found !== undefined;
    };
    const { Command, Keyboard } = TextEditorSelectionChangeKind;
    for (const line of ['people: [|]', 'people: [7058314, |]', 'type: |', 'type: | # of content', 'groups: [|, big]'])
      assert.ok(await isSuggested(Command, 'chat:', `  ${line}`), line);
    assert.ok(await isSuggested(Command, 'chat:', '  people:', '    - |'));
    assert.ok(await isSuggested(Command, 'chat:', '  buttons:', '    - - text: Shop', '        |'));
    assert.ok(!(await isSuggested(Keyboard, 'chat:', '  people: [|]')), 'on its way elsewhere');
    for (const line of ['people: [|7058314]', 'people: [7058314|]', 'bots: [|]', 'fileName: |', 'type: text|'])
      assert.ok(!(await isSuggested(Command, 'chat:', `  ${line}`)), line);
    assert.ok(!(await isSuggested(Command, 'chat:', '  type: text', '---', 'type: |')), 'in the message');
  });

  it('leaves VS Code without an answer where its list came late, so that it lists no words of other documents', async () => {
    const buttons = ['  buttons:', '    - text: Co', '      op', '      '];
    const document = await openDraft('---', 'chat:', ...buttons, '  b', '  type: ', '---');
    await window.showTextDocument(document);
    const always = new KeySuggestions(async () => true);
    const source = new CancellationTokenSource();
    let opening: Disposable | undefined;
    const answers: string[] = [];
    const ask = async (line: number) => {
      const asked = askedAt(document, document.lineAt(line).range.end);
      const items = await always.answer(asked, editing.help.completions(asked), source.token);
      answers.push(`${line}: ${items?.length ?? 'none'}`);
    };
    await ask(3);
    const start = document.lineAt(6).range.start.translate(0, 2);
    const typed = { range: new Range(start, start), rangeOffset: document.offsetAt(start), rangeLength: 0, text: 'b' };
    const opened = new EventEmitter<void>();
    let isDone: Promise<void> | undefined;
    const how = await new Promise((resolve) => {
      opening = commands.registerCommand('editor.action.triggerSuggest', (how) => {
        resolve(how);
        return new Promise<void>((done) => opened.event(done));
      });
      isDone = always.typed({ document, contentChanges: [typed], reason: undefined });
    });
    assert.deepEqual(how, { auto: true });
    const late = [ask(3), ask(5)];
    await ask(4);
    await ask(7);
    opened.fire();
    await isDone;
    await ask(3);
    assert.deepEqual(answers, ['3: none', '4: 3', '7: 5', '3: none'], 'what somebody asks for is answered');
    source.cancel();
    await Promise.all(late);
    assert.equal(answers.length, 6);
    opening?.dispose();
  });

  it('is never offered where it would break what is below, nor outside the block', async () => {
    for (const lines of [
      ['chat:', '  buttons:', '    - text: One', '|', '      opens: https://example.com'],
      ['chat:', '  groups:', '  |', '    - 1'],
      ['chat:', '  groups:', '|', '  - 1'],
      ['chat:', '  bot: 1', 'title: x', '|'],
      ['chat:', '  bot: 1', 'ty|: x'],
      ['chat: {}', '|'],
    ])
      assert.deepEqual([...(await offered(...lines)).keys()], [], lines.join('\n'));
    const draft = await openDraft('---', 'chat:', '  bot: 1', '---', '', 'Hi');
    assert.equal(await editing.offered(draft, draft.lineAt(3).range.start), undefined);
  });

  it('replaces the name of a key alone', async () => {
    const all = await offered('chat:', '  ty|: text');
    assert.equal(all.get('bot'), 'chat:\n  bot: text');
  });

  it('leaves valid YAML', async () => {
    const blocks = [['chat:'], ['chat:', '  bot: 1'], ['chat:', '    groups: [1]', '    people:', '      - 2']];
    const buttons = [[], ONE, ROW, [...ROW, '      - text: Two'], [...ONE, '    - text: Two']];
    const all = [...blocks, ...buttons.map((lines) => ['chat:', '  buttons:', ...lines])];
    let count = 0;
    for (const lines of all) {
      for (let column = 0; column <= 9; column++) {
        for (const typed of ['', '- ', '- - ']) {
          for (const [key, text] of await offered(...lines, `${' '.repeat(column)}${typed}|`)) {
            assert.deepEqual(parseDocument(text).errors, [], `${key} in\n${text}`);
            count++;
          }
        }
      }
    }
    assert.ok(count > 100);
  });
});
