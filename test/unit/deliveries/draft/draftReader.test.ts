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
    // An arrow is where it's added.
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
  /** The people in one file, except those in another. */
  const ALL_BUT_PAST = ['recipients: all.csv', 'kind: person', 'except:', '  recipients: past.csv', '  kind: person'];
  const documentWith = (...block: string[]) => withBlock(...block).replace('Hi', 'Hi {{name}}');
  afterEach(() => configure({ 'sending.never': undefined }));

  it('are known with where it says so, and their values don’t matter', async () => {
    const files = {
      'all.csv': 'id,name,city\n1,Ann,Rome\n2,,Berlin\n3,Cy,Rome',
      'past.csv': 'id,name\n1,Ann\n1,Anna\n8,',
    };
    const more = ['where: { city: Rome }', 'except:', '  groups: [9]', '  audiences: [customers]'];
    const block = ['recipients: all.csv', 'kind: person', ...more, '  recipients: past.csv', '  kind: person'];
    const { problems, table, rules } = await readIn(files, documentWith(...block));
    assert.deepEqual(problems, []);
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
    const files = {
      'all.csv': 'id,name,url\n1,,none\n2,,https://a.test\n3,,https://b.test\n4,,ftp',
      'past.csv': 'id\n3',
    };
    await configure({ 'sending.never': { people: ['4'] } });
    const readBody = (...more: string[]) =>
      readIn(files, withBlock(...ALL_BUT_PAST, ...more).replace('Hi', 'Hi {{name}}, [read this]({{url}})'));
    const { problems, message } = await readBody('  people: [1]');
    assert.deepEqual(textsOf(problems), ['{{name}} is empty for 1 recipient, on line 3 of all.csv.']);
    assert.ok(message);
    const all = await readBody();
    assert.deepEqual(textsOf(all.problems), [
      '{{name}} is empty for 2 recipients, first on line 2 of all.csv.',
      "{{url}} isn't a web address for 1 recipient, on line 2 of all.csv.",
    ]);
    assert.equal(all.message, undefined);
  });

  it('may not all be saved, nor may the recipients, which is a problem', async () => {
    const folder = newFolder();
    await folder.write('all.csv', 'id\n1\n2');
    await folder.write('past.csv', 'id\n2');
    await folder.write('a.md', documentWith(...ALL_BUT_PAST));
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
    const isSaid = async (said: RegExp, ...block: string[]) => {
      const { problems, message } = await readIn({ 'bad.csv': 'id\n1\na b' }, withBlock(...block));
      assert.match(textsOf(problems).join('\n'), said);
      assert.equal(message, undefined);
    };
    const toOne = ['groups: [1]', 'except:'];
    await isSaid(/^There's no file nobody\.csv beside this document\.$/, ...toOne, '  recipients: nobody.csv');
    const badRow = /^bad\.csv has a row that can't be used, on line 3\. a b isn't one ID\./;
    await isSaid(badRow, ...toOne, '  recipients: bad.csv', '  kind: person');
    const unreadable =
      /^Audience odd has entries that can't be read: "7102649,7058315"\. Correct them in the setting botChats\.audiences\.$/;
    await isSaid(unreadable, ...toOne, '  audiences: [odd]');
    await isSaid(unreadable, 'audiences: [odd]');
    await configure({ 'sending.never': { people: ['a b'] } });
    const noList = /^Your Do Not Send list has entries that can't be read, so nothing is sent: "a b"\./;
    await isSaid(noList, 'groups: [1]');
  });

  it('are someone who would get it, or a warning says that nobody is left out', async () => {
    const files = { 'all.csv': 'id,kind,city\n1,person,Rome\n2,person,Bern', 'none.csv': 'id,kind' };
    const hasProblems = async (block: readonly string[], ...said: string[]) => {
      const marked = withBlock(...block);
      checkProblems(marked, (await readIn(files, unmark(marked).text)).problems, said);
    };
    const file = 'recipients: all.csv';
    const idle = 'warning: except: leaves nobody out, because no recipient is in it.';
    await hasProblems(['people: [7]', '‹except›: { people: [8] }'], idle);
    // Those are of another kind.
    await hasProblems(['people: [7]', '‹except›: { groups: [7] }'], idle);
    await hasProblems([file, '‹except›: { audiences: [customers] }'], idle);
    await hasProblems([file, '‹except›: { recipients: none.csv }'], idle);
    await hasProblems(['people: [7]', 'except: { people: [7, 8] }']);
    await hasProblems(['audiences: [customers]', 'except: { groups: [big] }']);
    await hasProblems([file, 'except: { people: [2] }']);
    // Nor is this one picked.
    await hasProblems([file, 'where: { city: Rome }', 'except: { people: [2] }']);
    // The recipients are chosen later, or nobody is written yet.
    await hasProblems(['except: { people: [8] }']);
    await hasProblems(['people: [7]', 'except: { people: [] }']);
    // Not all are known.
    const gone = ['people: [7]', 'recipients: ‹gone.csv›', 'except: { people: [8] }'];
    await hasProblems(gone, "There's no file gone.csv beside this document.");
  });

  it('are counted as they will be left out', async () => {
    await configure({ 'sending.never': { people: ['1', '4', '8', '99'], groups: ['big'] } });
    const { parsed, table, rules } = await readIn(
      { 'all.csv': 'id,city\n1,Rome\n2,Rome\n3,Rome\n4,Bonn\n5,Bonn' },
      withBlock(
        'people: [3, 5, 7, 8]',
        'groups: [6, big]',
        'recipients: all.csv',
        'kind: person',
        'where: { city: Rome }',
        'except: { people: [2, 7] }',
      ),
    );
    // Group 6 and person 3 get it.
    assert.deepEqual(reader().countOf(parsed, table, rules), { group: 1, user: 1, leftOut: 7 });
    const unmatched = Array.from(table?.unmatched?.values() ?? [], ({ chat }) => chat);
    const chosen = new Map([...reader().chatsOf(parsed, table), ...unmatched].map((chat) => [chatKey(chat), chat]));
    const { kept, leftOut } = await rules.divide([...chosen.values()]);
    assert.deepEqual(kept.map(chatKey).toSorted(), ['group 6', 'user 3']);
    assert.equal(leftOut.length, 7);
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
    for (const [line, said] of [
      ['csv: a.csv', /^Unknown key csv\.$/],
      ['recipients: [a.csv]', /^recipients must be a single text value\.$/],
      ['recipients: a: b', /^The front matter isn't valid YAML: [^{]*$/],
      ['recipients: nobody.csv', /^There's no file nobody\.csv beside this document\.$/],
      ['recipients: all.csv', /^all\.csv has no id column\. One of its first lines must name the columns, [^{]*$/],
      ['bot:', /^bot has no value\.\nUnknown variable \{\{order\}\}\./],
    ] as const) {
      const text = withBlock(line).replace('Hi', '{{order}}');
      const { problems } = await readIn({ 'all.csv': 'name;total\nAnn;1' }, text);
      assert.match(textsOf(problems).join('\n'), said);
    }
  });

  it('comes with the whole document', async () => {
    for (const type of [undefined, 'text'] as const) {
      const { document, source } = await reader().draftIn(documentOf(block), type);
      assert.equal(document, block);
      assert.equal(source, 'file:///drafts/a.md');
    }
  });

  it('has no variables in the source code of a program, unless it names a file of recipients', async () => {
    const program = (text: string) => ({ ...documentOf(text), languageId: 'vue' }) as TextDocument;
    const { message, variables } = await reader().draftIn(program('<b>{{name}}</b>'), 'text');
    assert.deepEqual(message.content, { text: '<b>{{name}}</b>' });
    assert.deepEqual(variables, []);
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
