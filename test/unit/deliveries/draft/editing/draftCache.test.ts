import assert from 'node:assert/strict';
import { type TextDocument, Uri } from 'vscode';
import type { ParsedDraft } from '../../../../../src/deliveries/draft/document/parseDraft.ts';
import type { ReadDraft } from '../../../../../src/deliveries/draft/draftReader.ts';
import { DraftCache } from '../../../../../src/deliveries/draft/editing/draftCache.ts';
import { type Deferred, deferred } from '../../../deferred.ts';

describe('What was read of a draft', () => {
  /** A document and its reads, each of which the test ends with a problem. */
  function slowDraft() {
    const uri = Uri.file('/drafts/a.md');
    const getText = () => 'Hi';
    const document = { version: 1, uri, getText } as { version: number } & TextDocument;
    const reads: Deferred<ReadDraft>[] = [];
    const drafts = new DraftCache({
      parse: () => ({ problems: [] }) as unknown as ParsedDraft,
      read: () => {
        const one = deferred<ReadDraft>();
        reads.push(one);
        return one.promise;
      },
    });
    const found = (text: string) => ({ problems: [{ text }] }) as unknown as ReadDraft;
    const texts = () => drafts.problems(document).map(({ text }) => text);
    return { document, reads, drafts, found, texts };
  }

  it('is that of the last version, even if reading the one before ends later', async () => {
    const { document, reads, drafts, found, texts } = slowDraft();
    const slow = drafts.read(document);
    document.version++;
    const fast = drafts.read(document);
    reads[1]?.resolve(found('now'));
    await fast;
    reads[0]?.resolve(found('before'));
    await slow;
    assert.deepEqual(texts(), ['now']);
    assert.equal(drafts.lastRead(document), await fast);
  });

  it('is what its file has now, for all who wait for it', async () => {
    const { document, reads, drafts, found, texts } = slowDraft();
    const slow = drafts.read(document);
    const fast = drafts.read(document);
    reads[1]?.resolve(found('now'));
    assert.deepEqual(await fast, found('now'));
    reads[0]?.resolve(found('before'));
    assert.deepEqual(await slow, found('now'));
    assert.deepEqual(texts(), ['now']);
  });

  it('is shown as soon as it’s read, although it’s being read again', async () => {
    const { document, reads, drafts, found, texts } = slowDraft();
    const [first] = [drafts.read(document), drafts.read(document)];
    reads[0]?.resolve(found('before'));
    assert.deepEqual(await first, found('before'));
    assert.deepEqual(texts(), ['before']);
  });
});
