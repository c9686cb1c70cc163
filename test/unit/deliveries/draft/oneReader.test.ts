import assert from 'node:assert/strict';
import test from 'node:test';
import { commands, type Disposable, type FileSystemProvider, FileType, Uri, workspace } from 'vscode';
import type { Draft } from '../../../../src/deliveries/draft/draftReader.ts';
import { registerDrafts } from '../../../../src/deliveries/draft/index.ts';
import type { RecipientTable } from '../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { registerOutbox } from '../../../../src/deliveries/outbox/index.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import { registerSending } from '../../../../src/deliveries/send/index.ts';
import { ToPreview } from '../../../../src/protocol/preview.ts';
import { PanelPage, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { newConnection } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { diagnosticsOf } from './editing/drafts.ts';

const DRAFT = '---\nchat:\n  recipients: customers.csv\n  kind: person\n---\n\nHi {{name}}';

describe('A file of recipients', () => {
  const connection = newConnection();
  const disposables: Disposable[] = [];
  const pages = usePages((title) => new PanelPage(ToPreview, title));
  withoutDelays();

  after(() => {
    for (const one of disposables) one.dispose();
    connection.dispose();
    closeDocuments();
  });

  it('is read once for the checks and the preview of its draft, and parsed again for sending only if it has changed', async () => {
    let reads = 0;
    let content = 'id,name,city\n7058314,Ann,Rome';
    const provider = {
      stat: () => ({ type: FileType.File, ctime: 0, mtime: 1, size: 4 }),
      readFile: ({ path }: Uri) => {
        if (path.endsWith('csv')) reads++;
        return new TextEncoder().encode(path.endsWith('csv') ? content : DRAFT);
      },
    };
    const host = newHost({ connection });
    const sent: (RecipientTable | undefined)[] = [];
    const sending = test.mock.method(
      DraftSender.prototype,
      'sendDraft',
      async ({ table }: Draft) => void sent.push(table),
    );
    const outbox = registerOutbox(host);
    const drafts = registerDrafts(host, host.edits);
    disposables.push(
      workspace.registerFileSystemProvider('counted', provider as unknown as FileSystemProvider),
      ...drafts.disposables,
      ...outbox.disposables,
      ...registerSending(host, outbox, drafts.reader, {
        chosen: () => [],
        seen: (act) => async (id) => void (await act(id)),
      }).disposables,
    );
    const document = await workspace.openTextDocument(Uri.parse('counted://a/draft.md'));
    await diagnosticsOf(document.uri, ({ length }) => length === 1);
    await commands.executeCommand('botChats.preview', document.uri);
    await pages.last.load();
    assert.equal(reads, 1);
    const { table } = await (await drafts.reader()).read(document);
    await commands.executeCommand('botChats.sendActiveMarkdown', document.uri);
    assert.equal(reads, 2);
    assert.equal(sent.length, 1);
    assert.equal(sent[0], table);
    content = 'id,name,city\n7058314,Bob,Rome';
    await commands.executeCommand('botChats.sendActiveMarkdown', document.uri);
    assert.deepEqual(
      Array.from(sent[1]?.rows.values() ?? [], ({ cells }) => cells),
      [['7058314', 'Bob', 'Rome']],
    );
    await outbox.close();
    sending.mock.restore();
  });
});
