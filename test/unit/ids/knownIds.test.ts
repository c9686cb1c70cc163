import assert from 'node:assert/strict';
import { Range, WorkspaceEdit, workspace } from 'vscode';
import { KnownIds } from '../../../src/ids/knownIds.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import type { Reference } from '../../../src/service/model.ts';
import { settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';
import { connectionTo, serviceOf } from '../test-service.ts';
import { closeDocuments } from '../vscode-editors.ts';

describe('The known IDs', () => {
  let service: Service;
  let open: () => Promise<Service>;
  let known: KnownIds;
  let mentionedIds: MentionedIds;

  beforeEach(() => {
    service = serviceOf(async () => {});
    open = async () => service;
    mentionedIds = new MentionedIds();
    known = new KnownIds(newHost({ connection: connectionTo(() => open()), mentionedIds }));
  });
  afterEach(() => {
    known.dispose();
    closeDocuments();
  });

  it('are read again if no service could be used', async () => {
    open = () => Promise.reject(new Error('not now'));
    assert.equal(await known.read(), undefined);
    open = async () => service;
    assert.equal((await known.read())?.service, service);
  });

  it('are none without a service, which is not opened for them', async () => {
    let opened = 0;
    const connection = connectionTo(async () => {
      opened++;
      return service;
    });
    const state = async () => 'none' as const;
    const none = new KnownIds(newHost({ connection: Object.assign(connection, { state }) }));
    assert.equal(await none.read(), undefined);
    assert.equal(opened, 0);
    none.dispose();
  });

  it('say nothing once they are no longer used', async () => {
    const changes: string[] = [];
    known.onDidChange((change) => changes.push(change));
    await known.read();
    known.dispose();
    await service.directory.get('user', '7102649');
    await settled();
    assert.deepEqual(changes, []);
  });

  it('are read once until they change', async () => {
    assert.equal(await known.read(), await known.read());
    const before = await known.read();
    known.invalidate();
    assert.notEqual(await known.read(), before);
  });

  it('are those of a draft that is edited, opened or closed, but not of another document', async () => {
    const drafted: Reference[] = [];
    mentionedIds.addSource(async () => [...drafted]);
    const kindOf = async (id: string) => (await known.read())?.kindOf(id);
    const change = async (language: string) => {
      const document = await workspace.openTextDocument({ content: 'a', language });
      await known.read();
      drafted.push({ kind: 'user', id: language });
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, 0, 1), 'b');
      await workspace.applyEdit(edit);
    };
    await change('markdown');
    assert.equal(await kindOf('markdown'), 'user');
    await change('python');
    assert.equal(await kindOf('python'), undefined);
    closeDocuments();
    assert.equal(await kindOf('python'), 'user');
  });

  it('say once whether IDs or only names have changed, however often they were read', async () => {
    mentionedIds.add([{ kind: 'user', id: '7058314' }]);
    const changes: string[] = [];
    known.onDidChange((change) => changes.push(change));
    await known.read();
    known.invalidate();
    await known.read();
    await service.directory.get('user', '7058314');
    await service.directory.get('user', '7102649');
    await settled();
    assert.deepEqual(changes, ['ids', 'names', 'ids']);
  });
});
