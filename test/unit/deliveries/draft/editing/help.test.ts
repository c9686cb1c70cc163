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
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { EditedMessage, ScheduledMessage } from '../../../../../src/deliveries/contract.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { registerEditing } from '../../../../../src/deliveries/draft/editing/index.ts';
import { formatDateTime } from '../../../../../src/presentation/formats.ts';
import { settled } from '../../../deferred.ts';
import { newHost } from '../../../test-host.ts';
import { configure, useService } from '../../../test-service.ts';
import { openBeside, openDraft, openInHead, openWithBlock, rangeOf, useEditing } from './drafts.ts';

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
  let edited: EditedMessage | undefined;
  let editsOf: () => Promise<typeof edited>;
  let scheduled: ScheduledMessage | undefined;
  const editing = useEditing({
    in: () => editsOf(),
    scheduledFrom: async () => scheduled,
    onDidChange: new EventEmitter<void>().event,
  });

  beforeEach(() => {
    edited = undefined;
    editsOf = async () => edited;
    scheduled = undefined;
    service.requests.splice(0);
  });
  afterEach(() => configure({ audiences: undefined }));

  const knows = async (kind: 'user' | 'group', id: string) => {
    await (await editing.connection.open()).directory.get(kind, id);
    service.requests.splice(0);
  };

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
    const host = newHost({ connection: editing.connection });
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
    /** What is offered after a text. */
    const completions = async (document: TextDocument, before: string): Promise<CompletionItem[]> =>
      (await editing.offered(document, rangeOf(document, before).end)) ?? [];
    const labels = (items: readonly CompletionItem[]) =>
      items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    const insertions = (items: readonly CompletionItem[]) =>
      items.map(({ insertText }) => (typeof insertText === 'string' ? insertText : insertText?.value));
    /** What is offered at `|` in a block. */
    const offered = (...block: string[]) => editing.offeredIn(block);
    /** What is inserted and said of it at `|` in a block to the people in a file. */
    const inFile = async (csv: readonly string[], ...block: string[]) => {
      const to = ['recipients: customers.csv', 'kind: person'];
      const items = await editing.offeredIn([...to, ...block], { 'customers.csv': csv.join('\n') });
      return insertions(items).map((inserted, at) => `${inserted} – ${items[at]?.detail}`);
    };

    it('the word that is typed, and nothing behind it, whenever it asks and however late the answer is', async () => {
      await configure({ audiences: { 'two words': { people: ['2'] } } });
      const csv = 'id,name\n1,Ann';
      const pauses = fc.array(fc.boolean(), { minLength: 9, maxLength: 9 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...WORDS), fc.boolean(), pauses, async ([marked, typed], isLoaded, waits) => {
          const [, before = '', after = ''] = /^([^|]*)\|(.*)$/.exec(marked.replace(/[‹›]/g, '')) ?? [];
          const row = before.startsWith('  ') ? 2 : 4;
          const block = ['---', 'chat:', row === 2 ? before + after : '  kind: person', '---'];
          const document = await openBeside({ 'customers.csv': csv }, ...block, ...(row === 2 ? [] : [before + after]));
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
          const start = marked.indexOf('‹');
          const end = line.length - (marked.length - 1 - marked.indexOf('›'));
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
      const csv = ['id,城市,plan', '1,北京,pro', '2,北京', '3,上海,present'];
      const column = 'A column of the recipient file.';
      assert.deepEqual(await inFile(csv, 'where:', '  |', '  plan: '), [
        `    id: $0 – ${column}`,
        `    "城市": $0 – ${column}`,
        '    not:\n      $0 – What must not hold for a row that is picked.',
      ]);
      assert.deepEqual(await inFile(csv, 'where:', '  plan: |'), [
        ': pro – 1 row',
        ': "present" – 1 row',
        ': present – Any value',
      ]);
      const cities = [': "北京" – 2 rows', ': "上海" – 1 row', ': present – Any value'];
      assert.deepEqual(await inFile(csv, 'where:', '  not:', '    城市: |'), cities);
    });

    it('values that look the same once, with the number of all rows that where: picks', async () => {
      const cities = ['Zürich', 'Zu\u0308rich', 'Zürich\u200B', 'New York', 'New\u00A0York', '\u200B'];
      const csv = ['id,city', ...cities.map((city, at) => `${at + 1},${city}`)];
      assert.deepEqual(await inFile(csv, 'where:', '  city: |'), [
        ': "Zürich" – 3 rows',
        ': "New York" – 2 rows',
        ': present – Any value',
      ]);
    });

    it('a value with the blank that its key needs, and none where keys belong', async () => {
      const csv = ['id,city', '1,Rome', '2,present'];
      const file = { 'customers.csv': '' };
      const cities = [': Rome – 1 row', ': "present" – 1 row', ': present – Any value'];
      assert.deepEqual(insertions(await editing.offeredIn(['recipients:|'], file)), [': customers.csv']);
      assert.deepEqual(insertions(await offered('kind:|')), [': person', ': group']);
      assert.deepEqual(await inFile(csv, 'where:', '  city:|'), cities);
      assert.deepEqual(await inFile(csv, 'where:', '  not:', '    city:|'), cities);
      assert.deepEqual(await inFile(csv, 'where:|'), []);
      assert.deepEqual(await inFile(csv, 'where:', '  not:|'), []);
    });

    it('who gets nothing, below except:, without those who are there already', async () => {
      assert.deepEqual(labels(await offered('except:', '  people: [7058314, |]')), ['9999999']);
      assert.deepEqual(labels(await offered('groups: [big]', 'except:', '  groups: [|]')), ['The shop', 'big']);
    });

    it('keys that are not used yet', async () => {
      const inBlock = await offered('bot: 1', 'gr|', 'buttons:', '  - - text: a');
      const withChoices = ['groups', 'people', 'audiences', 'recipients', 'kind', 'where', 'except', 'type'];
      assert.deepEqual(labels(inBlock), [...withChoices, 'imageKey', 'fileName', 'fileUrl']);
      assert.deepEqual(labels(inBlock.filter(({ command }) => command)), withChoices);
      assert.equal(insertions(inBlock)[0], '  groups:\n    - $0');
      const inButton = await offered('buttons:', '  - - text: a', '      o|');
      assert.deepEqual(labels(inButton), ['opens', 'copies', 'reports']);
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
        assert.equal(document.getText(item?.range as Range), replaced);
        assert.equal(item?.insertText, inserted);
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
      assert.deepEqual(insertions(await offered('groups: |')), [`: [${GROUP}]`, ': [big]']);
      assert.deepEqual(labels(await offered('type: |')), ['markdown', 'text', 'html', 'image', 'file']);
      assert.deepEqual(
        (await offered('groups: [|')).map(({ label, insertText, kind }) => [label, insertText, kind]),
        [
          [{ label: 'The shop', description: GROUP }, `[${GROUP}`, CompletionItemKind.Class],
          [{ label: 'big', description: '' }, '[big', CompletionItemKind.Class],
        ],
      );
      const [bot, ...others] = await offered('bot: |');
      assert.deepEqual([bot?.insertText, bot?.kind, others], [`: ${BOT}`, CompletionItemKind.Event, []]);
      assert.deepEqual(service.requests, []);
    });

    it('IDs by looked-up names, and audiences by their names', async () => {
      await knows('user', '7058314');
      await knows('group', GROUP);
      await configure({ audiences: { customers: { people: ['1'] }, 'two words': { people: ['2'] } } });
      assert.deepEqual(
        (await offered('people: [|')).map(({ insertText, filterText }) => [insertText, filterText]),
        [
          ['[7058314', '[Alice Fernhollow 7058314'],
          ['[9999999', '[9999999 9999999'],
        ],
      );
      assert.equal(labels(await offered('groups: [|'))[0], 'The shop · Fern & Kettle: the shop team');
      assert.deepEqual(insertions(await offered('audiences: [|')), ['[customers', '["two words"']);
      assert.deepEqual(service.requests, []);
    });

    it('an ID before snippets that begin as its name does, or as a word of it: more of the line is alike', async () => {
      await knows('user', '7058314');
      for (const [block, filterText] of [
        [['people: [al|'], '[Alice Fernhollow 7058314'],
        [['people: [', '  f|'], 'Fernhollow 7058314 Alice Fernhollow 7058314'],
        [['people: [', '  fern|'], 'Fernhollow 7058314 Alice Fernhollow 7058314'],
        [['people:', '  - Fernh|'], '- Fernhollow 7058314 Alice Fernhollow 7058314'],
        [['people: ["FERN|"]'], '["Fernhollow 7058314 Alice Fernhollow 7058314'],
      ] as const)
        assert.equal((await offered(...block))[0]?.filterText, filterText);
    });

    it('none that are chosen already, except the one that is being typed', async () => {
      await configure({ audiences: { customers: { people: ['1'] }, others: { people: ['2'] } } });
      assert.deepEqual(labels(await offered(`groups: [${GROUP}, |]`)), ['big']);
      assert.deepEqual(labels(await offered('people: [7058314|]')), ['7058314', '9999999']);
      assert.deepEqual(labels(await offered('audiences: [others, c|]')), ['customers']);
    });

    it('IDs with their names at the service as comments, where a line has room for one', async () => {
      await knows('group', GROUP);
      const named = [`- ${GROUP} # Fern & Kettle: the shop team`, '- big'];
      assert.deepEqual(insertions(await offered('groups:', '  - ', '  - b|')), named);
      assert.deepEqual(insertions(await offered('groups:', '  - b| # Big')), [`- ${GROUP}`, '- big']);
    });

    it('no files for a document that has no place yet, but offers to save it', async () => {
      const [item, ...others] = await offered('recipients: cust|');
      assert.deepEqual(others, []);
      assert.equal(item?.label, 'Save this document to choose a CSV file beside it…');
      assert.equal(item.insertText, 'cust');
      assert.equal(item.command?.command, 'workbench.action.files.save');
    });

    it('IDs from the settings, without requests, while not connected', async () => {
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
      try {
        assert.deepEqual(labels(await offered('bot: |')), [BOT]);
        assert.deepEqual(service.requests, []);
      } finally {
        await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
      }
    });

    it('the file beside the document in quotation marks, and variables', async () => {
      const files = { 'customers.csv': 'id,name,order\n7058314,Ann,1' };
      const [quoted] = await editing.offeredIn(['recipients: "cu|"'], files);
      assert.equal(quoted?.insertText, ': customers.csv');
      assert.equal(quoted.filterText, ': "customers.csv customers.csv');
      const document = await openBeside(files, ...TO_FILE, 'Dear {{}}');
      const variables = insertions(await completions(document, '{{')).slice(0, 4);
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
      await knows('user', '7058314');
      assert.equal((await described(document))[0], 'name: name of the group or person (Alice Fernhollow)');
      const beside = await openBeside({ 'customers.csv': 'id,name\n7058314,Ann' }, ...TO_FILE, 'Dear {{');
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
      const contents = (await editing.help.hover(document, at))?.contents ?? [];
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
      const reminder = await openWithBlock('follows: 1');
      const delivery = /^The ID of the delivery that this message reminds of\./;
      assert.match(await explained(reminder, rangeOf(reminder, 'follows').start), delivery);
      const below = await openWithBlock('except:', '  people: [7]', 'where:', '  not: { groups: x }');
      const texts = ['people', 'not', 'groups'].map((key) => explained(below, rangeOf(below, key).start));
      const said = ['The IDs of people who get nothing.', 'What must not hold for a row that is picked.', ''];
      assert.deepEqual(await Promise.all(texts), said);
    });

    it('a variable of the profile, by what it stands for', async () => {
      const document = await openDraft('---', 'chat:', '---', 'Hi {{nickname}}, {{shift}}');
      const meaning = 'name of the person in the profile';
      assert.equal(await explained(document, rangeOf(document, 'nickname').start), meaning);
      assert.equal(await explained(document, rangeOf(document, '{{nickname}}').start), meaning);
      assert.equal(await explained(document, rangeOf(document, '{{nickname}}').end), meaning);
      assert.equal(await explained(document, rangeOf(document, 'shift').start), '');
    });

    it('a variable, by recipients whom where: picks alone', async () => {
      const rows = ['id,name,city', '1,Ann,Bonn', '2,Bo,Rome', '3,Cy,Bonn'];
      const block = ['---', 'chat:', '  recipients: customers.csv', '  kind: person', '  where: { city: Rome }', '---'];
      const document = await openBeside({ 'customers.csv': rows.join('\n') }, ...block, 'Dear {{name}}');
      const text = await explained(document, rangeOf(document, '{{name}}').start);
      assert.deepEqual(text.match(/Ann|Bo|Cy|more/g), ['Bo', 'Bo'], text);
    });

    it('a variable, by what the first recipients get', async () => {
      const names = ['Ann', '\u200B', 'Cy', 'Di', 'Ed'];
      const csv = ['id,name', ...names.map((name, at) => `${at + 1},${name}`)].join('\n');
      const document = await openBeside({ 'customers.csv': csv }, ...TO_FILE, 'Dear {{name|friend}}');
      assert.match(
        await explained(document, rangeOf(document, 'name').start),
        /A column of the recipient file\.\s+Ann: Ann\s+2: friend\s+Cy: Cy\s+… and 2 more\s+If it is empty: friend/,
      );
    });
  });

  describe('has CodeLenses', () => {
    const lenses = async (document: TextDocument) => {
      await editing.help.check(document);
      return (await editing.help.lenses(document)).map(({ command, range }) => [
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
      const all = (await editing.help.lenses(document)).map(({ command }) => command?.title);
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
      await assert.rejects(knows('user', '9999999'));
      assert.equal(await first(await openWithBlock('wat: 1', 'people: [9999999]')), '2 problems');
      assert.equal(await first(await openWithBlock('people: [9999999]')), 'Send to 1 person');
    });
  });
});
