import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { TabInputText, Uri, type window, workspace } from 'vscode';
import { parseDraft } from '../../../../src/deliveries/draft/document/parseDraft.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { hasDocument } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import {
  closeUntitled,
  draftOf,
  MAX_CHATS,
  openMessage,
  sentDocument,
} from '../../../../src/deliveries/outbox/sentDocument.ts';
import type { Outgoing } from '../../../../src/service/message.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, restore } from '../../answers.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { deliveryOf, groups, planBatches } from './testDeliveries.ts';

const image: Outgoing = { contentType: 'image', content: { imageKey: 'k' } };

const markdown = (text: string): Outgoing => ({ contentType: 'markdown', content: { text } });

describe('The document of a delivery', () => {
  it('is what it was when it was sent, if it was stored', () => {
    for (const document of ['---\nchat:\n  groups: [big] # the town\n---\r\nHi ', '']) {
      assert.equal(sentDocument({ document, message: markdown('Hi') }), document);
    }
  });

  it('is otherwise the text of its message, without front matter unless that says something', () => {
    assert.equal(sentDocument({ message: markdown('# Hi\n') }), '# Hi\n');
    assert.equal(sentDocument({ message: markdown('Hi --- all') }), 'Hi --- all');
    assert.equal(sentDocument({ message: image }), '');
    assert.equal(sentDocument({ message: markdown('Hi {{name}}'), variables: ['name'] }), 'Hi {{name}}');
    assert.equal(sentDocument({ message: markdown('Hi {{name}}') }), 'Hi \\{{name}}');
    const message: Outgoing = { contentType: 'html', content: { text: '<b>Hi</b>' } };
    assert.equal(sentDocument({ message }), '---\nchat:\n  type: html\n---\n\n<b>Hi</b>');
  });

  it('is otherwise one that sends the same message', () => {
    const buttons = [
      [
        { text: 'Open', actionType: 1, url: 'https://a.test' },
        { text: 'Copy', actionType: 2, value: '7' },
      ],
      [{ text: 'Yes', actionType: 3, value: 'yes' }],
    ];
    const messages: Outgoing[] = [
      markdown('# Hi\n\nThere'),
      markdown('---\ntype: html\n---\nnot front matter'),
      { contentType: 'markdown', content: { text: 'Hi', buttons } },
      { contentType: 'text', content: { text: 'Hi', buttons: buttons.slice(1) } },
      { contentType: 'html', content: { text: '<b>Hi</b>' } },
    ];
    for (const message of messages) {
      const parsed = parseDraft(sentDocument({ message }), { keepFrontMatter: false, audiences: () => [] });
      assert.deepEqual(parsed.message, message);
    }
  });

  it('exists only if the text of a saved document was sent', () => {
    const has = (changes: Partial<Delivery>) => hasDocument(deliveryOf([], changes));
    const source = 'file:///a.md';
    assert.deepEqual(
      [has({}), has({ source }), has({ source, message: image }), has({ source, message: image, document: 'x' })],
      [false, true, false, true],
    );
  });
});

describe('A message that is opened', () => {
  let shown: { text: string; language: string; options: object }[];
  let isClosed: boolean;
  const tab = (uri: Uri, viewColumn: number) => ({ input: new TabInputText(uri), group: { viewColumn } });
  const showTabs = (...all: ReturnType<typeof tab>[]) => {
    const close = async (tabs: unknown[]) => {
      isClosed = tabs.length === 1;
    };
    answer('tabGroups', { all: [{ tabs: all }], close } as unknown as typeof window.tabGroups);
  };
  const open = async (changes: Partial<Delivery> = {}, opened?: string, ids = ['a', 'b']) => {
    const address = await openMessage(new DeliveryStatus(deliveryOf(planBatches(groups(...ids), 9), changes)), opened);
    return { ...(shown.at(-1) ?? assert.fail()), address: `${address}` };
  };
  const fileWith = async (text: string) => {
    const uri = Uri.file(`${temporaryPath('document')}.md`);
    await writeFile(uri.fsPath, text);
    return uri;
  };

  beforeEach(() => {
    shown = [];
    isClosed = false;
    answer('showTextDocument', (async (document: { getText(): string; languageId: string }, options: object) => {
      shown.push({ text: document.getText(), language: document.languageId, options });
    }) as unknown as typeof window.showTextDocument);
  });
  afterEach(() => {
    restore();
    closeDocuments();
  });

  it('is its document, in the tab that this has, or the file that it was saved as', async () => {
    const [source, saved] = [await fileWith('The document'), await fileWith('Saved')];
    showTabs(tab(Uri.file('/other.md'), 1), tab(source, 2));
    const address = `${source}`;
    assert.deepEqual(await open({ source: address }, `${saved}`), {
      text: 'The document',
      language: 'markdown',
      options: { viewColumn: 2 },
      address,
    });
    const { text, options } = await open({ source: 'file:///gone/away.md' }, `${saved}`);
    assert.match((await open({ source: address, message: image })).text, /^---\nchat:\n {2}type: "image"/);
    assert.deepEqual([text, options], ['Saved', {}]);
  });

  it('is the document without a file that it was sent from, by its address or its text', async () => {
    const [one, other] = [
      await workspace.openTextDocument({ content: 'Hello' }),
      await workspace.openTextDocument({ content: 'Edited' }),
    ];
    assert.equal((await open({ document: 'Hello' })).address, `${one.uri}`);
    assert.equal((await open({ document: 'Hi' }, `${other.uri}`)).text, 'Edited');
    assert.notEqual((await open({})).address, `${one.uri}`);
    const hidden = Uri.parse('untitled:Untitled-hidden');
    assert.notEqual((await open({}, `${hidden}`)).address, `${hidden}`);
    showTabs(tab(hidden, 1));
    assert.equal((await open({}, `${hidden}`)).address, `${hidden}`);
  });

  it('is otherwise a new draft of it, to its recipients if they are at most 1,000', async () => {
    const head = '---\nchat:\n  type: text\n  bot: "30481126"\n';
    const draft = `${head}  groups:\n    - "a" # group a\n    - "b" # group b\n---\n\nHello`;
    for (const source of [undefined, 'file:///gone/away.md', 'nonsense'])
      assert.equal((await open({ source })).text, draft);
    const namesOf = async (count: number) => {
      const { text } = await open(
        {},
        undefined,
        Array.from({ length: count }, (_, at) => `${at}`),
      );
      return text.match(/ {4}- /g)?.length;
    };
    assert.deepEqual([await namesOf(MAX_CHATS), await namesOf(MAX_CHATS + 1)], [1_000, undefined]);
  });

  it('is a draft of its type', () => {
    const draft = (message: object) => draftOf(deliveryOf([], { message: message as never }), []);
    const buttons = [[{ text: 'Yes', actionType: 3, value: 'yes' }]];
    assert.equal(
      draft({ contentType: 'image', content: { imageKey: '$& "key"', buttons } }),
      '---\nchat:\n  type: "image"\n  imageKey: "$& \\"key\\""\n  bot: "30481126"\n' +
        '  buttons:\n    - - text: "Yes"\n        reports: "yes"\n---\n\n',
    );
    assert.equal(
      draft({ contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://a.test/a.pdf' } }),
      '---\nchat:\n  type: "file"\n  fileName: "a.pdf"\n  fileUrl: "https://a.test/a.pdf"\n  bot: "30481126"\n---\n\n',
    );
    const link = [[{ text: 'Open', actionType: 1, url: 'https://a.test' }]];
    assert.equal(
      draft({ contentType: 'markdown', content: { text: 'Hi {{a}}', buttons: link } }),
      '---\nchat:\n  type: markdown\n  bot: "30481126"\n' +
        '  buttons:\n    - - text: "Open"\n        opens: "https://a.test"\n---\n\nHi \\{{a}}',
    );
    const personal = { ...deliveryOf([]), message: markdown('Hi {{a}}'), variables: ['a'] };
    assert.match(draftOf(personal, []), /Hi \{\{a\}\}$/);
  });

  it('has the language in which its text means what was sent', async () => {
    const cases: [Delivery['message']['contentType'], string, string, Partial<Delivery>?][] = [
      ['html', '<b>{{name}}</b>', 'html'],
      ['text', 'Hi', 'plaintext'],
      ['text', '---\nchat:\n  type: text\n---\nHi', 'markdown'],
      ['markdown', 'Hi', 'markdown'],
      // Plain text can be sent as Markdown, where these braces would be a variable.
      ['markdown', 'Hi {{name}}', 'plaintext'],
      ['markdown', 'Hi `{{name}}`', 'markdown'],
      ['markdown', 'Hi {{name}}', 'markdown', { message: markdown('Hi \\{{name}}') }],
      ['markdown', 'Hi {{name}}', 'markdown', { variables: ['name'] }],
    ];
    for (const [contentType, document, language, changes] of cases) {
      const message = { contentType, content: { text: document } } as Outgoing;
      assert.equal((await open({ document, message, ...changes })).language, language, document);
      closeDocuments();
    }
    assert.equal((await open()).language, 'markdown');
  });

  it('is closed once it was sent, if it has no file and exactly the text that the outbox has', async () => {
    const closes = async (text: string, document: string | undefined, path?: string) => {
      isClosed = false;
      const one = path ? await workspace.openTextDocument(Uri.parse(`untitled:${path}`)) : undefined;
      const { uri } = one ?? (await workspace.openTextDocument({ content: text }));
      showTabs(tab(Uri.file('/other.md'), 1), tab(uri, 1));
      await closeUntitled({ ...deliveryOf([]), document }, `${uri}`);
      return isClosed;
    };
    assert.deepEqual(
      [
        await closes('Hi', 'Hi'),
        await closes('Hi!', 'Hi'),
        await closes('Hi', undefined),
        await closes('', '', '/a.md'),
      ],
      [true, false, false, false],
    );
    const { applyEdit } = workspace;
    workspace.applyEdit = async () => false;
    assert.equal(await closes('Hi', 'Hi'), false);
    workspace.applyEdit = applyEdit;
  });
});
