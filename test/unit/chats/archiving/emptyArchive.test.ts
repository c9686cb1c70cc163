import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { registerArchiving } from '../../../../src/chats/archiving/index.ts';
import { lazy } from '../../../../src/platform/defer.ts';
import { newHost } from '../../test-host.ts';

const CHAT = { service: 'https://a.example', kind: 'group', id: '5', botId: '3' } as const;

describe('An archive', () => {
  it('is loaded for the rows and pages of other features only once there may be one', async () => {
    const host = newHost();
    const stored = lazy(host.stored);
    const { archive, archived, disposables } = registerArchiving({ ...host, stored });
    assert.deepEqual([await archived.list(), await archive.list(CHAT, { latest: 10 })], [[], undefined]);
    assert.equal(stored.loaded, undefined);
    await mkdir(join(host.storageUri.fsPath, 'archive'), { recursive: true });
    assert.deepEqual([await archived.list(), await archive.list(CHAT, { latest: 10 })], [[], undefined]);
    assert.ok(stored.loaded);
    for (const one of disposables) one.dispose();
  });
});
