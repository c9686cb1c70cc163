import assert from 'node:assert/strict';
import { type InputBoxOptions, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { DraftPrompt } from '../../../../src/deliveries/draft/draftPrompt.ts';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { answer, restore, type } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { closeDocuments } from '../../vscode-editors.ts';

describe('Sending a document as a chosen type', () => {
  let prompt: DraftPrompt;

  beforeEach(() => {
    prompt = new DraftPrompt(new DraftReader(newHost()));
  });
  afterEach(() => {
    restore();
    closeDocuments();
  });

  /** Selects an item of each list by a part of its label. Returns the labels of each. */
  const select = (...labels: string[]) => {
    const offered: string[][] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      const label = labels[offered.push(items.map((item) => item.label)) - 1] ?? '?';
      return items.find((item) => item.label.includes(label));
    }) as unknown as typeof window.showQuickPick);
    return offered;
  };

  it('takes the text of a document of any language', async () => {
    const content = '<b>Hello</b>';
    await window.showTextDocument(await workspace.openTextDocument({ content, language: 'plaintext' }));
    for (const [label, contentType] of [
      ['Markdown', 'markdown'],
      ['Text', 'text'],
      ['HTML', 'html'],
    ] as const) {
      select(label);
      assert.deepEqual((await prompt.ask())?.message, { contentType, content: { text: content } });
    }
  });

  it('is one of the open drafts if no document is active, or a file of any type', async () => {
    const draft = await workspace.openTextDocument({ content: 'The draft', language: 'markdown' });
    answer('activeTextEditor', undefined as never);
    answer('visibleTextEditors', [{ document: draft }] as never);
    const offered = select('Text', draft.uri.path);
    assert.deepEqual((await prompt.ask())?.message, { contentType: 'text', content: { text: 'The draft' } });
    assert.deepEqual(offered[1], [`$(markdown) ${draft.uri.path}`, '$(folder-opened) Choose a File…']);
    const filters: unknown[] = [];
    answer('showOpenDialog', (async (options) => {
      filters.push(options?.filters);
      return undefined;
    }) as typeof window.showOpenDialog);
    select('Text', 'Choose a File…');
    assert.equal(await prompt.ask(), undefined);
    answer('visibleTextEditors', []);
    select('Text');
    assert.equal(await prompt.ask(), undefined);
    assert.deepEqual(filters, [{}, {}]);
  });

  it('asks for the name and the URL of a file, and accepts only web URLs', async () => {
    select('File');
    const boxes = type(' price list.pdf ', 'https://files.test/price.pdf');
    const draft = await prompt.ask(Uri.file('/somewhere/prices.pdf'));
    assert.equal(draft?.name, 'price list.pdf');
    assert.deepEqual(draft.message, {
      contentType: 'file',
      content: { fileName: 'price list.pdf', fileUrl: 'https://files.test/price.pdf' },
    });
    assert.equal(boxes[0]?.value, 'prices.pdf');
    const check = (text: string) => boxes[1]?.validateInput?.(text);
    for (const text of ['', 'price.pdf', 'file:///price.pdf', 'javascript:1', 'https://'])
      assert.equal(typeof check(text), 'string', text);
    assert.equal(check('http://files.test/a'), undefined);
  });

  it('asks for the key of an image, and explains where keys come from', async () => {
    select('Image');
    const boxes = type('img-123.jpg');
    assert.deepEqual((await prompt.ask())?.message, { contentType: 'image', content: { imageKey: 'img-123.jpg' } });
    assert.match(boxes[0]?.prompt ?? '', /the service gave when the image was uploaded/);
  });

  it('keeps what was typed for a document, even after Escape', async () => {
    const file = Uri.file('/somewhere/kept.pdf');
    select('File');
    const values: (string | undefined)[] = [];
    const typing = ['kept', 'https://files.te'];
    answer('showInputBox', (async ({ value, validateInput }: InputBoxOptions) => {
      values.push(value);
      const text = typing[values.length - 1] ?? '';
      validateInput?.(text);
      return values.length === 1 ? text : undefined;
    }) as unknown as typeof window.showInputBox);
    assert.equal(await prompt.ask(file), undefined);
    select('File');
    const boxes = type('kept', undefined);
    await prompt.ask(file);
    assert.deepEqual(values, ['kept.pdf', '']);
    assert.deepEqual(
      boxes.map((box) => box?.value),
      ['kept', 'https://files.te'],
    );
  });
});
