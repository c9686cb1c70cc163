import assert from 'node:assert/strict';
import {
  commands,
  type InputBoxOptions,
  languages,
  type QuickPickItem,
  Selection,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from 'vscode';
import { answer, onCheckedInputs, onMessages, restore, tick, type } from '../unit/answers.ts';
import { keeping, type TestService, useService } from '../unit/test-service.ts';
import { closeEditors, openUntitled } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';
const REFUSING = '7850437';

describe('Sending with a token in secret storage', () => {
  let service: TestService;
  let token: string;
  let messages: string[];

  before(async () => {
    service = await useService({ groups: [GROUP, 'big'], bots: [BOT], people: ['7058314', REFUSING] });
    token = service.sandbox.token(BOT) ?? '';
  });

  after(() => service.close());

  beforeEach(async () => {
    messages = [];
    const say = async (message: string) => void messages.push(message);
    answer('showInformationMessage', say as typeof window.showInformationMessage);
    answer('showErrorMessage', say as typeof window.showErrorMessage);
    answer('showQuickPick', (async (items: unknown[]) => (await items)[0]) as unknown as typeof window.showQuickPick);
    onCheckedInputs(`  ${token}\n`);
    await commands.executeCommand('botChats.setToken');
  });

  afterEach(async () => {
    await commands.executeCommand('botChats.removeToken');
    restore();
    await closeEditors();
    service.instead = () => undefined;
    service.sandbox.setFaults(undefined);
    service.requests.splice(0);
  });

  /** Opens a Markdown document and sends it to the recipients with these IDs in their descriptions. */
  const send = async (content: string, ids: string[], confirm: 'Send' | 'Cancel' = 'Send') => {
    await window.showTextDocument(await openUntitled(content, 'markdown'));
    tick(({ description }) => ids.some((id) => description?.includes(id)));
    answer('showWarningMessage', (async (message: string, options: { modal?: boolean }) => {
      messages.push(message);
      return options.modal ? confirm : undefined;
    }) as typeof window.showWarningMessage);
    await commands.executeCommand('botChats.sendActiveMarkdown');
  };

  const newestMessage = async (chatId: string, chatType: 'group' | 'user') => {
    const query = new URLSearchParams({ token, 'chat-id': chatId, 'chat-type': chatType, before: '1' });
    const response = await fetch(`${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`);
    const { data } = (await response.json()) as { data: { list: { content: unknown; contentType: string }[] } };
    return data.list[0];
  };

  const sendRequests = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));

  /** Runs a send command with one group as recipient. Returns the request bodies and the confirmations. */
  const runSendCommand = async (command: string, ...args: unknown[]) => {
    const bodies: unknown[] = [];
    const confirmations: { message: string; detail: string }[] = [];
    service.instead = async (request) => {
      if (request.url.includes('/batch_send')) bodies.push(await request.clone().json());
      return undefined;
    };
    tick(({ description }) => description?.includes(GROUP) ?? false);
    answer('showWarningMessage', (async (message: string, { modal, detail }: { modal?: boolean; detail: string }) => {
      if (modal) confirmations.push({ message, detail });
      return modal ? 'Send' : undefined;
    }) as unknown as typeof window.showWarningMessage);
    await commands.executeCommand(`botChats.${command}`, ...args);
    return { bodies, confirmations };
  };
  /** Selects a content type by its label. */
  const selectType = (label: string) =>
    answer('showQuickPick', (async (items: QuickPickItem[]) =>
      items.find((item) => item.label === label)) as unknown as typeof window.showQuickPick);
  const body = (contentType: string, content: unknown) => ({
    recvIds: [GROUP],
    recvType: 'group',
    contentType,
    content,
  });
  const open = async (content: string, language = 'markdown') =>
    window.showTextDocument(await openUntitled(content, language));

  for (const [label, contentType] of [
    ['Markdown', 'markdown'],
    ['Text', 'text'],
    ['HTML', 'html'],
  ] as const) {
    it(`sends a document of any language as ${label}`, async () => {
      await open('<b>Hello</b>', 'plaintext');
      selectType(label);
      const { bodies, confirmations } = await runSendCommand('sendAs');
      assert.deepEqual(bodies, [body(contentType, { text: '<b>Hello</b>' })]);
      assert.match(confirmations[0]?.detail ?? '', new RegExp(`${label}, 12 characters:\\n│ <b>Hello</b>$`));
      const isFlagged = confirmations[0]?.detail.includes('⚠ The service may refuse HTML');
      assert.equal(isFlagged, contentType === 'html');
    });
  }

  it('sends a file by name and URL, and accepts only web URLs', async () => {
    selectType('File');
    const boxes = type(' price list.pdf ', 'https://files.test/price.pdf');
    const { bodies, confirmations } = await runSendCommand('sendAs', Uri.file('/somewhere/prices.pdf'));
    const content = { fileName: 'price list.pdf', fileUrl: 'https://files.test/price.pdf' };
    assert.deepEqual(bodies, [body('file', content)]);
    assert.equal(boxes[0]?.value, 'prices.pdf');
    const check = async (text: string) => boxes[1]?.validateInput?.(text);
    for (const text of ['', 'price.pdf', 'file:///price.pdf', 'javascript:1', 'https://'])
      assert.equal(typeof (await check(text)), 'string', text);
    assert.equal(await check('http://files.test/a'), undefined);
    assert.match(confirmations[0]?.message ?? '', /^Send “price list.pdf” as Order Desk to 1 group\?$/);
    assert.match(confirmations[0]?.detail ?? '', /File:\n│ price list\.pdf\n│ https:\/\/files\.test\/price\.pdf$/);
  });

  it('sends an image by its key, and explains where keys come from', async () => {
    selectType('Image');
    const boxes = type('img-123.jpg');
    const { bodies, confirmations } = await runSendCommand('sendAs');
    assert.deepEqual(bodies, [body('image', { imageKey: 'img-123.jpg' })]);
    assert.match(boxes[0]?.prompt ?? '', /the service gave when the image was uploaded/);
    assert.match(confirmations[0]?.detail ?? '', /Image:\n│ img-123\.jpg$/);
  });

  it('keeps the input for a document, even after Escape', async () => {
    const file = Uri.file('/somewhere/kept.pdf');
    selectType('File');
    const values: (string | undefined)[] = [];
    const typing = ['kept', 'https://files.te', undefined, undefined];
    answer('showInputBox', (async ({ value, validateInput }: InputBoxOptions) => {
      values.push(value);
      const text = typing[values.length - 1];
      if (text !== undefined) validateInput?.(text);
      return values.length === 1 ? text : undefined;
    }) as unknown as typeof window.showInputBox);
    assert.deepEqual((await runSendCommand('sendAs', file)).bodies, []);
    const boxes = type('kept', undefined);
    await runSendCommand('sendAs', file);
    assert.deepEqual(values, ['kept.pdf', '']);
    assert.deepEqual(
      boxes.map((box) => box?.value),
      ['kept', 'https://files.te'],
    );
  });

  it('sends the selection as Markdown, and nothing without a selection', async () => {
    const editor = await open('# Not this\n\n**This** and\nthis\n');
    editor.selection = new Selection(2, 0, 3, 4);
    const { bodies, confirmations } = await runSendCommand('sendSelection');
    assert.deepEqual(bodies, [body('markdown', { text: '**This** and\nthis' })]);
    assert.match(confirmations[0]?.message ?? '', /^Send “selection of Untitled-\d+” as Order Desk/);
    editor.selection = new Selection(0, 0, 0, 0);
    assert.deepEqual((await runSendCommand('sendSelection')).bodies, []);
    assert.equal(messages.at(-1), 'Nothing is selected.');
  });

  it('sends selected code as code blocks, with the name of the file but not where it is on the computer', async () => {
    const lines = ['func main() {', '\tif a {', '\t\tb()', '\t}', '}', 'c'];
    const [folder] = workspace.workspaceFolders ?? [];
    const inside = Uri.joinPath(folder?.uri ?? assert.fail('no workspace'), 'src/main.code');
    for (const [file, name] of [
      [inside, 'src/main.code'],
      [Uri.joinPath(keeping().folder, 'main.code'), 'main.code'],
    ] as const) {
      await workspace.fs.writeFile(file, new TextEncoder().encode(lines.join('\r\n')));
      const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(file), 'python');
      const editor = await window.showTextDocument(document);
      editor.selections = [new Selection(5, 0, 5, 1), new Selection(3, 2, 1, 1)];
      const { bodies } = await runSendCommand('sendSelection');
      const text = `\`${name}\`\n\n\`\`\`python\nif a {\n\tb()\n}\n\`\`\`\n\n\`\`\`python\nc\n\`\`\``;
      assert.deepEqual(bodies, [body('markdown', { text })]);
      await workspace.fs.delete(file);
    }
    const untitled = await open('  a = 1', 'python');
    untitled.selection = new Selection(0, 0, 0, 7);
    const { bodies } = await runSendCommand('sendSelection');
    assert.deepEqual(bodies, [body('markdown', { text: '```python\na = 1\n```' })]);
  });

  it('sends one file from the Explorer, and asks to select one of several', async () => {
    const [file] = await workspace.findFiles('announcement.md');
    const text = (await workspace.openTextDocument(file as Uri)).getText();
    assert.deepEqual((await runSendCommand('sendActiveMarkdown', file, [file])).bodies, [body('markdown', { text })]);
    for (const command of ['sendActiveMarkdown', 'sendAs'])
      assert.deepEqual((await runSendCommand(command, file, [file, Uri.file('/b.md')])).bodies, []);
    assert.equal(messages.at(-1), 'Several files are selected. Select only one to send.');
  });

  it('compares a document with what was sent', async () => {
    const file = Uri.joinPath(keeping().folder, 'sale.md');
    const save = (text: string) => workspace.fs.writeFile(file, new TextEncoder().encode(text));
    const text = `---\nchat:\n  groups: [${GROUP}]\n---\n\nSale`;
    await save(text);
    await runSendCommand('sendActiveMarkdown', file);
    await save('Sold out');
    await commands.executeCommand('botChats.compareWithSent', file);
    const { input, label } = window.tabGroups.activeTabGroup.activeTab ?? assert.fail('nothing is open');
    assert.ok(input instanceof TabInputTextDiff);
    assert.match(label, /^sale\.md \(sent .*\) ↔ sale\.md$/);
    assert.equal(input.modified.toString(), file.toString());
    const sent = await workspace.openTextDocument(input.original);
    assert.deepEqual([sent.getText(), sent.languageId], [text, 'markdown']);
  });

  it('sends to groups and people, with spaces trimmed from the pasted token', async () => {
    const text = '# Hello\n\nfrom the editor';
    await send(text, [GROUP, '7058314']);
    for (const [id, type] of [
      [GROUP, 'group'],
      ['7058314', 'user'],
    ] as const) {
      const newest = await newestMessage(id, type);
      assert.equal(newest?.contentType, 'markdown');
      assert.deepEqual(newest?.content, { text });
    }
    assert.deepEqual(
      sendRequests().map(({ searchParams }) => searchParams.get('token')),
      [token, token],
    );
    assert.equal(messages.at(-1), 'Sent: 2 of 2 recipients reached.');
  });

  it('does not count a recipient as reached if the service does not list it', async () => {
    await send('For one and not for the other', ['7058314', REFUSING]);
    assert.match(messages.at(-1) ?? '', /^1 of 2 recipients reached\./);
  });

  it('warns about recipients who may already have the message until they are reached', async () => {
    service.sandbox.setFaults({
      faults: [
        { on: 'batch_send', fault: 'reset', work: 'done', times: 1 },
        { on: 'batch_send', fault: 'code', code: 1002, msg: '[x](command:y)', times: 1 },
      ],
    });
    await window.showTextDocument(await openUntitled('Once', 'markdown'));
    tick(({ description }) => description?.includes(GROUP) ?? false);
    const confirmations: string[] = [];
    const confirmedThrice = new Promise<void>((resolve) => {
      answer('showWarningMessage', (async (message: string, options: { modal?: boolean; detail?: string }) => {
        messages.push(message);
        if (!options.modal) return 'Resend to Missing Only…';
        confirmations.push(options.detail ?? '');
        if (confirmations.length < 3) return 'Send';
        resolve();
        return undefined;
      }) as typeof window.showWarningMessage);
    });
    await commands.executeCommand('botChats.sendActiveMarkdown');
    await confirmedThrice;
    assert.deepEqual(
      confirmations.map((detail) =>
        /⚠ .* already sent to Fern & Kettle|⚠ 1 recipient may already have this/.test(detail),
      ),
      [false, true, true],
    );
    assert.equal(sendRequests().length, 2);
    assert.ok(messages.some((message) => message.includes('[x]')));
    assert.ok(!messages.some((message) => message.includes('](command:')));
  });

  it('sends nothing without the confirmation', async () => {
    await send('Not to be sent', [GROUP], 'Cancel');
    assert.deepEqual(sendRequests(), []);
  });

  it('sends a document without its front matter, with its type and buttons', async () => {
    const block = ['chat:', '  type: html', '  buttons:', '    - text: Come', '      reports: yes-7'];
    await send(['---', 'title: Sale', ...block, '---', '', '<b>Now</b>'].join('\n'), [GROUP]);
    const newest = await newestMessage(GROUP, 'group');
    assert.equal(newest?.contentType, 'html');
    const buttons = [[{ text: 'Come', actionType: 3, value: 'yes-7' }]];
    assert.deepEqual(newest?.content, { text: '<b>Now</b>', buttons });
  });

  it('says why a document cannot be sent, and sends nothing', async () => {
    await send('---\nchat:\n  tipe: html\n  groups: 1\n---\nHi', [GROUP]);
    assert.match(messages.at(-1) ?? '', /can't be sent\. Unknown key tipe\. groups must be a list\.$/);
    assert.deepEqual(sendRequests(), []);
  });

  it('says that an empty document cannot be sent', async () => {
    await send('  \n', [GROUP]);
    assert.match(messages.at(-1) ?? '', /is empty/);
    assert.deepEqual(sendRequests(), []);
  });

  it('says that the token is missing after it was removed', async () => {
    await commands.executeCommand('botChats.removeToken');
    await send('No token', [GROUP]);
    assert.match(messages.at(-1) ?? '', /^No bot token is saved for http/);
    assert.deepEqual(sendRequests(), []);
  });
});

describe('A document other than Markdown', () => {
  it('is rejected before any prompt', async () => {
    const shown = onMessages();
    try {
      const file = Uri.joinPath(keeping().folder, 'plain.txt');
      await workspace.fs.writeFile(file, new TextEncoder().encode('Hello'));
      await commands.executeCommand('botChats.sendActiveMarkdown', file);
      assert.deepEqual(shown, ["plain.txt isn't a Markdown file."]);
    } finally {
      restore();
    }
  });
});
