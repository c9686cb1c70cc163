import assert from 'node:assert/strict';
import { CancellationTokenSource, EventEmitter, MarkdownString, Range, workspace } from 'vscode';
import { candidatePattern } from '../../../src/ids/findIds.ts';
import { NameHints } from '../../../src/ids/inlayHints.ts';
import type { KnownIds, KnownSnapshot } from '../../../src/ids/knownIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import type { Kind } from '../../../src/service/model.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing } from '../directory/held-directory.ts';
import { closeDocuments } from '../vscode-editors.ts';
import { withoutDelays } from '../withoutDelays.ts';

describe('Names beside IDs', () => {
  const changed = new EventEmitter<'ids' | 'names'>();
  let known: KnownSnapshot;
  let hints: NameHints;
  withoutDelays();
  let settings: { hoverLookUp: 'known' | 'never' };

  /** A service, in which IDs are of a kind. */
  const use = (kind: Kind = 'user', service = held()) => {
    known = {
      service: service as object as Service,
      candidates: candidatePattern([]),
      listed: new Map(),
      isListedOrMentioned: () => true,
      kindOf: (id) => (/^7\d{6}$/.test(id) ? kind : undefined),
    };
    return service;
  };
  const { token } = new CancellationTokenSource();
  const shown = async (content = 'Ask 7058314', range = new Range(0, 0, 0, 11)) =>
    hints.provideInlayHints(await workspace.openTextDocument({ content, language: 'plaintext' }), range, token);
  const labels = async () => (await shown()).map(({ label }) => label);

  beforeEach(() => {
    settings = { hoverLookUp: 'known' };
    const ids = { read: async () => known, onDidChange: changed.event } as unknown as KnownIds;
    hints = new NameHints(ids, settings);
  });
  afterEach(() => {
    hints.dispose();
    closeDocuments();
  });

  it('follow the ID, with an untrusted card on hover', async () => {
    const service = use();
    assert.deepEqual(await shown(), []);
    await service.answer('Alice');
    const [hint, more] = await shown('Ask 7058314, or 7654321 in 99.', new Range(0, 0, 0, 12));
    assert.deepEqual([hint?.label, hint?.position.character, more], ['Alice', 11, undefined]);
    assert.equal(hint?.paddingLeft, true);
    assert.ok(hint?.tooltip instanceof MarkdownString && !hint.tooltip.isTrusted);
    assert.match(hint.tooltip.value, /\*\*ID:\*\* 7058314/);
  });

  it('are not looked up if lookups are turned off', async () => {
    const service = use();
    settings.hoverLookUp = 'never';
    await shown();
    await settled();
    assert.deepEqual(service.requests(), []);
  });

  it('are those that the user gave, of whatever was not looked up, and none that say only the ID', async () => {
    const { directory } = use();
    settings.hoverLookUp = 'never';
    directory.setLabels([{ kind: 'user', id: '7058314', label: 'Ali' }]);
    const [hint] = await shown();
    assert.deepEqual([hint?.label, hint?.tooltip], ['Ali', undefined]);
    directory.setLabels([{ kind: 'user', id: '7058314', label: '7058314' }]);
    assert.deepEqual(await labels(), []);
  });

  it('are none if VS Code no longer asks for them', async () => {
    const service = use();
    const canceled = new CancellationTokenSource();
    canceled.cancel();
    const document = await workspace.openTextDocument({ content: '7058314', language: 'plaintext' });
    assert.deepEqual(await hints.provideInlayHints(document, new Range(0, 0, 0, 7), canceled.token), []);
    await settled();
    assert.deepEqual(service.requests(), []);
  });

  it('are requested again even while new IDs keep arriving', async () => {
    let isAsked = false;
    hints.onDidChangeInlayHints(() => {
      isAsked = true;
    });
    while (!isAsked) {
      changed.fire('ids');
      await settled();
    }
  });

  it('are not looked up for lines scrolled past', async () => {
    const service = use();
    const ids = Array.from({ length: 300 }, (_, at) => `${7_000_000 + at}`);
    await shown(ids.join('\n'), new Range(0, 0, 99, 7));
    await settled();
    const first = service.requests();
    await shown(ids.join('\n'), new Range(100, 0, 299, 7));
    await settled();
    // Those in progress are all from the first hundred lines, and are canceled for the visible ones.
    const canceled = service.asked.filter(({ signal }) => signal.aborted).map(({ what }) => what);
    assert.deepEqual(canceled, first);
    const then = service.requests().slice(first.length);
    assert.ok(then.length > 0 && then.every((one) => one >= 'user 7000100'), String(then));
    // They are looked up again for whoever scrolls back.
    await shown(ids.join('\n'), new Range(0, 0, 99, 7));
    await settled();
    const back = service.requests().slice(first.length + then.length);
    assert.ok(back.length > 0 && back.every((one) => first.includes(one)), String(back));
  });

  it('are truncated at a character boundary', async () => {
    const service = use();
    await shown();
    await service.answer(`${'x'.repeat(39)}👍👍`);
    assert.deepEqual(await labels(), [`${'x'.repeat(39)}…`]);
  });

  it('are not looked up again for a while after a failure', async () => {
    const service = use();
    assert.deepEqual(await labels(), []);
    await service.answer(broken());
    assert.deepEqual(await labels(), []);
    await settled();
    assert.deepEqual(service.requests(), ['user 7058314']);
  });

  it('are looked up again if there was none for an ID a while ago', async () => {
    const service = use('group');
    const first = assert.rejects(service.directory.get('group', '7058314'));
    await service.answer(missing('group', '7058314'));
    await first;
    service.clock.now = MINUTE;
    await labels();
    await service.answer('The shop');
    assert.deepEqual(await labels(), ['The shop']);
  });

  it('are looked up at once in another service, although the one before was closed meanwhile', async () => {
    const before = use();
    await labels();
    await settled();
    before.directory.dispose();
    await before.answer(broken());
    const now = use();
    await labels();
    await now.answer('Ana');
    assert.deepEqual(await labels(), ['Ana']);
  });

  it('are looked up at once if an ID turns out to be of another kind', async () => {
    const service = use();
    await labels();
    await service.answer(broken());
    use('group', service);
    await labels();
    await service.answer('The shop');
    assert.deepEqual(await labels(), ['The shop']);
  });
});
