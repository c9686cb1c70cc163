import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  EventEmitter,
  languages,
  Range,
  type Tab,
  TabInputText,
  TabInputWebview,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { EditedMessage } from '../../../../../src/deliveries/contract.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { PreviewController } from '../../../../../src/deliveries/draft/preview/previewController.ts';
import type { Connection } from '../../../../../src/platform/service.ts';
import { formatDateTime } from '../../../../../src/presentation/formats.ts';
import type { ShownDraft } from '../../../../../src/protocol/preview.ts';
import { temporaryPath } from '../../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../../answers.ts';
import { settled } from '../../../deferred.ts';
import { onPanels } from '../../../panelPage.ts';
import { newHost } from '../../../test-host.ts';
import { configure, newConnection, useService } from '../../../test-service.ts';
import { closeDocument, closeDocuments } from '../../../vscode-editors.ts';
import { withoutDelays } from '../../../withoutDelays.ts';
import { newFolder, openInHead } from '../editing/drafts.ts';
import { TestPanel } from './testPanel.ts';

const BOT = '30481126';
const GROUP = '518204736';

describe('Draft preview', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let panels: TestPanel[];
  let previews: PreviewController;
  /** Makes the previews, as when the window is loaded. */
  let load: () => PreviewController;
  let messages: string[];
  withoutDelays();
  /** The scheduled message that every document edits. */
  let edited: EditedMessage | undefined;
  let editsOf: () => Promise<EditedMessage | undefined>;
  let editsChanged: EventEmitter<void>;

  beforeEach(() => {
    connection = newConnection();
    messages = onMessages();
    panels = onPanels((title) => new TestPanel(title));
    edited = undefined;
    editsChanged = new EventEmitter();
    editsOf = async () => edited;
    const edits = { in: () => editsOf(), scheduledFrom: async () => undefined, onDidChange: editsChanged.event };
    const host = newHost({ connection, edits });
    load = () => new PreviewController('botChats.preview', host, new DraftReader(host));
    previews = load();
    service.requests.length = 0;
  });
  afterEach(async () => {
    for (const panel of panels) panel.close();
    await settled();
    closeDocuments();
    restore();
    service.instead = () => undefined;
    connection.dispose();
    assert.deepEqual(messages, []);
  });

  const draft = (chat: object, body: string) => `---\nchat: ${JSON.stringify(chat)}\n---\n${body}`;
  /** A draft to the people in a file beside it. */
  const draftToFile = (body: string, more: object = {}) =>
    draft({ bot: BOT, recipients: 'customers.csv', kind: 'person', ...more }, body);
  const draftTo = (ids: readonly string[], body = 'Hello') => draft({ bot: BOT, groups: [GROUP], people: ids }, body);
  const paths = () => service.requests.map(({ pathname }) => pathname.split('/').at(-1));

  const openMarkdown = (content: string) => workspace.openTextDocument({ content, language: 'markdown' });
  async function open(content: string, viewColumn = 1) {
    const document = await openMarkdown(content);
    await window.showTextDocument(document, { viewColumn });
    await previews.preview(document.uri);
    const panel = panels.at(-1) ?? assert.fail('no panel');
    return { document, panel };
  }
  async function openReady(content: string, viewColumn?: number) {
    const opened = await open(content, viewColumn);
    opened.panel.send({ type: 'ready' });
    await opened.panel.waitForDraft(() => true);
    return opened;
  }
  async function openFiles(draft: string, csv: string) {
    const { write, open, uriOf } = newFolder();
    await write('customers.csv', csv);
    await write('draft.md', draft);
    const document = await open('draft.md');
    await previews.preview(document.uri);
    const panel = panels.at(-1) ?? assert.fail('no panel');
    panel.send({ type: 'ready' });
    return { document, panel, write, uriOf };
  }
  /** Fakes the tabs of VS Code, whose changes the test tells. */
  function fakeTabs() {
    const changed = new EventEmitter<void>();
    const show = (...uris: Uri[]) =>
      answer('tabGroups', {
        all: [{ tabs: uris.map((uri) => ({ input: new TabInputText(uri), isActive: true })) }],
        onDidChangeTabs: changed.event,
      } as never);
    return { changed, show };
  }

  /** Reloads the window, which restores the previews only as tabs. Returns the labels of those that are closed. */
  function reload() {
    const input = new TabInputWebview('mainThreadWebview-botChats.preview');
    const closed: string[] = [];
    answer('tabGroups', {
      all: [{ viewColumn: 2, tabs: panels.map(({ title: label }) => ({ label, input })) }],
      close: async ({ label }: Tab) => closed.push(label),
      onDidChangeTabs: new EventEmitter<void>().event,
    } as never);
    previews = load();
    return closed;
  }

  for (const [names, which, title, closes] of [
    [['one/a.md', 'two/b.md'], 'takes the place of its own', 'Preview a.md', true],
    [['two/a.md', 'two/b.md'], 'leaves that of another document of the same name', 'Preview a.md', false],
    [['one/a.md', 'two/a.md'], 'leaves both if it can’t tell which is its own', 'Preview a.md', false],
  ] as const)
    it(`${which} in a tab that VS Code has not restored since a reload`, async () => {
      const { write, open, uriOf } = newFolder();
      for (const name of ['one/a.md', 'two/a.md', 'two/b.md']) await write(name, '# Hello');
      for (const [at, name] of names.entries()) {
        await window.showTextDocument(await open(name), { viewColumn: at + 1 });
        await previews.preview(uriOf(name));
      }
      const closed = reload();
      await previews.preview(uriOf('one/a.md'));
      await previews.preview(uriOf('one/a.md'));
      assert.deepEqual([closed, panels.length], [closes ? [title] : [], 3]);
    });

  it('takes the place of one that showed another document before', async () => {
    const { document: first } = await open('# One');
    await window.showTextDocument(await workspace.openTextDocument({ content: '# Note' }));
    const { document, panel } = await open('# Two');
    assert.deepEqual([panels.length, panel.title], [1, `Preview ${document.uri.path}`]);
    const closed = reload();
    await previews.preview(first.uri);
    assert.deepEqual(closed, []);
    await window.showTextDocument(first);
    await previews.preview(document.uri);
    assert.deepEqual(closed, [panel.title]);
  });

  it('is restored when its document can be opened, without a file only in its tab', async () => {
    const { document } = await open('# Hello');
    const restored = (uri: string) => {
      const panel = new TestPanel('Preview');
      panels.push(panel);
      return previews.restore(panel.panel, { document: uri }).then(() => panel);
    };
    const { show: showTabs } = fakeTabs();
    showTabs(document.uri);
    // Its preview was opened anew before.
    assert.equal((await restored(document.uri.toString())).isOpen, false);
    panels[0]?.close();
    const panel = await restored(document.uri.toString());
    panel.send({ type: 'ready' });
    await panel.waitForDraft((draft) => draft.message?.content.text === '# Hello');
    panel.close();
    showTabs();
    assert.equal((await restored(document.uri.toString())).isOpen, false);
    assert.equal((await restored(Uri.file(join(temporaryPath('drafts'), 'missing.md')).toString())).isOpen, false);
    const gone = (name: string) => `“${name}” can't be opened anymore, so its preview was closed.`;
    assert.deepEqual(messages.splice(0), [gone(document.uri.path), gone('missing.md')]);
  });

  async function replaceText(document: TextDocument, content: string) {
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), content);
    await workspace.applyEdit(edit);
  }
  const textOf = ({ message }: ShownDraft) => message?.content.text?.trim();

  it('marks who is left out, with the reason, and says how many there are', async () => {
    await configure({ 'sending.never': { people: [{ id: '7058314', note: 'asked to stop' }] } });
    const { panel } = await openReady(
      draft({ bot: BOT, people: ['7058314', '7102649'], groups: [GROUP], except: { groups: [GROUP] } }, 'Hello'),
    );
    const shown = await panel.waitForDraft(({ recipients }) => recipients.length === 3);
    assert.deepEqual(
      shown.recipients.map(({ id, leftOut }) => [id, leftOut]),
      [
        [GROUP, 'Under except: in the document'],
        ['7058314', 'On your Do Not Send list: asked to stop'],
        ['7102649', undefined],
      ],
    );
    assert.equal(shown.leftOut, 'Left out: Do Not Send list 1 · except 1');
    await configure({ 'sending.never': undefined });
    await panel.waitForDraft(({ leftOut }) => leftOut === 'Left out: except 1');
  });

  it('steps through those left out as well, but not through rows that where: doesn’t pick', async () => {
    await configure({ 'sending.never': { people: ['2', '4'] } });
    const rows = ['1,,Rome', '2,,Rome', '3,Cy,Rome', '4,Di,Bonn', '5,Ed,Bonn'];
    const { panel } = await openFiles(
      draftToFile('Hi {{name}}', { where: { city: 'Rome' } }),
      `id,name,city\n${rows.join('\n')}`,
    );
    const first = await panel.waitForDraft(({ step }) => step?.position === 1);
    const { total, withProblems, leftOut, leftOutCount } = first.step ?? assert.fail('no step');
    assert.deepEqual([total, withProblems, leftOut, leftOutCount], [3, 1, undefined, 1]);
    assert.equal(first.leftOut, 'Left out: Do Not Send list 2 · Left out by where (1): Ed');
    panel.send({ type: 'step', by: 1 });
    const second = await panel.waitForDraft(({ step }) => step?.position === 2);
    assert.deepEqual([second.step?.leftOut, second.step?.problems], ['On your Do Not Send list', []]);
    await configure({ 'sending.never': undefined });
  });

  it('shows whether front matter is sent, as the setting says', async () => {
    const { panel } = await openReady('---\ntitle: Greeting\n---\nHello');
    await panel.waitForDraft((shown) => textOf(shown) === 'Hello');
    await configure({ 'sending.frontMatter': 'keep' });
    await panel.waitForDraft((shown) => textOf(shown)?.startsWith('---\ntitle: Greeting\n---') === true);
    await configure({ 'sending.frontMatter': undefined });
    await panel.waitForDraft((shown) => textOf(shown) === 'Hello');
  });

  it('shows the message, and the names of the bot and recipients', async () => {
    const buttons = [[{ text: 'Docs', opens: 'https://a.example/' }]];
    const { panel } = await openReady(draft({ bot: BOT, groups: [GROUP], people: ['7058314'], buttons }, 'Hello'));
    const shown = await panel.waitForDraft(
      ({ message, recipients }) => message?.senderNickname !== BOT && recipients.every(({ id, name }) => id !== name),
    );
    assert.deepEqual(
      [shown.message?.senderNickname, shown.message?.senderType, textOf(shown), shown.message?.content.buttons],
      ['Order Desk', 'bot', 'Hello', [[{ text: 'Docs', actionType: 1, url: 'https://a.example/', value: '' }]]],
    );
    assert.deepEqual(shown.recipients, [
      { kind: 'group', id: GROUP, name: 'Fern & Kettle: the shop team' },
      { kind: 'user', id: '7058314', name: 'Alice Fernhollow' },
    ]);
    assert.deepEqual([shown.total, shown.canSend, shown.problems], [2, true, []]);
    assert.deepEqual(paths().sort(), ['bot-info', 'group-info', 'homepage']);
  });

  it('looks up nothing before its page has loaded', async () => {
    const { panel } = await open(draftTo(['7058314']));
    await settled();
    assert.deepEqual([panel.drafts, service.requests], [[], []]);
    panel.send({ type: 'ready' });
    await panel.waitForDraft(({ recipients }) => recipients[0]?.name !== GROUP);
  });

  it('marks recipients that don’t exist or can’t be looked up, and lists problems as the editor does', async () => {
    service.instead = ({ url }) =>
      url.includes('7102649') ? Promise.resolve(Response.json({ code: 1002, msg: 'No' })) : undefined;
    const chat = { bot: BOT, groups: ['99999999'], people: ['7102649', '7058314'] };
    const { document, panel } = await openReady(draft(chat, '![a](b.png)'));
    const [missing, failed] = [
      "Group 99999999 doesn't exist.",
      'Not looked up. The service returned error 1002: “No”. A parameter is missing or invalid.',
    ];
    const shown = await panel.waitForDraft(
      ({ recipients: [one, two, three] }) => Boolean(one?.problem && two?.problem) && three?.name !== three?.id,
    );
    assert.deepEqual(shown.recipients, [
      { kind: 'group', id: '99999999', name: '99999999', problem: missing },
      { kind: 'user', id: '7102649', name: '7102649', problem: failed },
      { kind: 'user', id: '7058314', name: 'Alice Fernhollow' },
    ]);
    const image = "Recipients won't see this local image: b.png";
    assert.deepEqual(
      shown.problems.map(({ text, start, end }) => [text, document.getText().slice(start, end)]),
      [
        [missing, '"99999999"'],
        [image, 'b.png'],
      ],
    );
    await replaceText(document, draft({ ...chat, tipe: 'text' }, '![a](b.png)'));
    const invalid = await panel.waitForDraft(({ canSend }) => !canSend);
    assert.deepEqual(
      invalid.problems.map(({ text }) => text),
      ['Unknown key tipe.', missing, image],
    );
  });

  it('lists what another feature finds out about a recipient that isn’t shown', async () => {
    const ids = Array.from({ length: 22 }, (_, index) => `${7_000_000 + index}`);
    const { panel } = await openReady(draft({ bot: BOT, people: ids }, 'Hello'));
    await panel.waitForDraft(({ problems }) => problems.length === 20);
    const { directory } = await connection.open();
    await assert.rejects(directory.get('user', '7000021'));
    await panel.waitForDraft(({ problems }) => problems.at(-1)?.text === "Person 7000021 doesn't exist.");
  });

  it('shows the text, and what else can be read, of a document with errors', async () => {
    const lines = ['---', 'chat:', '  bot: 30481126:', '  groups: 518204736', '  people: [7058314]', '---'];
    const { document, panel } = await openReady([...lines, 'Hello {{name}}'].join('\n'));
    const { message, problems, ...shown } = await panel.waitForDraft(({ step }) => step?.name === 'Alice Fernhollow');
    assert.deepEqual([message?.content.text, shown.namesBot, shown.canSend], ['Hello Alice Fernhollow', true, false]);
    assert.equal(problems.length, 1);
    await replaceText(document, [...lines, 'Hello {{name}}'].join('\n').replace('126:', '126'));
    const { total, namesRecipients } = await panel.waitForDraft(({ problems }) => /list/.test(problems[0]?.text ?? ''));
    assert.deepEqual([total, namesRecipients], [1, true]);
    await replaceText(document, draft({ groups: GROUP, tipe: 'text', from: BOT }, 'Other'));
    const wrong = await panel.waitForDraft((shown) => textOf(shown) === 'Other');
    assert.deepEqual([wrong.total, wrong.namesBot, wrong.namesRecipients], [0, true, true]);
    await replaceText(document, draft({ recipients: 'nobody.csv', kind: 'person' }, 'Dear {{order}}'));
    const varying = await panel.waitForDraft((shown) => textOf(shown) === 'Dear {{order}}');
    assert.deepEqual([varying.varies, varying.step, varying.problems.length], [true, undefined, 1]);
  });

  it('says which scheduled message is being edited, and what stays as it was', async () => {
    const { document, panel } = await openReady('# Hello');
    assert.deepEqual(
      [panel.drafts.at(-1)?.note, panel.drafts.at(-1)?.namesBot, panel.drafts.at(-1)?.namesRecipients],
      [undefined, false, false],
    );
    const due = Date.UTC(2030, 0, 2, 9);
    edited = { id: '1', due, botId: BOT, needless: new Set(['group big']), recipients: { group: 1, user: 0 } };
    editsChanged.fire();
    const replaces = `Editing the message scheduled for ${formatDateTime(due)}. Sending it replaces that one.`;
    const shown = await panel.waitForDraft(({ message }) => message?.senderNickname === 'Order Desk');
    assert.deepEqual(
      [shown.note, shown.namesBot, shown.namesRecipients],
      [`${replaces} It goes to the same recipients: 1 group.`, true, true],
    );
    await replaceText(document, draft({ groups: [GROUP, 'big'] }, '# Hello'));
    const { leftOut } = await panel.waitForDraft(({ note }) => note === replaces);
    assert.equal(leftOut, "Left out: had it or didn't exist 1");
    edited = undefined;
    editsChanged.fire();
    await panel.waitForDraft(({ note, namesBot }) => note === undefined && !namesBot);
  });

  it('says in its title and above the message which version it shows, if that isn’t the current one', async () => {
    await previews.preview((await openInHead('# Hello')).uri);
    const [panel] = panels;
    panel?.send({ type: 'ready' });
    await panel?.waitForDraft(({ note }) => note === 'This is the version HEAD, not the current one.');
    assert.equal(panel?.title, 'Preview a.md (HEAD)');
  });

  it('shows the message even if nobody can tell which one is edited', async () => {
    editsOf = () => Promise.reject(new Error('the database is newer'));
    const { panel } = await openReady('# Hello');
    await panel.waitForDraft((draft) => textOf(draft) === '# Hello');
  });

  it('can’t send an empty draft, and doesn’t call that a problem of a new one', async () => {
    const { document, panel } = await openReady('One');
    await replaceText(document, ' \n');
    const shown = await panel.waitForDraft(({ canSend }) => !canSend);
    assert.deepEqual([textOf(shown), shown.problems], ['', []]);
  });

  it('lists 20 recipients, and more on request', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `${7_000_000 + index}`);
    const { panel } = await openReady(draftTo(ids));
    const some = await panel.waitForDraft(() => true);
    assert.deepEqual([some.recipients.length, some.total], [20, 31]);
    panel.send({ type: 'more' });
    const all = await panel.waitForDraft(({ recipients }) => recipients.length > 20);
    assert.equal(all.recipients.length, 31);
  });

  it('says what is wrong with the rows of a file, and goes to the first of them', async () => {
    const csv = 'id,name,url\n7102649,Ann,https://a.test\nx y,Bo,\n7058314,Cy,none\n7058314,Cy,none\n';
    const { panel } = await openFiles(draftToFile('Hi {{name}} [x]({{url}})'), csv);
    const { problems } = await panel.waitForDraft(({ problems }) => problems.length > 1);
    assert.deepEqual(
      problems.map(({ text, line }) => [text, line]),
      [
        ["customers.csv has a row that can't be used, on line 3. x y isn't one ID. Give each ID a row of its own.", 3],
        ["{{url}} isn't a web address for 1 recipient, on line 4 of customers.csv.", 4],
        ['customers.csv lists a recipient twice, on line 5. Only one message is sent.', 5],
      ],
    );
    panel.send({ type: 'row', line: 3 });
    const isCsv = () => window.activeTextEditor?.document.uri.path.endsWith('/customers.csv') ?? false;
    while (!isCsv()) await settled();
    assert.equal(window.activeTextEditor?.selection.active.line, 2);
  });

  it('goes to the row of the file under except:, if the problem is there', async () => {
    const except = { recipients: 'past.csv', kind: 'person' };
    const { document, panel, write, uriOf } = await openFiles(draftToFile('Hi', { except }), 'id\n7102649\n');
    await write('past.csv', 'id\n7\n8\nx y\n');
    await replaceText(document, `${document.getText()}!`);
    const { problems } = await panel.waitForDraft(({ problems }) => problems[0]?.line !== undefined);
    const [{ line, rule } = assert.fail()] = problems;
    panel.send({ type: 'row', line: line ?? assert.fail(), rule });
    while (!window.activeTextEditor?.document.uri.path.endsWith('.csv')) await settled();
    assert.equal(window.activeTextEditor.document.uri.path, uriOf('past.csv').path);
    assert.equal(window.activeTextEditor.selection.active.line, 3);
    // Once could be with the next name that was looked up.
    for (const id of ['7', 'x y', '7']) {
      await write('past.csv', `id\n${id}\n`);
      await panel.waitForDraft(({ canSend }) => canSend === (id === '7'));
    }
    await document.save();
  });

  it('shows what each recipient in a file gets, and follows the file', async () => {
    const csv = (order: string) => `id,name,order\n7102649,Ann Lee,A-1\n7058314,,${order}\n`;
    const { document, panel, write } = await openFiles(draftToFile('{{name}}: {{order}}'), csv(''));
    const shown = (text: string) => panel.waitForDraft((draft) => textOf(draft) === text);
    const first = await shown('Ann Lee: A-1');
    const { name, id, problems, ...place } = first.step ?? assert.fail('no step');
    assert.deepEqual([name, id, problems, first.recipients], ['Ann Lee', '7102649', [], []]);
    const [position, total, withProblems, leftOutCount] = [1, 2, 1, 0];
    assert.deepEqual(place, { kind: 'user', position, total, withProblems, onlyWithProblems: false, leftOutCount });
    // The name in the file is empty, so the directory's stands for it, except in the message.
    panel.send({ type: 'onlyWithProblems', isOn: true });
    const { step } = await panel.waitForDraft(({ step }) => step?.name === 'Alice Fernhollow');
    assert.deepEqual(
      [step?.position, step?.total, step?.problems],
      [1, 1, ['{{name}} is empty.', '{{order}} is empty.']],
    );
    await replaceText(document, draftToFile('**{{name}}**: {{order}}'));
    const inBold = await panel.waitForDraft(({ step }) => step?.problems[0] !== '{{name}} is empty.');
    assert.equal(inBold.step?.problems[0], '{{name}} is empty. The marks around it are sent: ****');
    panel.send({ type: 'find', search: 1, text: 'ann' });
    await panel.receivedOne('matches');
    assert.deepEqual(panel.messagesOf('matches'), [
      { type: 'matches', search: 1, recipients: [{ kind: 'user', id: '7102649', name: 'Ann Lee' }], hasMore: false },
    ]);
    await replaceText(document, draftToFile('{{name|friend}}, {{order|none}}'));
    assert.deepEqual((await shown('friend, none')).step?.withProblems, 0);
    await write('customers.csv', csv('B-2'));
    await shown('friend, B-2');
    await replaceText(document, draftToFile('Hello'));
    const same = await shown('Hello');
    assert.deepEqual([same.step, same.recipients.map(({ id }) => id)], [undefined, ['7102649', '7058314']]);
    await write('customers.csv', 'name\nAnn Lee\n');
    assert.ok((await panel.waitForDraft(({ total }) => total === 0)).namesRecipients);
    await document.save();
  });

  it('says what is wrong with each recipient whom it counts among those with problems', async () => {
    const rows = [
      '1,"Main Street',
      '1",https://a.test',
      '2,Bern,"https://a.test',
      'b"',
      '3,,https://b.test',
      '4,Rome,none',
      '6,#N/A,https://a.test',
    ];
    // The service doesn't say that these people don't exist.
    service.instead = () => new Promise(() => {});
    const { panel } = await openFiles(
      draftToFile('{{address}} [x]({{url}})'),
      `id,address,url\n${rows.join('\n')}\n5,Oslo,https://a.test`,
    );
    await panel.waitForDraft(({ step }) => step?.withProblems === 5);
    panel.send({ type: 'onlyWithProblems', isOn: true });
    for (const [at, problem] of [
      '{{address}} has line breaks. Spaces are sent instead.',
      "{{url}} isn't a web address.",
      '{{address}} is empty.',
      "{{url}} isn't a web address.",
      '{{address}} is a spreadsheet error.',
    ].entries()) {
      const { step } = await panel.waitForDraft(({ step }) => step?.position === at + 1 && step.total === 5);
      assert.deepEqual(step?.problems, [problem]);
      panel.send({ type: 'step', by: 1 });
    }
  });

  it('shows code and escaped braces as they are sent also while nobody is named', async () => {
    const body = '{{name}} `{{code}}` \\{{plain}}\n\n    {{indented}}';
    const sent = '{{name}} `{{code}}` {{plain}}\n\n    {{indented}}';
    const { document, panel } = await openReady(draft({ bot: BOT }, body));
    await panel.waitForDraft((shown) => shown.varies && textOf(shown) === sent);
    await replaceText(document, draft({ bot: BOT, type: 'text' }, 'Hi {{name}} \\{{plain}}'));
    await panel.waitForDraft((shown) => textOf(shown) === 'Hi {{name}} {{plain}}');
  });

  it('finds out who doesn’t exist, and counts them among recipients with problems', async () => {
    const { panel } = await openFiles(draftToFile('{{name}}'), 'id,name\n7102649,Ann\n9999999,Bo\n');
    const first = await panel.waitForDraft(({ step }) => step?.withProblems === 1);
    assert.deepEqual([first.step?.id, first.step?.problems], ['7102649', []]);
    panel.send({ type: 'step', by: 1 });
    const { step } = await panel.waitForDraft(({ step }) => step?.position === 2);
    assert.deepEqual([step?.id, step?.problems], ['9999999', ["Person 9999999 doesn't exist."]]);
  });

  it('counts who turns out to lack what the service says of them, unless they get nothing', async () => {
    const { document, panel } = await openReady(draftTo(['7102649', '7058314'], 'Dear {{nickname}}'));
    const { step } = await panel.waitForDraft(({ step }) => step?.problems.length === 1);
    assert.deepEqual([step?.id, step?.problems], [GROUP, ['{{nickname}} is empty.']]);
    await panel.waitForDraft(({ step }) => step?.withProblems === 1);
    panel.send({ type: 'onlyWithProblems', isOn: true });
    await panel.waitForDraft(({ step }) => step?.id === GROUP && step.total === 1);
    const except = { groups: [GROUP] };
    await replaceText(document, draft({ bot: BOT, groups: [GROUP], people: ['7102649'], except }, 'Dear {{nickname}}'));
    await panel.waitForDraft(({ step }) => step?.total === 2 && step.withProblems === 0);
  });

  it('says how many of very many recipients were not looked up', async () => {
    const rows = Array.from({ length: 202 }, (_, at) => `${7_200_000 + at},Ann\n`);
    const { panel, write } = await openFiles(draftToFile('{{name}}'), `id,name\n7102649,Ann\n${rows.join('')}`);
    const many = await panel.waitForDraft(({ step }) => step?.unchecked?.startsWith('202 ') ?? false);
    assert.equal(many.step?.unchecked, "202 recipients weren't looked up and might not exist.");
    await write('customers.csv', 'id,name\n7102649,Ann\n7058314,Bo\n');
    const { step } = await panel.waitForDraft(({ total }) => total === 2);
    assert.equal(step?.unchecked, undefined);
  });

  it('reveals the existing panel, one for each document that is visible', async () => {
    const { document, panel } = await openReady('One');
    assert.equal(panel.title, `Preview ${document.uri.path}`);
    const reveals = panel.reveals;
    await previews.preview(document.uri);
    assert.deepEqual([panels.length, panel.reveals], [1, reveals + 1]);
    await open('Other', 2);
    assert.equal(panels.length, 2);
    panel.close();
    const other = await openMarkdown('Third');
    await window.showTextDocument(other, { viewColumn: 2 });
    await previews.preview(document.uri);
    assert.deepEqual([panels.length, panels[1]?.title], [2, `Preview ${document.uri.path}`]);
  });

  it('shows another draft that takes the place of its own in the editor, and nothing else', async () => {
    const [one, two] = [await openMarkdown(draftTo([], 'One')), await openMarkdown(draftTo([], 'Two'))];
    const note = await openMarkdown('A note');
    await window.showTextDocument(one);
    await previews.preview(one.uri);
    const panel = panels[0] ?? assert.fail();
    panel.send({ type: 'ready' });
    await panel.waitForDraft((shown) => textOf(shown) === 'One');
    await window.showTextDocument(two, { viewColumn: 2 });
    assert.equal(panel.title, `Preview ${one.uri.path}`);
    await window.showTextDocument(note);
    assert.equal(panel.title, `Preview ${one.uri.path}`);
    await window.showTextDocument(two, { viewColumn: 2 });
    assert.equal(panel.title, `Preview ${two.uri.path}`);
    panel.send({ type: 'ready' });
    await panel.waitForDraft((shown) => textOf(shown) === 'Two');
    await replaceText(one, 'Changed');
    await replaceText(two, draftTo([], 'Three'));
    await panel.waitForDraft((shown) => textOf(shown) === 'Three');
    assert.deepEqual(
      panel.drafts.map(textOf).filter((text) => text === 'Changed'),
      [],
    );
    assert.equal(panels.length, 1);
  });

  it('shows only the draft that it has turned to, even if it was reading the one before', async () => {
    const { panel } = await openReady(draftTo([], 'One'));
    panel.posted.length = 0;
    panel.setVisible(false);
    panel.send({ type: 'ready' });
    const { document } = await open(draftTo([], 'Two'));
    assert.equal(panels.length, 1);
    panel.send({ type: 'ready' });
    await panel.waitForDraft((shown) => textOf(shown) === 'Two');
    assert.deepEqual(panel.drafts.map(textOf).includes('One'), false);
    assert.equal(panel.title, `Preview ${document.uri.path}`);
  });

  it('does nothing while hidden, and catches up when shown', async () => {
    const [{ document, panel }, other] = [await openReady('One'), await openReady('Another', 2)];
    panel.setVisible(false);
    await replaceText(document, draftTo([], 'Two'));
    // Once one preview shows its own change, the other would have shown the earlier one.
    await replaceText(other.document, 'Changed');
    await other.panel.waitForDraft((shown) => textOf(shown) === 'Changed');
    await settled();
    assert.deepEqual([panel.drafts.length, service.requests], [1, []]);
    panel.setVisible(true);
    panel.send({ type: 'ready' });
    await panel.waitForDraft((shown) => textOf(shown) === 'Two' && shown.recipients[0]?.name !== GROUP);
  });

  it('goes to a position in the editor', async () => {
    const { document, panel } = await openReady('One and Two');
    await window.showTextDocument(document);
    panel.send({ type: 'place', start: 8, end: 11 });
    await settled();
    assert.equal(document.getText(window.activeTextEditor?.selection), 'Two');
  });

  it('shows the draft in the tab of its own once that is closed, as when it is saved under a name', async () => {
    const { document, panel } = await openReady(draftTo([], 'One'));
    const next = await openMarkdown(draftTo([], 'Two'));
    const { changed, show } = fakeTabs();
    show(document.uri);
    // Its tab is changed later.
    closeDocument(document);
    await settled();
    assert.deepEqual([panel.isOpen, panel.title], [true, `Preview ${document.uri.path}`]);
    show(next.uri);
    changed.fire();
    await settled();
    assert.deepEqual([panel.isOpen, panel.title], [true, `Preview ${next.uri.path}`]);
    closeDocument(next);
    await settled();
    assert.ok(panel.isOpen);
    show();
    changed.fire();
    await panel.until(() => !panel.isOpen);
  });

  it('stays with a document without front matter that is renamed, or saved under a name', async () => {
    const { document, panel } = await openReady('# One');
    const next = await openMarkdown('# One');
    const show = (...documents: TextDocument[]) =>
      answer('tabGroups', {
        all: documents.map(({ uri }) => ({ tabs: [{ input: new TabInputText(uri), isActive: true }] })),
      } as never);
    // Even if there's a draft in another column.
    show(await openMarkdown(draftTo([])), next);
    closeDocument(document);
    await settled();
    assert.deepEqual([panel.isOpen, panel.title], [true, `Preview ${next.uri.path}`]);
    show(await openMarkdown('# Another'));
    closeDocument(next);
    await panel.until(() => !panel.isOpen);
  });

  it('closes with its document', async () => {
    const { document, panel } = await openReady('One');
    await languages.setTextDocumentLanguage(document, 'plaintext');
    await panel.until(() => !panel.isOpen);
    await assert.rejects(previews.preview(document.uri), /isn't a Markdown file\.$/);
    closeDocuments();
    await assert.rejects(previews.preview(), /^UserFacingError: Open a Markdown file first\.$/);
  });

  it('closes with the tab of a new document that was sent, which VS Code keeps', async () => {
    const { changed, show } = fakeTabs();
    show();
    const { document, panel } = await openReady('One');
    show(document.uri);
    await replaceText(document, '');
    changed.fire();
    await settled();
    assert.ok(panel.isOpen);
    show();
    changed.fire();
    await panel.until(() => !panel.isOpen);
  });

  it('shows IDs while not connected', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    try {
      const { panel } = await openReady(draftTo([]));
      const shown = await panel.waitForDraft(() => true);
      assert.deepEqual([shown.message?.senderNickname, shown.recipients[0]?.name], [BOT, GROUP]);
    } finally {
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    }
  });
});
