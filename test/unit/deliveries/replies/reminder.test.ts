import assert from 'node:assert/strict';
import { type SaveDialogOptions, Uri, window, workspace } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { openReminder } from '../../../../src/deliveries/replies/repliesPanel.ts';
import { fileName } from '../../../../src/presentation/fileDialogs.ts';
import { chatKey } from '../../../../src/service/model.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { BOT, deliveryOf, groups } from '../outbox/testDeliveries.ts';

describe('A reminder', () => {
  const delivery = deliveryOf([], { id: '001700000000000-deliver0' });
  const host = newHost();

  before(() => {
    host.commands.run = async () => {};
  });
  afterEach(() => {
    restore();
    closeDocuments();
  });
  const opened = () => (window.activeTextEditor ?? assert.fail('no editor')).document;
  const read = async () => {
    const document = opened();
    return new DraftReader(host).read({
      getText: () => `${document.getText()}Please answer.`,
      uri: Uri.file(document.uri.path),
    });
  };

  it('is addressed to exactly these recipients, as the same bot', async () => {
    const message = { contentType: 'text', content: { text: 'Hello,\nwho will come?' } } as const;
    await openReminder({ ...delivery, message }, groups('a', 'b'), host);
    assert.match(opened().getText(), /who will come\?/);
    const { parsed, problems } = await read();
    assert.deepEqual(
      [parsed.follows, parsed.bot?.id, parsed.recipients.map(({ id }) => id), problems],
      [delivery.id, BOT, ['a', 'b'], []],
    );
  });

  it('lists many in a file beside it, which the user saves', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      kind: 'user' as const,
      id: `${1_000 + at}`,
      // The last one's name isn't known.
      name: at < 999 ? `=A${at}` : `${1_000 + at}`,
    }));
    const file = Uri.file(`${temporaryPath('without-an-answer')}.csv`);
    answer('showSaveDialog', (async () => file) as typeof window.showSaveDialog);
    await openReminder(delivery, [...many, ...groups('g')], host);
    const { parsed, table } = await read();
    assert.equal(parsed.follows, delivery.id);
    assert.equal(opened().uri.path.replace(/\.md$/, '.csv'), file.path);
    assert.deepEqual([table?.counts.user, table?.counts.group], [1_000, 1]);
    const nameOf = (id: string) => table?.rows.get(chatKey({ kind: 'user', id }))?.cells[2];
    assert.deepEqual(['1998', '1999'].map(nameOf), ['=A998', '']);
    // Spreadsheets need the mark to show names, and would save them as they show them.
    assert.match(`${Buffer.from(await workspace.fs.readFile(file))}`, /^\uFEFF"id","kind","name"\r\n/);
    await workspace.fs.delete(file);
  });

  it('proposes to save many as a CSV file with the name of the document', async () => {
    const proposed: unknown[] = [];
    answer('showSaveDialog', (async ({ defaultUri, filters }: SaveDialogOptions) => {
      proposed.push([fileName(defaultUri ?? assert.fail()), filters]);
    }) as typeof window.showSaveDialog);
    const many = groups(...Array.from({ length: 1_001 }, (_, at) => `g${at}`));
    for (const name of ['party.md', 'v1.2 is out.md', '']) await openReminder({ ...delivery, name }, many, host);
    assert.deepEqual(
      proposed,
      ['party.csv', 'v1.2 is out.csv', 'recipients.csv'].map((name) => [name, { CSV: ['csv'] }]),
    );
  });

  it('opens nothing if saving is canceled, or there is nobody', async () => {
    const shown = onMessages();
    answer('showSaveDialog', (async () => undefined) as typeof window.showSaveDialog);
    const many = groups(...Array.from({ length: 1_001 }, (_, at) => `g${at}`));
    await openReminder(delivery, many, host);
    await openReminder(delivery, [], host);
    assert.equal(window.activeTextEditor, undefined);
    assert.deepEqual(shown, ['There are no such recipients.']);
  });
});
