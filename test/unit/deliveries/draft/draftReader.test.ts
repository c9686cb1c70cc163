import assert from 'node:assert/strict';
import { Position, TabInputText, type TextDocument, Uri, WorkspaceEdit, type window, workspace } from 'vscode';
import type { Problem } from '../../../../src/deliveries/draft/document/problem.ts';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { RecipientValues } from '../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { MessageTemplate } from '../../../../src/markup/messageTemplate.ts';
import type { Audiences } from '../../../../src/platform/audiences.ts';
import { NeverList } from '../../../../src/platform/neverList.ts';
import type { Settings } from '../../../../src/platform/settings.ts';
import { fileName } from '../../../../src/presentation/fileDialogs.ts';
import { type Chat, chatKey } from '../../../../src/service/model.ts';
import { answer, restore } from '../../answers.ts';
import { configure } from '../../test-service.ts';
import { checkMistake, checkProblems, readBeside, unmark, withBlock, withFront } from './document/read.ts';
import { newFolder } from './editing/drafts.ts';

/** As macOS writes it: a letter and two dots. */
const BUYERS = 'Ka\u0308ufer';
const customers: Chat[] = [
  { kind: 'group', id: 'big' },
  { kind: 'user', id: '7' },
];
const reader = () =>
  new DraftReader({
    audiences: {
      get: (name: string) => (name === 'customers' || name === BUYERS ? customers : undefined),
      read: () => ({
        audiences: new Map([
          ['customers', customers],
          [BUYERS, customers],
        ]),
        unreadable: new Map([['odd', ['7102649,7058315']]]),
      }),
    } as unknown as Audiences,
    settings: { keepsFrontMatter: false } as Settings,
    never: new NeverList(),
  });

/** Reads a draft beside files of these names. */
const readIn = (files: Readonly<Record<string, string>>, text: string) => readBeside(files, text, reader());

const textsOf = (problems: readonly Problem[]) => problems.map(({ text }) => text);

describe('The recipients of a draft', () => {
  it('are those that it names and those of its audiences, without duplicates', () => {
    const draft = reader().parse('---\nchat:\n  groups: [7]\n  people: [7, 8]\n  audiences: [customers]\n---\nHi');
    assert.deepEqual(reader().chatsOf(draft), [
      { kind: 'group', id: '7' },
      { kind: 'user', id: '7' },
      { kind: 'user', id: '8' },
      { kind: 'group', id: 'big' },
    ]);
  });
});

describe('A name that looks the same is the same,', () => {
  const composed = BUYERS.normalize('NFC');
  for (const [name, other] of [
    [composed, BUYERS],
    [BUYERS, composed],
  ]) {
    it(`of an audience: ${JSON.stringify(name)}`, async () => {
      const block = `{ audiences: ["${name}"], except: { audiences: ["${name}"] } }`;
      const { problems, parsed, rules } = await readIn({}, withFront(`chat: ${block}`));
      assert.deepEqual(problems, []);
      assert.deepEqual(reader().chatsOf(parsed), customers);
      assert.equal((await rules.divide(customers)).leftOut.length, customers.length);
    });

    it(`of a column, in where: and in a variable: ${JSON.stringify(name)}`, async () => {
      const block = `{ recipients: all.csv, kind: person, where: { "${name}": a, not: { "${name}": b } } }`;
      const text = withFront(`chat: ${block}`).replace('Hi', `{{${name}}}`);
      const { problems, table, message } = await readIn({ 'all.csv': `id,${other}\n1,a\n2,b` }, text);
      assert.deepEqual(problems, []);
      assert.deepEqual([...(table?.rows.keys() ?? [])], ['user 1']);
      const values = new RecipientValues(table, undefined).of({ kind: 'user', id: '1' });
      assert.deepEqual(new MessageTemplate(message ?? assert.fail()).render(values).content, { text: 'a' });
    });
  }
});

describe('What the recipients in a file are', () => {
  const problemsIn = async (text: string) => (await readIn({ 'all.csv': 'id,name\n7,Ann\n' }, text)).problems;

  it('can be added wherever its name is, and leaves a valid block', async () => {
    const said = "all.csv doesn't say whether its IDs are those of people or of groups. Add kind.";
    for (const [marked, line] of [
      ['chat:\n  recipients: ‹all.csv› # Q3↑\n  bot: 1', '\n  kind: person'],
      ['chat:\n  recipients:\n    ‹all.csv›↑', '\n  kind: person'],
      ['chat:\n  recipients: ‹>-\n    all.csv↑\n›  bot: 1', '\n  kind: person'],
      ['chat: { recipients: ‹all.csv›↑, bot: 1 }', ', kind: person'],
      ['chat: {\n  "recipients": ‹"all.csv"›↑,\n  "bot": "1"\n}', ', kind: person'],
      ['chat:\n  groups: [1]\n  except: {\n    recipients: ‹all.csv›↑\n  }', ', kind: person'],
      ['chat:\n  groups: [1]\n  except:\n    recipients: ‹all.csv›↑', '\n    kind: person'],
    ] as const) {
      const document = withFront(marked.replace('↑', ''));
      const [people, groups] = [line, line.replace('person', 'group')].map((added) =>
        withFront(marked.replace('↑', added)),
      );
      checkMistake(document, await problemsIn(unmark(document).text), said, [`${people}`, `${groups}`]);
      const problems = await problemsIn(unmark(`${people}`).text);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error'),
        [],
      );
    }
  });

  it('isn’t called missing if it’s wrong: another one beside it would be, too', async () => {
    const said = ['Unknown kind people. Use person or group.'];
    for (const marked of [
      withBlock('recipients: all.csv', 'kind: ‹people›'),
      withBlock('groups: [1]', 'except: { recipients: all.csv, kind: ‹people› }'),
    ])
      checkProblems(marked, await problemsIn(unmark(marked).text), said);
  });
});

describe('Those whom a draft leaves out', () => {
  let folder: ReturnType<typeof newFolder>;
  const documentWith = (...block: string[]) => {
    const text = ['---', 'chat:', ...block.map((line) => `  ${line}`), '---', 'Hi {{name}}'].join('\n');
    return { uri: folder.uriOf('a.md'), getText: () => text };
  };
  /** The people in one file, except those in another. */
  const ALL_BUT_PAST = ['recipients: all.csv', 'kind: person', 'except:', '  recipients: past.csv', '  kind: person'];
  const readWith = async (...block: string[]) => {
    const draft = await reader().read(documentWith(...block));
    return { ...draft, texts: draft.problems.filter(({ severity }) => severity !== 'hint').map(({ text }) => text) };
  };

  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => configure({ 'sending.never': undefined }));

  it('are known with where it says so, and their values don’t matter', async () => {
    await folder.write('all.csv', 'id,name,city', '1,Ann,Rome', '2,,Berlin', '3,Cy,Rome');
    await folder.write('past.csv', 'id,name', '1,Ann', '1,Anna', '8,');
    const block = ['recipients: all.csv', 'kind: person', 'where: { city: Rome }'];
    const except = ['except:', '  groups: [9]', '  audiences: [customers]', '  recipients: past.csv', '  kind: person'];
    const { texts, table, rules } = await readWith(...block, ...except);
    assert.deepEqual(texts, []);
    assert.deepEqual([...(table?.rows.keys() ?? [])], ['user 1', 'user 3']);
    assert.deepEqual([...(table?.unmatched?.keys() ?? [])], ['user 2']);
    const groups = ['9', 'big', '7'].map((id): Chat => ({ kind: 'group', id }));
    const people = ['1', '2', '3', '7', '8', '9'].map((id): Chat => ({ kind: 'user', id }));
    const { leftOut } = await rules.divide([...groups, ...people]);
    assert.deepEqual(
      leftOut.map(({ kind, id, by, note }) => `${kind} ${id}: ${by} ${note}`.trim()),
      [
        'group 9: except',
        'group big: except customers',
        'user 1: except past.csv',
        'user 2: where',
        'user 7: except customers',
        'user 8: except past.csv',
      ],
    );
  });

  it('don’t keep the others from getting it, whatever their values are', async () => {
    await folder.write('all.csv', 'id,name,url', '1,,none', '2,,https://a.test', '3,,https://b.test', '4,,ftp');
    await folder.write('past.csv', 'id', '3');
    await configure({ 'sending.never': { people: ['4'] } });
    const body = 'Hi {{name}}, [read this]({{url}})';
    const readBody = async (...more: string[]) => {
      const document = documentWith(...ALL_BUT_PAST, ...more);
      const draft = await reader().read({ ...document, getText: () => document.getText().replace(/[^\n]*$/, body) });
      return { ...draft, texts: draft.problems.map(({ text }) => text) };
    };
    const { texts, message } = await readBody('  people: [1]');
    assert.deepEqual(texts, ['{{name}} is empty for 1 recipient, on line 3 of all.csv.']);
    assert.ok(message);
    const all = await readBody();
    assert.deepEqual(all.texts, [
      '{{name}} is empty for 2 recipients, first on line 2 of all.csv.',
      "{{url}} isn't a web address for 1 recipient, on line 2 of all.csv.",
    ]);
    assert.equal(all.message, undefined);
  });

  it('may not all be saved, nor may the recipients, which is a problem', async () => {
    await folder.write('all.csv', 'id', '1', '2');
    await folder.write('past.csv', 'id', '2');
    await folder.write('a.md', documentWith(...ALL_BUT_PAST).getText());
    const document = await folder.open('a.md');
    const problemsOf = async () => (await reader().draftIn(document)).problems;
    const opened: TextDocument[] = [];
    for (const name of ['past.csv', 'all.csv']) {
      const file = await folder.open(name);
      const edit = new WorkspaceEdit();
      edit.insert(file.uri, new Position(file.lineCount, 0), '\n9');
      await workspace.applyEdit(edit);
      opened.unshift(file);
      const expected = opened.map(({ uri }) => `${fileName(uri)} has unsaved changes, which aren't used.`);
      assert.deepEqual(await problemsOf(), expected);
    }
    for (const file of opened) await file.save();
    assert.deepEqual(await problemsOf(), []);
  });

  it('must all be known: otherwise it can’t be sent', async () => {
    await folder.write('bad.csv', 'id', '1', 'a b');
    const file = async (name: string) => (await readWith('groups: [1]', 'except:', `  recipients: ${name}`)).texts;
    assert.deepEqual(await file('nobody.csv'), ["There's no file nobody.csv beside this document."]);
    assert.deepEqual(await file('bad.csv'), [
      "bad.csv doesn't say whether its IDs are those of people or of groups. Add kind.",
      "bad.csv has a row that can't be used, on line 3. a b isn't one ID. Give each ID a row of its own.",
    ]);
    for (const block of [['groups: [1]', 'except:', '  audiences: [odd]'], ['audiences: [odd]']]) {
      const { texts, message } = await readWith(...block);
      const said = 'Audience odd has entries that can\'t be read: "7102649,7058315". Correct them in the setting';
      assert.deepEqual([texts, message], [[`${said} botChats.audiences.`], undefined]);
    }
    await configure({ 'sending.never': { people: ['a b'] } });
    const { texts, message } = await readWith('groups: [1]');
    assert.match(texts.join(), /^Your Do Not Send list has entries that can't be read, so nothing is sent: "a b"\./);
    assert.equal(message, undefined);
  });

  it('are someone who would get it, or a warning says that nobody is left out', async () => {
    await folder.write('all.csv', 'id,kind,city\n1,person,Rome\n2,person,Bern');
    await folder.write('none.csv', 'id,kind');
    const saysSo = async (...block: string[]) => {
      const document = documentWith(...block);
      const text = document.getText();
      const { problems } = await reader().read(document);
      const found = problems.filter((one) => one.text.startsWith('except:'));
      for (const { start, end, severity } of found)
        assert.deepEqual([text.slice(start, end), severity], ['except', 'warning']);
      return found.length === 1;
    };
    const file = 'recipients: all.csv';
    assert.ok(await saysSo('people: [7]', 'except: { people: [8] }'));
    assert.ok(await saysSo('people: [7]', 'except: { groups: [7] }'), 'of another kind');
    assert.ok(await saysSo(file, 'except: { audiences: [customers] }'));
    assert.ok(await saysSo(file, 'except: { recipients: none.csv }'));
    assert.ok(!(await saysSo('people: [7]', 'except: { people: [7, 8] }')));
    assert.ok(!(await saysSo('audiences: [customers]', 'except: { groups: [big] }')));
    assert.ok(!(await saysSo(file, 'except: { people: [2] }')));
    assert.ok(!(await saysSo(file, 'where: { city: Rome }', 'except: { people: [2] }')), 'who isn’t picked either');
    assert.ok(!(await saysSo('except: { people: [8] }')), 'the recipients are chosen later');
    assert.ok(!(await saysSo('people: [7]', 'recipients: gone.csv', 'except: { people: [8] }')), 'not all are known');
    assert.ok(!(await saysSo('people: [7]', 'except: { people: [] }')), 'not written yet');
  });

  it('are counted as they will be left out', async () => {
    await folder.write(
      'all.csv',
      'id,name,city',
      ...['1', '2', '3', '4', '5'].map((id) => `${id},N,${id < '4' ? 'Rome' : 'Bonn'}`),
    );
    await configure({ 'sending.never': { people: ['1', '4', '8', '99'], groups: ['big'] } });
    const { parsed, table, rules } = await readWith(
      ...['people: [3, 5, 7, 8]', 'groups: [6, big]', 'recipients: all.csv', 'kind: person', 'where: { city: Rome }'],
      ...['except: { people: [2, 7] }'],
    );
    const all = [
      ...reader().chatsOf(parsed, table),
      ...Array.from(table?.unmatched?.values() ?? [], ({ chat }) => chat),
    ];
    const chosen = [...new Map(all.map((chat) => [chatKey(chat), chat])).values()];
    const { kept, leftOut } = await rules.divide(chosen);
    const of = (kind: Chat['kind']) => kept.filter((one) => one.kind === kind).length;
    const counts = { group: of('group'), user: of('user'), leftOut: leftOut.length };
    assert.deepEqual(reader().countOf(parsed, table, rules), counts);
    assert.deepEqual(counts, { group: 1, user: 1, leftOut: 7 });
  });
});

describe('The draft in a document', () => {
  it('has the name that its tab has, also without a file', async () => {
    const untitled = await workspace.openTextDocument({ language: 'markdown', content: 'Hello everyone' });
    assert.equal((await reader().draftIn(untitled)).name, untitled.uri.path);
    const tabs = [
      { label: 'Preview', input: undefined },
      { label: 'Hello everyone', input: new TabInputText(untitled.uri) },
    ];
    answer('tabGroups', { all: [{ tabs }] } as unknown as typeof window.tabGroups);
    assert.equal((await reader().draftIn(untitled)).name, 'Hello everyone');
    restore();
  });

  const documentOf = (text: string, uri = Uri.file('/drafts/a.md')) =>
    ({ uri, isUntitled: false, languageId: 'markdown', getText: () => text }) as TextDocument;
  const block = '---\nchat:\n  groups: [big, big]\n  type: image\n  imageKey: k\n---\n![a](b.png)';

  it('says with its name and in a warning which version of the document it is, if that isn’t the current one', async () => {
    const said = async (scheme: string, query = '') => {
      const uri = Uri.file('/drafts/a.md').with({ scheme, query });
      const { name, problems } = await reader().draftIn(documentOf('Hi', uri));
      return [name, ...(problems ?? [])];
    };
    const git = (ref: string) => said('git', JSON.stringify({ path: '/drafts/a.md', ref }));
    for (const [ref, shown] of [
      ['HEAD', 'HEAD'],
      ['~', 'Index'],
      ['', 'Index'],
      ['0123456789abcdef0123456789abcdef01234567^', '01234567^'],
      ['a\u202E', 'a⟨U+202E⟩'],
    ] as const)
      assert.deepEqual(await git(ref), [`a.md (${shown})`, `This is the version ${shown}, not the current one.`]);
    const readOnly = ['a.md', 'This document is read-only and may be an earlier version.'];
    assert.deepEqual(await said('vscode-local-history'), readOnly);
    assert.deepEqual(await said('git', 'odd'), readOnly);
    for (const scheme of ['file', 'untitled']) assert.deepEqual(await said(scheme), ['a.md']);
  });

  it('says what the checks warn about, and is not sent if they find an error', async () => {
    assert.deepEqual((await reader().draftIn(documentOf('![a](b.png)'))).problems, [
      "Recipients won't see this local image: b.png",
    ]);
    assert.deepEqual((await reader().draftIn(documentOf(block))).problems, [
      'big is listed twice. Only one message is sent.',
      "The document's text isn't sent when the type is image.",
    ]);
    const invalid = documentOf('---\nchat:\n  tipe: text\n---\n ');
    await assert.rejects(reader().draftIn(invalid), /a\.md can't be sent\. Unknown key tipe\.$/);
  });

  it('has no unknown variables while it isn’t known which file names them', async () => {
    const missing = "There's no file nobody.csv beside this document.";
    const noIds =
      'all.csv has no id column. One of its first lines must name the columns, separated by commas, semicolons, or tabs.';
    const isUnknown = 'Unknown variable {{order}}.';
    for (const [marked, ...said] of [
      ['‹csv›: a.csv', 'Unknown key csv.'],
      ['recipients: ‹[a.csv]›', 'recipients must be a single text value.'],
      ['recipients: ‹nobody.csv›', missing],
      ['recipients: ‹all.csv›', noIds],
      ['bot: ‹›', 'bot has no value.', isUnknown],
    ] as const) {
      const { problems } = await readIn(
        { 'all.csv': 'name;total\nAnn;1' },
        unmark(withBlock(marked)).text.replace('Hi', '{{order}}'),
      );
      assert.deepEqual(
        textsOf(problems).map((one) => one.replace(/(?<=order\}\}\.).*/, '')),
        said,
        marked,
      );
    }
    const { problems } = await readIn({}, withBlock('recipients: a: b').replace('Hi', '{{order}}'));
    assert.match(textsOf(problems).join(), /^The front matter isn't valid YAML[^{]*$/);
  });

  it('comes with the whole document', async () => {
    for (const type of [undefined, 'text'] as const) {
      const { document, source } = await reader().draftIn(documentOf(block), type);
      assert.deepEqual([document, source], [block, 'file:///drafts/a.md']);
    }
  });

  it('has no variables in the source code of a program, unless it names a file of recipients', async () => {
    const program = (text: string) => ({ ...documentOf(text), languageId: 'vue' }) as TextDocument;
    const { message, variables } = await reader().draftIn(program('<b>{{name}}</b>'), 'text');
    assert.deepEqual([message.content, variables], [{ text: '<b>{{name}}</b>' }, []]);
    const named = '---\nchat:\n  recipients: nobody.csv\n---\n{{name}}';
    await assert.rejects(reader().draftIn(program(named), 'text'), /There's no file nobody\.csv/);
  });

  it('says that plain text and HTML are sent with their braces, which a program is full of', async () => {
    const problemsIn = async (languageId: string, text: string, type?: 'text' | 'html') =>
      (await reader().draftIn({ ...documentOf(text), languageId } as TextDocument, type)).problems;
    const warning = (names: string) =>
      `Sent with their braces, as they are: ${names}. To insert values, change the language of the document to Markdown.`;
    assert.deepEqual(await problemsIn('plaintext', 'Hi {{name}}'), [warning('{{name}}')]);
    assert.deepEqual(await problemsIn('plaintext', 'Hi {{name|you}}, `{{code}}`'), [warning('{{name}}')]);
    const many = '{{a}} {{b}} {{b}} {{c}} {{d}} {{e}}';
    assert.deepEqual(await problemsIn('html', many, 'html'), [warning('{{a}}, {{b}}, {{c}}, … and 2 more')]);
    for (const text of ['Hi', 'Hi {{', 'Hi \\{{name}}']) assert.deepEqual(await problemsIn('plaintext', text), []);
    assert.deepEqual(await problemsIn('vue', '<b>{{name}}</b>', 'text'), []);
    assert.deepEqual(await problemsIn('markdown', 'Hi {{name}}'), []);
  });

  it('says why it may not name a file of recipients, and offers the name of that file beside it', async () => {
    const moved = "isn't in the folder of this document, so it isn't read. Move or copy it there.";
    for (const [path, said, ...fixed] of [
      ['"../lists/customers.csv"', `../lists/customers.csv ${moved}`, 'customers.csv'],
      [
        'C:\\lists\\our customers.csv',
        'C:\\lists\\our customers.csv must be a path relative to this document.',
        '"our customers.csv"',
      ],
      ['"../\\u202Evsc.csv"', `../⟨U+202E⟩vsc.csv ${moved}`, '"\u202Evsc.csv"'],
      ['../../..', `../../.. ${moved}`],
      [
        'lists/aux.csv',
        "lists/aux.csv can't be used on every computer. Rename the file: no colons or control characters, no dot or space at the end, and no name of a device such as CON or AUX.",
      ],
    ] as const) {
      const document = (name: string) => withBlock(`recipients: ${name}`);
      const { problems } = await readIn({}, document(path));
      checkMistake(document(`‹${path}›`), problems, said, fixed.map(document));
      const name = fixed[0]?.replaceAll('"', '').replace('\u202E', '⟨U+202E⟩');
      assert.equal(problems[0]?.fixes?.[0]?.title, name && `Look for ${name} beside this document`);
    }
  });

  it('is checked as the type that the user chooses', async () => {
    const { message, problems } = await reader().draftIn(documentOf(block), 'markdown');
    assert.deepEqual(message, { contentType: 'markdown', content: { text: '![a](b.png)' } });
    assert.deepEqual(problems?.at(-1), "Recipients won't see this local image: b.png");
    assert.deepEqual((await reader().draftIn(documentOf('![a](b.png)'), 'text')).problems, []);
    await assert.rejects(reader().draftIn(documentOf(' '), 'text'), /The message is empty\.$/);
  });
});
