import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  commands,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  Uri,
  ViewColumn,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { EditedMessage } from '../../../../../src/deliveries/contract.ts';
import { DraftReader } from '../../../../../src/deliveries/draft/draftReader.ts';
import { PreviewController } from '../../../../../src/deliveries/draft/preview/previewController.ts';
import type { Connection } from '../../../../../src/platform/service.ts';
import { formatDateTime } from '../../../../../src/presentation/formats.ts';
import { type FromPreview, type ShownDraft, ToPreview } from '../../../../../src/protocol/preview.ts';
import { temporaryPath } from '../../../../host/temporary.ts';
import { onMessages } from '../../../answers.ts';
import { settled } from '../../../deferred.ts';
import { PanelPage, panelTab, textTab, usePages } from '../../../panelPage.ts';
import { newHost } from '../../../test-host.ts';
import { configure, newConnection, useService } from '../../../test-service.ts';
import { closeDocument, closeDocuments } from '../../../vscode-editors.ts';
import { withoutDelays } from '../../../withoutDelays.ts';
import { newFolder, openInHead } from '../editing/drafts.ts';

const VIEW = 'botChats.preview';
const BOT = '30481126';
const GROUP = '518204736';
const ALICE = '7058314';
const ANN = '7102649';
const NOBODY = '99999999';

const textOf = ({ message }: ShownDraft) => message?.content.text?.trim();

class PreviewPage extends PanelPage<ToPreview, FromPreview> {
  get drafts(): ShownDraft[] {
    return this.messagesOf('draft');
  }

  /** Resolves to what is shown once this holds for it. */
  async shows(holds: (draft: ShownDraft) => boolean): Promise<ShownDraft> {
    await this.until(() => this.drafts.slice(-1).some(holds));
    return this.drafts.at(-1) ?? assert.fail();
  }

  showsText(text: string): Promise<ShownDraft> {
    return this.shows((draft) => textOf(draft) === text);
  }
}

describe('Draft preview', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  const pages = usePages((title) => new PreviewPage(ToPreview, title));
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let previews: PreviewController;
  let messages: string[];
  withoutDelays();
  /** Which scheduled message a document edits. */
  let editedIn: () => Promise<EditedMessage | undefined>;
  let editsChanged: EventEmitter<void>;

  beforeEach(() => {
    connection = newConnection();
    messages = onMessages();
    editedIn = async () => undefined;
    editsChanged = new EventEmitter();
    const edits = { in: () => editedIn(), scheduledFrom: async () => undefined, onDidChange: editsChanged.event };
    host = newHost({ connection, edits });
    previews = newPreviews();
    service.requests.length = 0;
  });
  afterEach(async () => {
    closeDocuments();
    service.instead = () => undefined;
    connection.dispose();
    await configure({ 'sending.never': undefined, 'sending.frontMatter': undefined });
    assert.deepEqual(messages, []);
  });

  /** The previews of a window. */
  const newPreviews = () => new PreviewController(VIEW, host, new DraftReader(host));
  const draft = (chat: object, body = 'Hello') => `---\nchat: ${JSON.stringify(chat)}\n---\n${body}`;
  /** A draft to the people in a file beside it. */
  const draftToFile = (body: string, more: object = {}) =>
    draft({ bot: BOT, recipients: 'customers.csv', kind: 'person', ...more }, body);
  const draftTo = (people: readonly string[], body?: string) => draft({ bot: BOT, groups: [GROUP], people }, body);
  const peopleIds = (count: number) => Array.from({ length: count }, (_, at) => `${7_000_000 + at}`);

  const openMarkdown = (content: string) => workspace.openTextDocument({ content, language: 'markdown' });
  /** Opens a document and its preview, whose page isn't loaded yet. */
  async function open(content: string, viewColumn = 1) {
    const document = await openMarkdown(content);
    await window.showTextDocument(document, { viewColumn });
    await previews.preview(document.uri);
    return { document, page: pages.last };
  }
  async function show(content: string, viewColumn?: number) {
    const { document, page } = await open(content, viewColumn);
    await page.load();
    return { document, page };
  }
  /** Shows a draft with a file beside it. */
  async function showWithFile(content: string, ...csv: string[]) {
    const folder = newFolder();
    await folder.write('customers.csv', ...csv);
    await folder.write('draft.md', content);
    const document = await folder.open('draft.md');
    await previews.preview(document.uri);
    await pages.last.load();
    return { ...folder, document, page: pages.last };
  }
  async function replaceText(document: TextDocument, content: string) {
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), content);
    await workspace.applyEdit(edit);
  }
  /** Reloads the window, which restores the previews only as tabs. */
  function reload() {
    pages.tabs.show(pages.opened.map(({ title }) => panelTab(VIEW, title)));
    previews = newPreviews();
  }

  for (const [names, which, closed] of [
    [['one/a.md', 'two/b.md'], 'takes the place of its own', ['Preview a.md']],
    [['two/a.md', 'two/b.md'], 'leaves that of another document of the same name', []],
    [['one/a.md', 'two/a.md'], 'leaves both if it can’t tell which is its own', []],
  ] as const)
    it(`${which} in a tab that VS Code has not restored since a reload`, async () => {
      const { write, open, uriOf } = newFolder();
      for (const name of ['one/a.md', 'two/a.md', 'two/b.md']) await write(name, '# Hello');
      for (const [at, name] of names.entries()) {
        await window.showTextDocument(await open(name), { viewColumn: at + 1 });
        await previews.preview(uriOf(name));
      }
      reload();
      await previews.preview(uriOf('one/a.md'));
      await previews.preview(uriOf('one/a.md'));
      assert.deepEqual(pages.tabs.closed, closed);
      assert.equal(pages.opened.length, 3);
    });

  it('takes the place of one that showed another document before', async () => {
    const { document: first } = await open('# One');
    await window.showTextDocument(await workspace.openTextDocument({ content: '# Note' }));
    const { document, page } = await open('# Two');
    assert.equal(pages.opened.length, 1);
    assert.equal(page.title, `Preview ${document.uri.path}`);
    reload();
    await previews.preview(first.uri);
    assert.deepEqual(pages.tabs.closed, []);
    await window.showTextDocument(first);
    await previews.preview(document.uri);
    assert.deepEqual(pages.tabs.closed, [page.title]);
  });

  it('is restored when its document can be opened, without a file only in its tab', async () => {
    const { document, page } = await open('# Hello');
    const restored = async (uri: Uri) => {
      const restored = pages.restored('Preview');
      await previews.restore(restored.panel, { document: uri.toString() });
      return restored;
    };
    pages.tabs.show([textTab(document)]);
    // Its preview was opened anew before.
    assert.equal((await restored(document.uri)).isOpen, false);
    page.close();
    const again = await restored(document.uri);
    await again.load();
    await again.showsText('# Hello');
    again.close();
    pages.tabs.show();
    assert.equal((await restored(document.uri)).isOpen, false);
    assert.equal((await restored(Uri.file(join(temporaryPath('drafts'), 'missing.md')))).isOpen, false);
    const gone = (name: string) => `“${name}” can't be opened anymore, so its preview was closed.`;
    assert.deepEqual(messages.splice(0), [gone(document.uri.path), gone('missing.md')]);
  });

  it('is opened beside the active editor, and never covers it when it is revealed', async () => {
    const { document, page } = await open('One');
    assert.equal(page.title, `Preview ${document.uri.path}`);
    assert.equal(page.column, ViewColumn.Beside);
    for (const [column, revealed] of [
      [1, ViewColumn.Beside],
      [2, 2],
    ] as const) {
      page.column = column;
      await previews.preview();
      assert.equal(page.column, revealed);
    }
    assert.equal(page.reveals, 2);
    assert.equal(pages.opened.length, 1);
  });

  it('is one for each document that is visible', async () => {
    const { document, page } = await show('One');
    await open('Other', 2);
    assert.equal(pages.opened.length, 2);
    page.close();
    await window.showTextDocument(await openMarkdown('Third'), { viewColumn: 2 });
    await previews.preview(document.uri);
    assert.equal(pages.opened.length, 2);
    assert.equal(pages.last.title, `Preview ${document.uri.path}`);
  });

  it('marks who is left out, with the reason, and says how many there are', async () => {
    await configure({ 'sending.never': { people: [{ id: ALICE, note: 'asked to stop' }] } });
    const { page } = await show(
      draft({ bot: BOT, people: [ALICE, ANN], groups: [GROUP], except: { groups: [GROUP] } }),
    );
    const shown = await page.shows(({ recipients }) => recipients.length === 3);
    assert.deepEqual(
      shown.recipients.map(({ id, leftOut }) => [id, leftOut]),
      [
        [GROUP, 'Under except: in the document'],
        [ALICE, 'On your Do Not Send list: asked to stop'],
        [ANN, undefined],
      ],
    );
    assert.equal(shown.leftOut, 'Left out: Do Not Send list 1 · except 1');
    await configure({ 'sending.never': undefined });
    await page.shows(({ leftOut }) => leftOut === 'Left out: except 1');
  });

  it('steps through those left out as well, but not through rows that where: doesn’t pick', async () => {
    await configure({ 'sending.never': { people: ['2', '4'] } });
    const { page } = await showWithFile(
      draftToFile('Hi {{name}}', { where: { city: 'Rome' } }),
      'id,name,city',
      '1,,Rome',
      '2,,Rome',
      '3,Cy,Rome',
      '4,Di,Bonn',
      '5,Ed,Bonn',
    );
    const first = await page.shows(({ step }) => step?.position === 1);
    assert.equal(first.step?.total, 3);
    assert.equal(first.step?.leftOutCount, 1);
    assert.equal(first.leftOut, 'Left out: Do Not Send list 2 · Left out by where (1): Ed');
    page.send({ type: 'step', by: 1 });
    await page.shows(({ step }) => step?.id === '2' && step.leftOut === 'On your Do Not Send list');
    page.send({ type: 'goTo', kind: 'user', id: '3' });
    await page.shows(({ step }) => step?.position === 3);
  });

  it('shows whether front matter is sent, as the setting says', async () => {
    const { page } = await show('---\ntitle: Greeting\n---\nHello');
    await page.showsText('Hello');
    await configure({ 'sending.frontMatter': 'keep' });
    await page.showsText('---\ntitle: Greeting\n---\nHello');
  });

  it('shows the message, and the names of the bot and recipients', async () => {
    const buttons = [[{ text: 'Docs', opens: 'https://a.example/' }]];
    const { document, page } = await show(draft({ bot: BOT, groups: [GROUP], people: [ALICE], buttons }));
    const { message, ...shown } = await page.shows(
      ({ message, recipients }) => message?.senderNickname !== BOT && recipients.every(({ id, name }) => id !== name),
    );
    assert.equal(message?.senderNickname, 'Order Desk');
    assert.equal(message?.senderType, 'bot');
    assert.equal(message?.content.text?.trim(), 'Hello');
    assert.deepEqual(message?.content.buttons, [
      [{ text: 'Docs', actionType: 1, url: 'https://a.example/', value: '' }],
    ]);
    assert.deepEqual(shown.recipients, [
      { kind: 'group', id: GROUP, name: 'Fern & Kettle: the shop team' },
      { kind: 'user', id: ALICE, name: 'Alice Fernhollow' },
    ]);
    assert.equal(shown.total, 2);
    assert.equal(shown.canSend, true);
    assert.deepEqual(shown.problems, []);
    assert.equal(service.requests.length, 3);
    const run: unknown[] = [];
    host.commands.run = async (...command) => void run.push(command);
    page.send({ type: 'send' });
    assert.deepEqual(run, [['sendActiveMarkdown', document.uri]]);
  });

  it('looks up nothing before its page has loaded', async () => {
    const { page } = await open(draftTo([ALICE]));
    await settled();
    assert.deepEqual(page.drafts, []);
    assert.deepEqual(service.requests, []);
    await page.load();
    await page.shows(({ recipients }) => recipients[0]?.name !== GROUP);
  });

  it('marks recipients that don’t exist or can’t be looked up, and lists problems where they are, errors first', async () => {
    service.instead = ({ url }) =>
      url.includes(ANN) ? Promise.resolve(Response.json({ code: 1002, msg: 'No' })) : undefined;
    const chat = { bot: BOT, groups: [NOBODY], people: [ANN, ALICE] };
    const { document, page } = await show(draft(chat, '![a](b.png)'));
    const { recipients, problems } = await page.shows(
      ({ recipients: [one, two, three] }) => Boolean(one?.problem && two?.problem) && three?.name !== three?.id,
    );
    const missing = `Group ${NOBODY} doesn't exist.`;
    assert.equal(recipients[0]?.problem, missing);
    assert.match(recipients[1]?.problem ?? '', /^Not looked up\. .* 1002/);
    assert.equal(recipients[2]?.problem, undefined);
    assert.deepEqual(
      problems.map(({ severity, start, end }) => [severity, document.getText().slice(start, end)]),
      [
        ['warning', `"${NOBODY}"`],
        ['warning', 'b.png'],
      ],
    );
    assert.equal(problems[0]?.text, missing);
    await replaceText(document, draft({ ...chat, tipe: 'text' }, '![a](b.png)'));
    const invalid = await page.shows(({ canSend }) => !canSend);
    assert.deepEqual(
      invalid.problems.map(({ severity }) => severity),
      ['error', 'warning', 'warning'],
    );
  });

  it('lists what another feature finds out about a recipient that isn’t shown', async () => {
    const { page } = await show(draft({ bot: BOT, people: peopleIds(22) }));
    await page.shows(({ problems }) => problems.length === 20);
    const { directory } = await connection.open();
    await assert.rejects(directory.get('user', '7000021'));
    await page.shows(({ problems }) => problems.at(-1)?.text === "Person 7000021 doesn't exist.");
  });

  for (const [what, content, namesBot, namesRecipients, total] of [
    ['nothing', '# Hello', false, false, 0],
    ['a bot', draft({ bot: BOT }), true, false, 0],
    ['a person', draft({ people: [ALICE] }), false, true, 1],
    ['what can’t be read', draft({ groups: GROUP, tipe: 'text', from: BOT }), true, true, 0],
    ['a file that isn’t there', draft({ recipients: 'nobody.csv', kind: 'person' }), false, true, 0],
  ] as const)
    it(`knows whether a draft names a bot and recipients: here ${what}`, async () => {
      const { page } = await show(content);
      const shown = await page.shows(() => true);
      assert.equal(shown.namesBot, namesBot);
      assert.equal(shown.namesRecipients, namesRecipients);
      assert.equal(shown.total, total);
    });

  it('shows the text, and what else can be read, of a document with errors', async () => {
    const lines = ['---', 'chat:', '  bot: 30481126:', `  people: [${ALICE}]`, '---', 'Hello {{name}}'];
    const { page } = await show(lines.join('\n'));
    const { message, problems, canSend } = await page.shows(({ step }) => step?.name === 'Alice Fernhollow');
    assert.equal(message?.content.text, 'Hello Alice Fernhollow');
    assert.equal(canSend, false);
    assert.equal(problems.length, 1);
  });

  it('says which scheduled message is being edited, and what stays as it was', async () => {
    const { document, page } = await show('# Hello');
    const due = Date.UTC(2030, 0, 2, 9);
    const edited = { id: '1', due, botId: BOT, needless: new Set(['group big']), recipients: { group: 1, user: 0 } };
    editedIn = async () => edited;
    editsChanged.fire();
    const replaces = `Editing the message scheduled for ${formatDateTime(due)}. Sending it replaces that one.`;
    const shown = await page.shows(({ message }) => message?.senderNickname === 'Order Desk');
    assert.equal(shown.note, `${replaces} It goes to the same recipients: 1 group.`);
    assert.equal(shown.namesBot, true);
    assert.equal(shown.namesRecipients, true);
    await replaceText(document, draft({ groups: [GROUP, 'big'] }));
    const { leftOut } = await page.shows(({ note }) => note === replaces);
    assert.equal(leftOut, "Left out: had it or didn't exist 1");
    // Nobody can tell any more, as with a database of a newer version.
    editedIn = () => Promise.reject(new Error('the database is newer'));
    await replaceText(document, 'Bye');
    const { note, namesBot } = await page.showsText('Bye');
    assert.equal(note, undefined);
    assert.equal(namesBot, false);
  });

  it('says in its title and above the message which version it shows, if that isn’t the current one', async () => {
    await previews.preview((await openInHead('# Hello')).uri);
    await pages.last.load();
    assert.equal(pages.last.drafts.at(-1)?.note, 'This is the version HEAD, not the current one.');
    assert.equal(pages.last.title, 'Preview a.md (HEAD)');
  });

  it('can’t send an empty draft, and doesn’t call that a problem of a new one', async () => {
    const { document, page } = await show('One');
    await replaceText(document, ' \n');
    const shown = await page.shows(({ canSend }) => !canSend);
    assert.equal(textOf(shown), '');
    assert.deepEqual(shown.problems, []);
  });

  it('lists 20 recipients, and more on request', async () => {
    const { page } = await show(draftTo(peopleIds(30)));
    const { recipients, total } = await page.shows(() => true);
    assert.equal(recipients.length, 20);
    assert.equal(total, 31);
    page.send({ type: 'more' });
    await page.shows(({ recipients }) => recipients.length === 31);
  });

  it('goes to a position in the editor', async () => {
    const { document, page } = await show('One and Two');
    await window.showTextDocument(document);
    page.send({ type: 'place', start: 8, end: 11 });
    await settled();
    assert.equal(document.getText(window.activeTextEditor?.selection), 'Two');
  });

  it('goes to the row of a problem in the file of recipients, or in the one under except:, and follows that one', async () => {
    const content = draftToFile('Hi', { except: { recipients: 'past.csv', kind: 'person' } });
    const { document, page, write, uriOf } = await showWithFile(content, 'id', ANN, 'x y');
    await write('past.csv', 'id', '7', '8', 'x y');
    await replaceText(document, `${content}!`);
    await page.shows(({ problems }) => problems.length === 2 && problems.every(({ line }) => line !== undefined));
    for (const [file, line, rule] of [
      ['customers.csv', 3, undefined],
      ['past.csv', 4, 'except'],
    ] as const) {
      assert.ok(page.drafts.at(-1)?.problems.some((one) => one.line === line && one.rule === rule));
      page.send({ type: 'row', line, rule });
      while (window.activeTextEditor?.document.uri.path !== uriOf(file).path) await settled();
      assert.equal(window.activeTextEditor?.selection.active.line, line - 1);
    }
    await write('customers.csv', 'id', ANN);
    // Once could be with the next name that was looked up.
    for (const id of ['7', 'x y', '7']) {
      await write('past.csv', 'id', id);
      await page.shows(({ canSend }) => canSend === (id === '7'));
    }
    await document.save();
  });

  it('shows what each recipient in a file gets, and follows the file', async () => {
    const seen: unknown[] = [];
    const registered = commands.registerCommand('setContext', (...context) => void seen.push(context));
    const rows = (order: string) => ['id,name,order', `${ANN},Ann Lee,A-1`, `${ALICE},,${order}`];
    const { document, page, write } = await showWithFile(draftToFile('{{name}}: {{order}}'), ...rows(''));
    const { step, recipients } = await page.showsText('Ann Lee: A-1');
    assert.equal(step?.name, 'Ann Lee');
    assert.equal(step.withProblems, 1);
    assert.deepEqual(recipients, []);
    assert.deepEqual(seen[0], ['botChats.hasSeenPersonal', true]);
    registered.dispose();
    page.send({ type: 'find', search: 1, text: 'ann' });
    await page.receivedOne('matches');
    const found = [{ kind: 'user', id: ANN, name: 'Ann Lee' }];
    assert.deepEqual(page.last('matches'), { type: 'matches', search: 1, recipients: found, hasMore: false });
    // The name in the file is empty, so the directory's stands for it, except in the message.
    page.send({ type: 'onlyWithProblems', isOn: true });
    const lacking = await page.shows(({ step }) => step?.name === 'Alice Fernhollow');
    assert.equal(lacking.step?.position, 1);
    assert.equal(lacking.step?.total, 1);
    assert.equal(textOf(lacking), ':');
    await replaceText(document, draftToFile('{{name|friend}}, {{order|none}}'));
    assert.equal((await page.showsText('friend, none')).step?.withProblems, 0);
    await write('customers.csv', ...rows('B-2'));
    await page.showsText('friend, B-2');
    await replaceText(document, draftToFile('Hello'));
    const same = await page.showsText('Hello');
    assert.equal(same.step, undefined);
    assert.deepEqual(
      same.recipients.map(({ id }) => id),
      [ANN, ALICE],
    );
    await write('customers.csv', 'name', 'Ann Lee');
    await page.shows(({ total }) => total === 0);
    await document.save();
  });

  it('shows code and escaped braces as they are sent also while nobody is named', async () => {
    const body = '{{name}} `{{code}}` \\{{plain}}\n\n    {{indented}}';
    const { document, page } = await show(draft({ bot: BOT }, body));
    const { varies } = await page.showsText('{{name}} `{{code}}` {{plain}}\n\n    {{indented}}');
    assert.equal(varies, true);
    await replaceText(document, draft({ bot: BOT, type: 'text' }, 'Hi {{name}} \\{{plain}}'));
    await page.showsText('Hi {{name}} {{plain}}');
  });

  it('finds out who doesn’t exist, and counts them among recipients with problems', async () => {
    const { page } = await showWithFile(draftToFile('{{name}}'), 'id,name', `${ANN},Ann`, `${NOBODY},Bo`);
    const first = await page.shows(({ step }) => step?.withProblems === 1);
    assert.deepEqual(first.step?.problems, []);
    page.send({ type: 'step', by: 1 });
    const { step } = await page.shows(({ step }) => step?.id === NOBODY);
    assert.deepEqual(step?.problems, [`Person ${NOBODY} doesn't exist.`]);
  });

  it('shows another draft that takes the place of its own in the editor, and nothing else', async () => {
    const { document: one, page } = await show(draftTo([], 'One'));
    const two = await openMarkdown(draftTo([], 'Two'));
    const showsOne = () => page.title === `Preview ${one.uri.path}`;
    await window.showTextDocument(two, { viewColumn: 2 });
    assert.ok(showsOne());
    await window.showTextDocument(await openMarkdown('A note'));
    assert.ok(showsOne());
    await window.showTextDocument(two, { viewColumn: 2 });
    assert.equal(page.title, `Preview ${two.uri.path}`);
    await page.load();
    await page.showsText('Two');
    await replaceText(one, 'Changed');
    await replaceText(two, draftTo([], 'Three'));
    await page.showsText('Three');
    assert.ok(!page.drafts.map(textOf).includes('Changed'));
    assert.equal(pages.opened.length, 1);
  });

  it('shows only the draft that it has turned to, even if it was reading the one before', async () => {
    const { page } = await show(draftTo([], 'One'));
    page.posted.length = 0;
    page.setVisible(false);
    page.send({ type: 'ready' });
    const { document } = await open(draftTo([], 'Two'));
    assert.equal(pages.opened.length, 1);
    await page.load();
    await page.showsText('Two');
    assert.ok(!page.drafts.map(textOf).includes('One'));
    assert.equal(page.title, `Preview ${document.uri.path}`);
  });

  it('does nothing while hidden, and catches up when shown', async () => {
    const { document, page } = await show('One');
    const other = await show('Another', 2);
    page.setVisible(false);
    await replaceText(document, draftTo([], 'Two'));
    // Once one preview shows its own change, the other would have shown the earlier one.
    await replaceText(other.document, 'Changed');
    await other.page.showsText('Changed');
    await settled();
    assert.equal(page.drafts.length, 1);
    assert.deepEqual(service.requests, []);
    page.setVisible(true);
    await page.load();
    await page.shows((shown) => textOf(shown) === 'Two' && shown.recipients[0]?.name !== GROUP);
  });

  it('shows the draft in the tab of its own once that is closed, as when it is saved under a name', async () => {
    const { document, page } = await show(draftTo([], 'One'));
    const next = await openMarkdown(draftTo([], 'Two'));
    pages.tabs.show([textTab(document)]);
    // Its tab is changed later.
    closeDocument(document);
    await settled();
    assert.equal(page.title, `Preview ${document.uri.path}`);
    pages.tabs.show([textTab(next)]);
    await settled();
    assert.equal(page.title, `Preview ${next.uri.path}`);
    closeDocument(next);
    await settled();
    assert.ok(page.isOpen);
    pages.tabs.show();
    await page.until(() => !page.isOpen);
  });

  it('stays with a document without front matter that is renamed, or saved under a name', async () => {
    const { document, page } = await show('# One');
    const next = await openMarkdown('# One');
    // Even if there's a draft in another column.
    pages.tabs.show([textTab(await openMarkdown(draftTo([])))], [textTab(next)]);
    closeDocument(document);
    await settled();
    assert.equal(page.title, `Preview ${next.uri.path}`);
    pages.tabs.show([textTab(await openMarkdown('# Another'))]);
    closeDocument(next);
    await page.until(() => !page.isOpen);
  });

  it('closes once its document isn’t Markdown any more', async () => {
    const { document, page } = await show('One');
    await languages.setTextDocumentLanguage(document, 'plaintext');
    await page.until(() => !page.isOpen);
    await assert.rejects(previews.preview(document.uri), /isn't a Markdown file\.$/);
    closeDocuments();
    await assert.rejects(previews.preview(), /^UserFacingError: Open a Markdown file first\.$/);
  });

  it('closes with the tab of a new document that was sent, which VS Code keeps', async () => {
    const { document, page } = await show('One');
    pages.tabs.show([textTab(document)]);
    await replaceText(document, '');
    pages.tabs.show([textTab(document)]);
    await settled();
    assert.ok(page.isOpen);
    pages.tabs.show();
    await page.until(() => !page.isOpen);
  });

  it('shows IDs while not connected', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    try {
      const { page } = await show(draftTo([]));
      const { message, recipients } = await page.shows(() => true);
      assert.equal(message?.senderNickname, BOT);
      assert.equal(recipients[0]?.name, GROUP);
    } finally {
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    }
  });
});
