import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CancellationTokenSource,
  type CompletionItem,
  CompletionItemKind,
  type CompletionItemProvider,
  EventEmitter,
  languages,
  Position,
  type Range,
  type SnippetString,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { EditedMessage, ScheduledMessage } from '../../../../../src/deliveries/contract.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { registerEditing } from '../../../../../src/deliveries/draft/editing/index.ts';
import { askedAt } from '../../../../../src/deliveries/draft/editing/keySuggestions.ts';
import type { Connection } from '../../../../../src/platform/service.ts';
import { formatDateTime } from '../../../../../src/presentation/formats.ts';
import { settled } from '../../../deferred.ts';
import { newHost } from '../../../test-host.ts';
import { configure, newConnection, useService } from '../../../test-service.ts';
import { closeDocuments } from '../../../vscode-editors.ts';
import { newEditing, newFolder, openDraft, openInHead, openWithBlock, rangeOf, replaceText } from './drafts.ts';

const BOT = '30481126';
const GROUP = '518204736';

/** The front matter of a draft to the people in the file beside it. */
const TO_FILE = ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '---', ''];

describe('Help with writing a draft', () => {
  const service = useService({
    groups: [{ id: GROUP, label: 'The shop' }, 'big'],
    bots: [BOT],
    people: ['7058314', '9999999'],
  });
  let connection: Connection;
  let editing: ReturnType<typeof newEditing>;
  let edited: EditedMessage | undefined;
  let editsOf: () => Promise<typeof edited>;
  let scheduled: ScheduledMessage | undefined;

  beforeEach(() => {
    connection = newConnection();
    edited = undefined;
    editsOf = async () => edited;
    scheduled = undefined;
    const edits = {
      in: () => editsOf(),
      scheduledFrom: async () => scheduled,
      onDidChange: new EventEmitter<void>().event,
    };
    const host = newHost({ connection, edits });
    editing = newEditing(host);
    service.requests.splice(0);
  });
  afterEach(async () => {
    closeDocuments();
    editing.dispose();
    connection.dispose();
    await configure({ audiences: undefined });
  });

  /** Files of their own for a draft. */
  async function openBeside(csv: readonly string[], draft: readonly string[]): Promise<TextDocument> {
    const { write, open } = newFolder();
    await write('customers.csv', ...csv);
    await write('order.md', ...draft);
    return open('order.md');
  }

  /** Lines with the cursor, in each what is replaced, and what is typed there. */
  const WORDS = [
    ['  groups: [518204736‹, |›]', 'Fern'],
    ['  people: ‹[|›, 7058314]', '999'],
    ['  bot‹: |› # the desk', '3048'],
    ['  audiences: ‹[|›]', 'two words'],
    ['  recipients‹: "|"› # all', 'cust'],
    ['  type‹: |›', 'html'],
    ['‹  |›', 'groups'],
    ['a ‹[.|]›]', '点'],
    ['Hi {{‹|}}›, {{id}}', 'name'],
    ['{{‹||you}}›]', 'na'],
  ] as const;

  /** What VS Code would get, from features that aren't loaded yet. */
  function registeredCompletion() {
    const { registerCompletionItemProvider } = languages;
    let provider: CompletionItemProvider | undefined;
    languages.registerCompletionItemProvider = (_, one) => {
      provider = one;
      return { dispose: () => {} };
    };
    const host = newHost({ connection });
    const registered = registerEditing(host, host.edits, async () => new DraftReader(host));
    languages.registerCompletionItemProvider = registerCompletionItemProvider;
    const { token } = new CancellationTokenSource();
    return {
      completions: async (document: TextDocument, position: Position) => {
        return ((await provider?.provideCompletionItems(document, position, token, {
          triggerKind: 0,
          triggerCharacter: undefined,
        })) ?? []) as CompletionItem[];
      },
      [Symbol.dispose]: () => {
        for (const one of registered) one.dispose();
      },
    };
  }

  describe('completes', () => {
    /** What is offered at the end of a line, if anything may be there. */
    const offeredIn = (document: TextDocument, line: number) =>
      editing.completions(askedAt(document, document.lineAt(line).range.end));
    /** What is offered after a text. */
    const completions = async (document: TextDocument, before: string): Promise<CompletionItem[]> =>
      (await editing.completions(askedAt(document, rangeOf(document, before).end))) ?? [];
    const labels = (items: readonly CompletionItem[]) =>
      items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    const insertions = (items: readonly CompletionItem[] | undefined) => items?.map(({ insertText }) => insertText);

    it('the word that is typed, and nothing behind it, whenever it asks and however late the answer is', async () => {
      await configure({ audiences: { 'two words': { people: ['2'] } } });
      const csv = ['id,name', '1,Ann'];
      const [pauses, flag] = [fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), fc.boolean()];
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...WORDS), flag, pauses, async ([marked, typed], isLoaded, waits) => {
          const [, before = '', after = ''] = /^([^|]*)\|(.*)$/.exec(marked.replace(/[‹›]/g, '')) ?? [];
          const row = before.startsWith('  ') ? 2 : 4;
          const block = ['---', 'chat:', row === 2 ? before + after : '  kind: person', '---'];
          const document = await openBeside(csv, [...block, ...(row === 2 ? [] : [before + after])]);
          using registered = registeredCompletion();
          const ask = (at: number) => registered.completions(document, new Position(row, at));
          if (isLoaded) await ask(0);
          const asked: { at: number; answer: ReturnType<typeof ask> }[] = [];
          let cursor = before.length;
          for (const [index, letter] of [...typed].entries()) {
            asked.push({ at: cursor, answer: ask(cursor) });
            if (waits[index]) await settled();
            const edit = new WorkspaceEdit();
            edit.insert(document.uri, new Position(row, cursor), letter);
            await workspace.applyEdit(edit);
            cursor += letter.length;
          }
          const line = document.lineAt(row).text;
          const [start, end] = [marked.indexOf('‹'), line.length - (marked.length - 1 - marked.indexOf('›'))];
          for (const { at, answer } of asked) {
            const items = await answer;
            assert.ok(items.length > 0, `nothing at ${at}`);
            for (const { range } of items) {
              const word = range as Range;
              // As VS Code does: relative to the place where it asked.
              assert.deepEqual([word.start.character, cursor + word.end.character - at], [start, end]);
            }
          }
        }),
      );
    });

    it('the columns of the recipient file below where:, and their values with the number of their rows', async () => {
      const csv = ['id,城市,plan', '1,北京,pro', '2,北京,', '3,上海,present'];
      const block = [
        '  recipients: customers.csv',
        '  kind: person',
        '  where:',
        '    ',
        '    plan: ',
        '    not:',
        '      城市: ',
      ];
      const document = await openBeside(csv, ['---', 'chat:', ...block, '---', '', 'Hi']);
      const at = async (line: number) =>
        (await offeredIn(document, line))?.map((item) => [
          ...labels([item]),
          typeof item.insertText === 'string' ? item.insertText : item.insertText?.value,
          item.detail,
        ]);
      const column = 'A column of the recipient file.';
      assert.deepEqual(await at(5), [
        ['id', '    id: $0', column],
        ['城市', '    "城市": $0', column],
      ]);
      assert.deepEqual(await at(6), [
        ['pro', ': pro', '1 row'],
        ['present', ': "present"', '1 row'],
        ['present', ': present', 'Any value'],
      ]);
      assert.deepEqual(await at(8), [
        ['北京', ': "北京"', '2 rows'],
        ['上海', ': "上海"', '1 row'],
        ['present', ': present', 'Any value'],
      ]);
    });

    it('values that look the same once, with the number of all rows that where: picks', async () => {
      const csv = [
        'id,city',
        '1,Zürich',
        '2,Zu\u0308rich',
        '3,Zürich\u200B',
        '4,New York',
        '5,New\u00A0York',
        '6,\u200B',
      ];
      const block = ['  recipients: customers.csv', '  kind: person', '  where:', '    city: '];
      const document = await openBeside(csv, ['---', 'chat:', ...block, '---', '', 'Hi']);
      const items = await offeredIn(document, 5);
      assert.deepEqual(
        items?.map(({ insertText, detail }) => [insertText, detail]),
        [
          [': "Zürich"', '3 rows'],
          [': "New York"', '2 rows'],
          [': present', 'Any value'],
        ],
      );
    });

    it('a value with the blank that its key needs, and none where keys belong', async () => {
      const csv = ['id,city', '1,Rome', '2,present'];
      const block = ['  recipients:', '  kind:', '  where:', '    city:', '    not:', '      city:'];
      const document = await openBeside(csv, ['---', 'chat:', ...block, '---', '', 'Hi']);
      const offered = async (line: number) => insertions(await offeredIn(document, line));
      assert.deepEqual(await offered(2), [': customers.csv']);
      assert.deepEqual(await offered(3), [': person', ': group']);
      await replaceText(document, 'recipients:', 'recipients: customers.csv');
      await replaceText(document, 'kind:', 'kind: person');
      assert.equal(await offered(4), undefined);
      assert.deepEqual(await offered(5), [': Rome', ': "present"', ': present']);
      assert.equal(await offered(6), undefined);
      assert.deepEqual(await offered(7), [': Rome', ': "present"', ': present']);
    });

    it('who gets nothing, below except:, without those who are there already', async () => {
      const document = await openWithBlock('groups: [big]', 'except:', '  people: [7058314, ]', '  groups: []');
      assert.deepEqual(labels(await completions(document, 'people: [7058314, ')), ['9999999']);
      assert.deepEqual(labels(await completions(document, '  groups: [')), ['The shop', 'big']);
    });

    it('keys that are not used yet', async () => {
      const document = await openWithBlock('bot: 1', 'gr', 'buttons:', '  - - text: a', '      o');
      const inBlock = await completions(document, '  gr');
      assert.deepEqual(labels(inBlock), [
        'groups',
        'people',
        'audiences',
        'recipients',
        'kind',
        'where',
        'except',
        'type',
        'imageKey',
        'fileName',
        'fileUrl',
      ]);
      const withChoices = inBlock.filter(({ command }) => command);
      assert.deepEqual(labels(withChoices), labels(inBlock).slice(0, 8));
      const [{ insertText } = {}] = inBlock;
      assert.equal((insertText as SnippetString).value, '  groups:\n    - $0');
      assert.deepEqual(labels(await completions(document, '      o')), ['opens', 'copies', 'reports']);
    });

    it('a variable up to its end, behind which the cursor is then', async () => {
      const document = await openDraft('---', 'chat:', '---', 'Hi {{na, {{na}}, {{nick|you}}, {{ na | you');
      for (const [before, replaced, inserted] of [
        ['Hi {{na', 'na', 'name}}'],
        ['Hi {{na, {{na', 'na}}', 'name}}'],
        ['{{ni', 'nick|you}}', 'name|you}}'],
        ['{{ na', 'na', 'name}}'],
      ] as const) {
        const items = await completions(document, before);
        const item = items.find(({ filterText }) => filterText === 'name');
        assert.deepEqual([document.getText(item?.range as Range), item?.insertText], [replaced, inserted]);
      }
    });

    it('emoji codes in the message, and none in documents that are not drafts', async () => {
      const draft = [
        '---',
        'chat:',
        '  groups: [big]',
        'title: a[.',
        '---',
        '',
        '好的[.点',
        'b [.] c',
        'd [ e. [.OK]f',
      ];
      const document = await openDraft(...draft);
      const items = await completions(document, '[.点');
      assert.equal(items.length, 112);
      const thumb = items.find(({ insertText }) => insertText === '[.点赞]');
      assert.deepEqual(thumb?.label, { label: '[.点赞]', detail: ' 👍' });
      assert.equal(thumb?.filterText, '[.点赞]');
      assert.deepEqual(thumb?.range, rangeOf(document, '[.点'));
      const closed = await completions(document, 'b [.');
      assert.deepEqual(closed[0]?.range, rangeOf(document, '[.]'));
      for (const text of ['a[.', 'd [', 'e.', '[.OK]', '好的['])
        assert.deepEqual(await completions(document, text), []);
      for (const lines of [['[.'], ['---', 'title: a', '---', '[.'], ['---', 'chat:', '[.']])
        assert.deepEqual(await completions(await openDraft(...lines), '[.'), []);
    });

    it('types and the IDs in the sidebar, with their labels', async () => {
      const bare = await completions(await openWithBlock('groups: '), 'groups: ');
      assert.deepEqual(insertions(bare), [`: [${GROUP}]`, ': [big]']);
      const document = await openWithBlock('type: ', 'groups: [', 'bot: ');
      assert.deepEqual(labels(await completions(document, 'type: ')), ['markdown', 'text', 'html', 'image', 'file']);
      assert.deepEqual(
        (await completions(document, 'groups: [')).map(({ label, insertText, kind }) => [label, insertText, kind]),
        [
          [{ label: 'The shop', description: GROUP }, `[${GROUP}`, CompletionItemKind.Class],
          [{ label: 'big', description: '' }, '[big', CompletionItemKind.Class],
        ],
      );
      const bots = await completions(document, 'bot: ');
      assert.deepEqual([labels(bots), bots[0]?.kind], [[BOT], CompletionItemKind.Event]);
      assert.deepEqual(service.requests, []);
    });

    it('IDs by looked-up names, and audiences by their names', async () => {
      const { directory } = await connection.open();
      await directory.get('user', '7058314');
      await directory.get('group', GROUP);
      service.requests.splice(0);
      await configure({ audiences: { customers: { people: ['1'] }, 'two words': { people: ['2'] } } });
      const document = await openWithBlock('people: [', 'groups: [', 'audiences: [');
      const people = await completions(document, 'people: [');
      assert.deepEqual(
        people.map(({ insertText, filterText }, at) => [labels(people)[at], insertText, filterText]),
        [
          ['Alice Fernhollow', '[7058314', '[Alice Fernhollow 7058314'],
          ['9999999', '[9999999', '[9999999 9999999'],
        ],
      );
      assert.equal(labels(await completions(document, 'groups: ['))[0], 'The shop · Fern & Kettle: the shop team');
      assert.deepEqual(insertions(await completions(document, 'audiences: [')), ['[customers', '["two words"']);
      assert.deepEqual(service.requests, []);
    });

    it('an ID before snippets that begin as its name does, or as a word of it: more of the line is alike', async () => {
      const { directory } = await connection.open();
      await directory.get('user', '7058314');
      const document = await openWithBlock('people: [al', '  f', '  fern', 'people:', '  - Fernh', 'people: ["FERN"]');
      for (const [before, filterText] of [
        ['[al', '[Alice Fernhollow 7058314'],
        ['\n    f', 'Fernhollow 7058314 Alice Fernhollow 7058314'],
        ['fern', 'Fernhollow 7058314 Alice Fernhollow 7058314'],
        ['- Fernh', '- Fernhollow 7058314 Alice Fernhollow 7058314'],
        ['["FERN', '["Fernhollow 7058314 Alice Fernhollow 7058314'],
      ] as const)
        assert.equal((await completions(document, before))[0]?.filterText, filterText);
    });

    it('none that are chosen already, except the one that is being typed', async () => {
      await configure({ audiences: { customers: { people: ['1'] }, others: { people: ['2'] } } });
      const document = await openWithBlock(`groups: [${GROUP}, ]`, 'people: [7058314]', 'audiences: [others, c]');
      assert.deepEqual(labels(await completions(document, `${GROUP}, `)), ['big']);
      assert.deepEqual(labels(await completions(document, '7058314')), ['7058314', '9999999']);
      assert.deepEqual(labels(await completions(document, 'others, c')), ['customers']);
    });

    it('IDs with their names at the service as comments, where a line has room for one', async () => {
      await (await connection.open()).directory.get('group', GROUP);
      const document = await openWithBlock('groups:', '  - ', '  - b', 'people: [');
      const named = [`- ${GROUP} # Fern & Kettle: the shop team`, '- big'];
      assert.deepEqual(insertions(await completions(document, '  - b')), named);
      await replaceText(document, '  - b', '  - b # Big');
      assert.deepEqual(insertions(await completions(document, '  - b')), [`- ${GROUP}`, '- big']);
    });

    it('no files for a document that has no place yet, but offers to save it', async () => {
      const document = await openWithBlock('recipients: cust');
      const [item, ...others] = await completions(document, 'cust');
      assert.deepEqual(
        [item?.label, item?.insertText, item?.command?.command, others.length],
        ['Save this document to choose a CSV file beside it…', 'cust', 'workbench.action.files.save', 0],
      );
    });

    it('IDs from the settings, without requests, while not connected', async () => {
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
      try {
        const document = await openWithBlock('bot: ');
        assert.deepEqual(labels(await completions(document, 'bot: ')), [BOT]);
        assert.deepEqual(service.requests, []);
      } finally {
        await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
      }
    });

    it('the file beside the document, kinds and variables', async () => {
      const rows = ['id,name,order', '7058314,Ann,1'];
      const document = await openBeside(rows, ['---', 'chat:', '  recipients: ', '  kind: ', '---', '', 'Dear {{}}']);
      assert.deepEqual(labels(await completions(document, 'recipients: ')), ['customers.csv']);
      assert.deepEqual(labels(await completions(document, 'kind: ')), ['person', 'group']);
      await replaceText(document, 'recipients: ', 'recipients: "cu"');
      const [quoted] = await completions(document, 'recipients: "cu');
      assert.deepEqual(
        [quoted?.insertText, quoted?.filterText, document.getText(quoted?.range as Range)],
        [': customers.csv', ': "customers.csv customers.csv', ': "cu"'],
      );
      await replaceText(document, '"cu"', 'customers.csv');
      await replaceText(document, 'kind: ', 'kind: person');
      const variables = insertions(await completions(document, '{{'))?.slice(0, 4);
      assert.deepEqual(variables, ['id}}', 'name}}', 'order}}', 'nickname}}']);
    });

    it('variables with what they stand for, and what the first recipient gets once that is known', async () => {
      const described = async (document: TextDocument) =>
        (await completions(document, '{{')).map(({ label }) =>
          label instanceof Object ? `${label.label}: ${label.description}` : label,
        );
      const document = await openDraft('---', 'chat:', '  people: [7058314]', '---', '', 'Dear {{');
      assert.deepEqual(await described(document), [
        'name: name of the group or person',
        'id: ID of the group or person (7058314)',
        'registerTimeText: when the person registered',
        'registerTime: when the person registered, in seconds since 1970',
        'onLineDay: how many days the person was online',
        'continuousOnLineDay: how many days in a row the person was online',
        'isVip: 1 for a VIP, 0 for others',
        'avatarUrl: URL of the avatar',
        'introduction: introduction of the group',
        'category: category of the group',
        'headcount: number of members of the group',
        'createBy: ID of the person who created the group',
        'createTime: when the group was created, in seconds since 1970',
        'readHistory: 1 if new members can read earlier messages, 0 if not',
      ]);
      await (await connection.open()).directory.get('user', '7058314');
      service.requests.splice(0);
      assert.equal((await described(document))[0], 'name: name of the group or person (Alice Fernhollow)');
      const beside = await openBeside(['id,name', '7058314,Ann'], [...TO_FILE, 'Dear {{']);
      assert.deepEqual((await described(beside)).slice(0, 3), [
        'id: 7058314',
        'name: Ann',
        'nickname: name of the person in the profile (Alice Fernhollow)',
      ]);
      assert.deepEqual(service.requests, []);
    });
  });

  describe('explains', () => {
    const explained = async (document: TextDocument, at: Position): Promise<string> => {
      const contents = (await editing.hover(document, at))?.contents ?? [];
      return contents
        .map((one) => (typeof one === 'string' ? one : one.value))
        .join('\n')
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    };

    it('a key', async () => {
      const document = await openWithBlock('type: text', 'buttons: []');
      assert.match(await explained(document, rangeOf(document, 'buttons').start), /^Rows of buttons below the message/);
      assert.equal(await explained(document, rangeOf(document, 'text').start), '');
      assert.equal(await explained(document, rangeOf(document, 'Hi').start), '');
      const below = await openWithBlock('except:', '  people: [7]', 'where:', '  not: { groups: x }');
      const texts = ['people', 'not', 'groups'].map((key) => explained(below, rangeOf(below, key).start));
      const said = ['The IDs of people who get nothing.', 'What must not hold for a row that is picked.', ''];
      assert.deepEqual(await Promise.all(texts), said);
    });

    it('a variable of the profile, by what it stands for', async () => {
      const document = await openDraft('---', 'chat:', '---', 'Hi {{nickname}}, {{shift}}');
      const at = (name: string) => explained(document, rangeOf(document, name).start);
      assert.deepEqual([await at('nickname'), await at('shift')], ['name of the person in the profile', '']);
    });

    it('a variable, by recipients whom where: picks alone', async () => {
      const rows = ['id,name,city', '1,Ann,Bonn', '2,Bo,Rome', '3,Cy,Bonn'];
      const block = ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '  where: { city: Rome }', '---'];
      const document = await openBeside(rows, [...block, 'Dear {{name}}']);
      const text = await explained(document, rangeOf(document, '{{name}}').start);
      assert.deepEqual(text.match(/Ann|Bo|Cy|more/g), ['Bo', 'Bo'], text);
    });

    it('a variable, by what the first recipients get', async () => {
      const rows = ['7058314,Ann,1', '7102649,\u200B,2', '7230581,Cy,3', '7315926,Di,4', '7401837,Ed,5'];
      const document = await openBeside(['id,name,order', ...rows], [...TO_FILE, 'Dear {{name|friend}}']);
      assert.match(
        await explained(document, rangeOf(document, 'name').start),
        /A column of the recipient file\.\s+Ann: Ann\s+7102649: friend\s+Cy: Cy\s+… and 2 more\s+If it is empty: friend/,
      );
    });
  });

  describe('has CodeLenses', () => {
    const lenses = async (document: TextDocument) => {
      await editing.check(document);
      return (await editing.lenses(document)).map(({ command, range }) => [
        command?.title,
        command?.command,
        range.start.line,
        String(command?.arguments),
      ]);
    };
    const first = async (document: TextDocument) => (await lenses(document))[0]?.[0];

    it('to send, with the number of recipients, and to preview', async () => {
      const document = await openWithBlock(`groups: [${GROUP}, big, big]`, 'people: [7058314]');
      assert.deepEqual(await lenses(document), [
        ['Send to 3 chats', 'botChats.sendActiveMarkdown', 0, `${document.uri}`],
        ['Preview', 'botChats.preview', 0, `${document.uri}`],
      ]);
      assert.equal(await first(await openWithBlock('type: text')), 'Send…');
      assert.equal(await first(await openWithBlock('groups: [big]')), 'Send to 1 group');
      assert.equal(await first(await openDraft('---', 'chat:', '  people: []', '---', '')), 'Send…');
      assert.deepEqual(await lenses(await openDraft('---', 'title: x', '---', 'Hi')), []);
      assert.deepEqual(service.requests, []);
    });

    it('that say which scheduled message is being edited, and open its report', async () => {
      const due = Date.UTC(2030, 0, 2, 9);
      const id = '000000000000001-abcdefgh';
      edited = { id, due, botId: BOT, needless: new Set(['group big']), recipients: { group: 1, user: 0 } };
      const [send, , ...others] = await lenses(await openWithBlock(`groups: [${GROUP}, big]`));
      assert.equal(send?.[0], 'Send to 1 group, 1 left out');
      assert.deepEqual(others, [[`Edits the message due ${formatDateTime(due)}`, 'botChats.openReport', 0, id]]);
      assert.deepEqual(await lenses(await openDraft('Hi')), []);
    });

    it('that send it even if nobody can tell which message is edited', async () => {
      const document = await openWithBlock(`bot: ${BOT}`);
      const known = await lenses(document);
      editsOf = () => Promise.reject(new Error('the database is newer'));
      assert.deepEqual(await lenses(document), known);
    });

    it('that say first which version it is, if it isn’t the current one', async () => {
      const document = await openInHead('---', 'chat:', `  groups: [${GROUP}]`, '---', 'Hi');
      const all = (await editing.lenses(document)).map(({ command }) => command?.title);
      assert.deepEqual(all, ['This is the version HEAD, not the current one.', 'Send to 1 group', 'Preview']);
    });

    it('that say which version of the document is scheduled, and edit it', async () => {
      const due = Date.UTC(2030, 0, 2, 9);
      scheduled = { id: '000000000000001-abcdefgh', due };
      const document = await openWithBlock('type: text');
      assert.deepEqual((await lenses(document)).slice(2), [
        [`Edit the version due ${formatDateTime(due)}…`, 'botChats.editDelivery', 0, scheduled.id],
      ]);
    });

    it('for the problems instead of sending if there is an error, as many as the editor lists', async () => {
      const [problems] = await lenses(await openWithBlock('wat: 1', 'wot: 1', 'imageKey: k'));
      assert.deepEqual(problems?.slice(0, 2), ['3 problems', 'workbench.actions.view.problems']);
      assert.equal(await first(await openWithBlock('wat: 1')), '1 problem');
      const { directory } = await connection.open();
      await directory.get('user', '9999999').catch(() => {});
      assert.equal(await first(await openWithBlock('wat: 1', 'people: [9999999]')), '2 problems');
      assert.equal(await first(await openWithBlock('people: [9999999]')), 'Send to 1 person');
    });
  });
});
