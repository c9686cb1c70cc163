import assert from 'node:assert/strict';
import {
  Disposable,
  EventEmitter,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  type WindowState,
  workspace,
} from 'vscode';
import { registerOutbox } from '../../../src/outbox/index.ts';
import { answer, restore } from '../answers.ts';
import { newHost } from '../test-host.ts';

describe('The open report of a delivery', () => {
  const id = '000000000000001-deliver0';
  const report = Uri.parse(`bot-chats-report:/a.md?${id}`);
  const kept = { ...workspace };
  let focus: EventEmitter<WindowState>;
  let host: ReturnType<typeof newHost>;
  let outbox: ReturnType<typeof registerOutbox>;
  /** The reports that are read again. */
  let changed: string[];
  let view: { showReport(name: string, id: string): Promise<void> };

  beforeEach(() => {
    focus = new EventEmitter();
    changed = [];
    answer('onDidChangeWindowState', focus.event);
    Object.assign(workspace, {
      textDocuments: [{ uri: report }, { uri: Uri.file('/a.md') }] as TextDocument[],
      registerTextDocumentContentProvider: (scheme: string, { onDidChange }: TextDocumentContentProvider) =>
        onDidChange?.((uri) => changed.push(`${scheme} ${uri.query}`)) ?? new Disposable(() => {}),
    });
    class OutboxController {
      constructor(_host: unknown, _folder: unknown, given: typeof view) {
        view = given;
      }
      async act() {
        await view.showReport('a.md', id);
      }
      async close() {}
    }
    host = newHost();
    outbox = registerOutbox(host, async () => ({ OutboxController, stored: {} }) as never);
  });
  afterEach(async () => {
    await outbox.close();
    for (const one of outbox.disposables) one.dispose();
    restore();
    Object.assign(workspace, kept);
  });

  it('is read again when the window gets the focus: another one may have sent something', async () => {
    focus.fire({ focused: false, active: false });
    assert.deepEqual(changed, []);
    focus.fire({ focused: true, active: true });
    assert.deepEqual(changed, [`bot-chats-report ${id}`]);
  });

  it('is read again when it’s opened again', async () => {
    await host.commands.run('openReport', id);
    assert.deepEqual(changed, [`bot-chats-report ${id}`]);
  });

  it('is read again when the outbox is refreshed', async () => {
    await host.commands.run('refreshOutbox');
    assert.deepEqual(changed, [`bot-chats-report ${id}`]);
  });
});
