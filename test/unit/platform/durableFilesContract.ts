/** What {@link DurableFiles} promise. The same tests run on each implementation. */
import assert from 'node:assert/strict';
import type { DurableFiles } from '../../../src/platform/durableFiles.ts';

/** Opens the same files in one more window. */
type OpenWindow = () => Promise<DurableFiles>;

/** @param newPlace resolves to a place without files, a new one for each test */
export function describeDurableFiles(where: string, newPlace: () => Promise<OpenWindow>): void {
  describe(`Durable files ${where}`, () => {
    let open: OpenWindow;
    let files: DurableFiles;
    let otherWindow: DurableFiles;
    const times = <T>(count: number, act: (index: number) => T) => Array.from({ length: count }, (_, i) => act(i));
    const namesIn = async (folder: string) => (await files.names(folder)).toSorted();
    const assertText = async (path: string, text: string | undefined) => {
      for (const window of [files, otherWindow]) assert.equal(await window.read(path), text);
    };

    beforeEach(async () => {
      open = await newPlace();
      files = await open();
      otherWindow = await open();
    });

    it('are none at first', async () => {
      assert.equal(await files.read('a/b'), undefined);
      assert.equal(await files.stat('a/b'), undefined);
      assert.deepEqual(await files.names('a'), []);
    });

    describe('write', () => {
      it('creates a file with its folders', async () => {
        await files.write('a/b/c', 'one');
        await assertText('a/b/c', 'one');
        assert.deepEqual([await namesIn('a'), await namesIn('a/b')], [['b'], ['c']]);
      });

      it('replaces a file, and all that was appended to it', async () => {
        await files.write('a/b', 'one');
        await files.append('a/b', ' and');
        await otherWindow.append('a/b', ' more');
        await otherWindow.write('a/b', 'two');
        await assertText('a/b', 'two');
        assert.equal((await files.stat('a/b'))?.size, 3);
        await files.append('a/b', '!');
        await assertText('a/b', 'two!');
      });

      it('never shows a part of a file', async () => {
        const texts = times(10, (index) => `${index}`.repeat(100_000));
        await files.write('a/b', texts[0] ?? '');
        let isWriting = true;
        const read = async () => {
          for (let count = 0; isWriting || count === 0; count++) {
            const text = await otherWindow.read('a/b');
            assert.ok(texts.includes(text ?? ''), `a part of ${text?.length} characters`);
          }
        };
        const write = async () => {
          for (const text of texts) await files.write('a/b', text);
          isWriting = false;
        };
        await Promise.all([read(), write()]);
      });

      it('keeps a text as it is', async () => {
        for (const text of ['', '\n', ' a\r\nb\0\u2028 ', '订单 \u{1f600}\u{20000}', '\ufeffa', 'e\u0301']) {
          await files.write('a/b', text);
          await assertText('a/b', text);
        }
      });

      it('keeps 10 MB', async () => {
        const text = '0123456789'.repeat(1_000_000);
        await files.write('a/b', text);
        await files.append('a/b', '订单');
        const read = (await otherWindow.read('a/b')) ?? '';
        // Not with `assert.equal`, which would print both.
        assert.ok(read === `${text}订单`, `${read.length} characters`);
        assert.equal((await files.stat('a/b'))?.size, 10_000_006);
        // It may be cut anywhere while it is written.
        const faces = `x${'\u{1f600}'.repeat(1_000_000)}`;
        await files.write('a/b', faces);
        assert.ok((await otherWindow.read('a/b')) === faces);
      });
    });

    describe('create', () => {
      it('creates a file in an existing folder', async () => {
        await files.write('a/b', '');
        assert.equal(await files.create('a/c', 'one'), true);
        await assertText('a/c', 'one');
        assert.deepEqual(await namesIn('a'), ['b', 'c']);
      });

      it('leaves an existing file alone', async () => {
        await files.write('a/written', 'written');
        await files.append('a/appended', 'appended');
        assert.equal(await files.create('a/created', 'created'), true);
        assert.equal(await files.create('a/empty', ''), true);
        for (const name of ['written', 'appended', 'created', 'empty']) {
          for (const window of [files, otherWindow]) assert.equal(await window.create(`a/${name}`, 'new'), false, name);
          await assertText(`a/${name}`, name === 'empty' ? '' : name);
        }
      });

      it('creates a file again after it was removed', async () => {
        await files.write('a/b', '');
        await files.create('a/c', 'one');
        await otherWindow.remove('a/c');
        assert.equal(await files.create('a/c', 'two'), true);
        await assertText('a/c', 'two');
      });

      it('succeeds in one of two windows', async () => {
        await files.write('a/b', '');
        for (let round = 0; round < 30; round++) {
          // Either window may be the first one to ask.
          const windows = round % 2 ? [files, otherWindow] : [otherWindow, files];
          const created = await Promise.all(windows.map((window, index) => window.create(`a/${round}`, `${index}`)));
          assert.equal(created.filter(Boolean).length, 1, `${created.filter(Boolean).length} windows created it`);
          await assertText(`a/${round}`, `${created.indexOf(true)}`);
        }
      });
    });

    describe('append', () => {
      it('creates a file in an existing folder', async () => {
        await files.write('a/b', '');
        await files.append('a/c', 'one');
        await assertText('a/c', 'one');
      });

      it('continues a file, in order', async () => {
        await files.write('a/b', 'start\n');
        for (let line = 0; line < 60; line++) await (line % 3 ? files : otherWindow).append('a/b', `${line}\n`);
        await assertText('a/b', `start\n${times(60, (line) => `${line}\n`).join('')}`);
      });

      it('keeps long texts whole that a window appends at once, in order', async () => {
        const texts = ['a', 'b', 'c'].map((letter) => `${letter.repeat(2_500_000)}\n`);
        await files.write('a/b', '');
        await Promise.all(texts.map((text) => files.append('a/b', text)));
        const lines = (await files.read('a/b'))?.split('\n').map((line) => new Set(line));
        assert.deepEqual(lines, [new Set('a'), new Set('b'), new Set('c'), new Set()]);
      });

      it('continues a file that was created', async () => {
        await files.write('a/b', '');
        await files.create('a/c', 'one');
        await files.append('a/c', ' two');
        await assertText('a/c', 'one two');
      });
    });

    describe('in a missing folder', () => {
      const assertRejected = async (folder: string) => {
        await assert.rejects(files.create(`${folder}/new`, 'text'));
        await assert.rejects(files.append(`${folder}/new`, 'text'));
        assert.equal(await files.read(`${folder}/new`), undefined);
        assert.deepEqual(await files.names(folder), []);
      };

      it('are neither created nor appended to', async () => {
        // Folders whose names begin alike.
        for (const path of ['ab/x', 'a-/x', 'a0/x', 'c/bb/x', 'c/b-']) await files.write(path, '');
        for (const folder of ['a', 'a/b', 'c/b']) await assertRejected(folder);
      });

      it('are neither created nor appended to after it was removed', async () => {
        await files.write('a/b/c', '');
        await files.append('a/b/journal', 'one');
        await files.write('a/c', '');
        await otherWindow.remove('a/b');
        await assertRejected('a/b');
      });

      it('are written', async () => {
        await files.write('a/b/c', '');
        await otherWindow.remove('a');
        await files.write('a/b/c', 'one');
        await assertText('a/b/c', 'one');
        assert.equal(await files.create('a/b/d', ''), true);
      });
    });

    describe('names', () => {
      it('lists the files and folders of a folder, each once', async () => {
        // Characters before and after the slash that separates names.
        const names = ['f', 'f!', 'f-', 'f-1', 'f 1', 'f.ndjson', 'f.txt', 'f0', 'f00', 'ff', '订单'];
        for (const [index, name] of names.entries()) {
          await files.write(`a/file-${name}`, '');
          await files.append(`a/file-${name}`, 'more');
          // Every second one is a folder, so that files and folders follow each other.
          await files.write(index % 2 ? `a/${name}` : `a/${name}/x`, '');
        }
        await files.write('a/f/y/z', '');
        await files.append('a/f/y/z', 'more');
        for (const path of ['a-/x', 'a.b/x', 'a0/x', 'aa/x', 'b/a/x']) await files.write(path, '');
        const expected = [...names, ...names.map((name) => `file-${name}`)].toSorted();
        assert.deepEqual(await namesIn('a'), expected);
        assert.deepEqual([await namesIn('a/f'), await namesIn('a/f/y')], [['x', 'y'], ['z']]);
      });
    });

    describe('remove', () => {
      it('removes a file, and none whose name begins alike', async () => {
        for (const name of ['b', 'b-', 'b.c', 'b0', 'bb']) await files.write(`a/${name}`, name);
        await files.append('a/b', 'more');
        await otherWindow.remove('a/b');
        await assertText('a/b', undefined);
        assert.equal(await files.stat('a/b'), undefined);
        assert.deepEqual(await namesIn('a'), ['b-', 'b.c', 'b0', 'bb']);
        await assertText('a/bb', 'bb');
      });

      it('removes a folder with its contents, and none whose name begins alike', async () => {
        const others = ['a-/b', 'a.b/b', 'a0/b', 'ab/b', 'b/a'];
        for (const path of ['a/b', 'a/c/d/e', ...others]) await files.write(path, path);
        await files.append('a/b', 'more');
        await otherWindow.remove('a');
        for (const path of ['a/b', 'a/c/d/e']) await assertText(path, undefined);
        assert.deepEqual(await files.names('a'), []);
        for (const path of others) await assertText(path, path);
      });

      it('ignores what is missing', async () => {
        await files.remove('a');
        await files.write('a/b', 'one');
        await files.remove('a/c');
        await files.remove('a/b/c');
        await files.remove('c/d');
        await assertText('a/b', 'one');
      });
    });

    describe('move', () => {
      it('gives a folder another name, and none whose name begins alike', async () => {
        for (const path of ['a/b/c', 'a/b/d/e', 'a/b-/c', 'a/b0/c']) await files.write(path, path);
        await files.append('a/b/c', ' and more');
        assert.equal(await files.move('a/b', 'a/f'), true);
        assert.deepEqual(await namesIn('a'), ['b-', 'b0', 'f']);
        assert.deepEqual(await namesIn('a/f'), ['c', 'd']);
        await assertText('a/f/c', 'a/b/c and more');
        await assertText('a/f/d/e', 'a/b/d/e');
        assert.deepEqual(await otherWindow.names('a/b'), []);
        await assert.rejects(otherWindow.create('a/b/new', ''));
      });

      it('leaves alone what has that name', async () => {
        for (const path of ['a/b/c', 'a/d/c']) await files.write(path, path);
        for (const window of [files, otherWindow]) assert.equal(await window.move('a/b', 'a/d'), false);
        for (const path of ['a/b/c', 'a/d/c']) await assertText(path, path);
      });

      it('moves no folder that is missing', async () => {
        await files.write('a/b/c', '');
        await otherWindow.remove('a/b');
        assert.equal(await files.move('a/b', 'a/d'), false);
        assert.equal(await files.move('e/b', 'e/d'), false);
        assert.deepEqual(await files.names('a'), []);
      });

      it('succeeds in one of two windows', async () => {
        for (let round = 0; round < 30; round++) {
          await files.write(`a/${round}/b`, `${round}`);
          const windows = round % 2 ? [files, otherWindow] : [otherWindow, files];
          const moved = await Promise.all(windows.map((window, at) => window.move(`a/${round}`, `a/to ${at}`)));
          assert.deepEqual(moved.toSorted(), [false, true]);
          assert.equal(await files.read(`a/to ${moved.indexOf(true)}/b`), `${round}`);
          await files.remove(`a/to ${moved.indexOf(true)}`);
        }
      });
    });

    describe('removeFolder', () => {
      const only = { name: 'c', text: 'one' };

      it('removes a folder with its contents, and none whose name begins alike', async () => {
        for (const path of ['a/b/c', 'a/b/d/e', 'a/b-/c', 'a/b0/c']) await files.write(path, 'one');
        assert.equal(await files.removeFolder('a/b', 'a/aside', only), true);
        assert.deepEqual([await namesIn('a'), await otherWindow.names('a/b')], [['b-', 'b0'], []]);
        assert.equal(await files.removeFolder('a/b-', 'a/aside'), true);
        assert.deepEqual(await namesIn('a'), ['b0']);
      });

      it('leaves alone what has another text, or no such file', async () => {
        await files.write('a/b/c', 'two');
        await files.write('a/d/e', 'one');
        for (const folder of ['a/b', 'a/d', 'a/missing'])
          assert.equal(await otherWindow.removeFolder(folder, 'a/aside', only), false);
        assert.equal(await files.removeFolder('a/missing', 'a/aside'), false);
        await assertText('a/b/c', 'two');
        await assertText('a/d/e', 'one');
        assert.deepEqual(await namesIn('a'), ['b', 'd']);
      });
    });

    describe('stat', () => {
      it('tells the size in bytes', async () => {
        const sizes: (number | undefined)[] = [];
        const measure = async () => sizes.push((await otherWindow.stat('a/b'))?.size);
        await files.write('a/b', '');
        await measure();
        await files.write('a/b', '订单');
        await measure();
        await files.append('a/b', '\u{1f600}a');
        await measure();
        await files.append('a/b', '');
        await measure();
        assert.deepEqual(sizes, [0, 6, 11, 11]);
      });

      it('tells when a file was last changed', async () => {
        const changed = async (path: string) => (await otherWindow.stat(path))?.mtime ?? assert.fail();
        await files.write('a/b', '');
        const written = await changed('a/b');
        // A later time comes once the clock of the files goes on.
        do {
          await new Promise((resolve) => setTimeout(resolve));
          await files.write('a/c', '');
        } while ((await changed('a/c')) <= written);
        await files.append('a/b', 'more');
        assert.ok((await changed('a/b')) >= (await changed('a/c')));
        // In other units, it would be another century.
        assert.match(new Date(written).toISOString(), /^20/);
      });
    });

    it('are all there when they are opened again', async () => {
      await files.write('a/written', 'one');
      await files.create('a/created', 'two');
      await files.append('a/written', ' and more');
      await files.write('b/removed', '');
      await files.remove('b');
      const again = await open();
      assert.deepEqual((await again.names('a')).toSorted(), ['created', 'written']);
      assert.deepEqual([await again.read('a/written'), await again.read('a/created')], ['one and more', 'two']);
      assert.deepEqual(await again.names('b'), []);
    });
  });
}
