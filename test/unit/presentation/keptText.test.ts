import assert from 'node:assert/strict';
import { STORAGE_PLACES } from '../../../src/platform/storagePlace.ts';
import { Store } from '../../../src/platform/store.ts';
import { archiveKeptText, outboxNote } from '../../../src/presentation/keptText.ts';
import { memento } from '../memory.ts';

describe('The text about where things are kept', () => {
  it('is said of the outbox, but not on this computer', () => {
    const store = new Store(memento());
    for (const [place, text] of [
      ['here', undefined],
      ['container', /in this container, and is deleted with it/],
      ['remote', /on the remote computer until you delete it there/],
      ['browser', /in this site's data, and is gone if you clear that/],
    ] as const) {
      const note = outboxNote(store, place);
      if (text) assert.match(note?.text ?? '', text);
      else assert.equal(note, text);
    }
  });

  it('is said of the outbox once for each kind of place', async () => {
    const store = new Store(memento());
    for (const place of ['container', 'remote'] as const) {
      assert.ok(outboxNote(store, place));
      await outboxNote(store, place)?.remember();
    }
    assert.deepEqual(
      STORAGE_PLACES.filter((place) => outboxNote(store, place)),
      ['browser'],
    );
  });

  it('is said of the archive each time', () => {
    assert.match(archiveKeptText('here'), /on this computer until you delete them/);
    assert.match(archiveKeptText('container'), /in this container, and are deleted with it/);
    assert.match(archiveKeptText('remote'), /on the remote computer until/);
  });
});
