import assert from 'node:assert/strict';
import { CancellationTokenSource, EventEmitter, Range, type TextDocument } from 'vscode';
import { candidatePattern } from '../../../src/ids/findIds.ts';
import { NameHints } from '../../../src/ids/inlayHints.ts';
import type { KnownIds, KnownSnapshot } from '../../../src/ids/knownIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import type { Kind } from '../../../src/service/model.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing } from '../directory/held-directory.ts';

const DOCUMENT = { lineCount: 1, lineAt: () => ({ text: 'Ask 7058314' }), languageId: 'plaintext' } as unknown;

describe('Names beside IDs', () => {
  const changed = new EventEmitter<'ids' | 'names'>();
  let known: KnownSnapshot;
  let hints: NameHints;

  const use = ({ directory }: ReturnType<typeof held>, kind: Kind = 'user') => {
    known = {
      service: { directory } as Service,
      candidates: candidatePattern([]),
      listed: new Map(),
      isListedOrMentioned: () => true,
      kindOf: () => kind,
    };
  };
  const labels = async () => {
    const { token } = new CancellationTokenSource();
    const shown = await hints.provideInlayHints(DOCUMENT as TextDocument, new Range(0, 0, 0, 11), token);
    return shown.map(({ label }) => label);
  };

  beforeEach(() => {
    const ids = { read: async () => known, onDidChange: changed.event } as unknown as KnownIds;
    hints = new NameHints(ids, { hoverLookUp: 'known' });
  });
  afterEach(() => hints.dispose());

  it('are not looked up again for a while after a failure', async () => {
    const service = held();
    use(service);
    assert.deepEqual(await labels(), []);
    await service.answer(broken());
    assert.deepEqual(await labels(), []);
    await settled();
    assert.deepEqual(service.requests(), ['user 7058314']);
  });

  it('are looked up again if there was none for an ID a while ago', async () => {
    const service = held();
    use(service, 'group');
    const first = assert.rejects(service.directory.get('group', '7058314'));
    await service.answer(missing('group', '7058314'));
    await first;
    service.clock.now = MINUTE;
    await labels();
    await service.answer('The shop');
    assert.deepEqual(await labels(), ['The shop']);
  });

  it('are looked up at once in another service, although the one before was closed meanwhile', async () => {
    const [before, now] = [held(), held()];
    use(before);
    await labels();
    await settled();
    before.directory.dispose();
    await before.answer(broken());
    use(now);
    await labels();
    await now.answer('Ana');
    assert.deepEqual(await labels(), ['Ana']);
  });

  it('are looked up at once if an ID turns out to be of another kind', async () => {
    const service = held();
    use(service);
    await labels();
    await service.answer(broken());
    use(service, 'group');
    await labels();
    await service.answer('The shop');
    assert.deepEqual(await labels(), ['The shop']);
  });
});
