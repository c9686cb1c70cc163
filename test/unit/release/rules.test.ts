import assert from 'node:assert/strict';
import {
  brokenLinks,
  changelogSection,
  isPreRelease,
  loadedWith,
  strangersIn,
  versionProblem,
} from '../../release/rules.ts';

describe('A release', () => {
  it('has a version that the Marketplace takes, and its tag', () => {
    assert.deepEqual(versionProblem('1.2.3', undefined), []);
    assert.deepEqual(versionProblem('1.2.3', 'v1.2.3'), []);
    assert.deepEqual(versionProblem('1.2.3', 'v1.2.4'), ["The tag v1.2.4 isn't v1.2.3, as package.json says."]);
    assert.deepEqual(versionProblem('1.2.3', '1.2.3').length, 1);
    for (const version of ['1.2', '1.2.3-beta', '01.2.3', 'v1.2.3'])
      assert.equal(versionProblem(version, undefined).length, 1);
  });

  it('is a pre-release if its minor version is odd', () => {
    assert.deepEqual(['1.2.3', '1.3.0', '0.10.1', '2.11.0'].map(isPreRelease), [false, true, false, true]);
  });

  it("has the changelog's section of its version", () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-02\n\n### Added\n\n- Wings.\n\n## [1.0.0]\n\n- Legs.\n';
    assert.equal(changelogSection(changelog, '1.1.0'), '### Added\n\n- Wings.');
    assert.equal(changelogSection(changelog, '1.0.0'), '- Legs.');
    assert.equal(changelogSection(changelog, 'Unreleased'), '');
    assert.equal(changelogSection(changelog, '1.1'), '');
  });
});

describe('Links of a document', () => {
  const broken = (text: string) =>
    brokenLinks(
      'docs/a.md',
      (path) => ({ 'docs/a.md': text, 'docs/b.md': '# One & two\n' })[path] ?? '',
      new Set(['docs/b.md', 'c.png']),
    );

  it('lead to files and headings that exist, or to the web', () => {
    assert.deepEqual(
      broken('# Top\n[b](b.md) [c](../c.png "C") [one](b.md#one--two) [top](#top) [web](https://example.com/x#y)'),
      [],
    );
    assert.deepEqual(broken('<img src="../c.png"> `[no](link.md)`\n```\n[no](link.md)\n```\n'), []);
  });

  it('are broken otherwise', () => {
    assert.deepEqual(broken('[d](d.md)\n<img src="d.png">'), [
      "docs/a.md leads to d.md, which doesn't exist.",
      "docs/a.md leads to d.png, which doesn't exist.",
    ]);
    assert.deepEqual(broken('[x](#x) [y](b.md#y) [plain](http://example.com)').length, 3);
  });
});

describe('A part of the extension', () => {
  it('is loaded with what it imports at once, and what that imports', () => {
    const output = (...imports: [path: string, kind: 'dynamic-import' | 'import-statement'][]) => ({
      bytes: 1,
      inputs: {},
      exports: [],
      imports: imports.map(([path, kind]) => ({ path, kind })),
    });
    const outputs = {
      'a.js': output(['b.js', 'import-statement'], ['later.js', 'dynamic-import']),
      'b.js': output(['c.js', 'import-statement'], ['a.js', 'import-statement']),
      'c.js': output(),
      'later.js': output(),
    };
    assert.deepEqual(loadedWith('a.js', outputs), ['a.js', 'b.js', 'c.js']);
  });

  it('brings along neither another feature nor a large library that it may not have', () => {
    const inputs = [
      'src/chats/history/historyPanel.ts',
      'src/chats/history/commands/formats.ts',
      'src/presentation/card.ts',
      'src/chats/log/log.ts',
      'src/chats/archiving/archiveController.ts',
      'src/sidebar/watch/watcher.ts',
      'src/sidebar/watch/chatWatch.ts',
      'node_modules/valibot/dist/index.mjs',
      'node_modules/yaml/browser/index.js',
      'node_modules/markdown-it/index.mjs',
    ];
    const allowed = ['chats/history', 'chats/log', 'presentation/card.ts', 'yaml'];
    assert.deepEqual(strangersIn(inputs, allowed, ['chats/history', 'chats/history/commands', 'sidebar']), [
      'chats/archiving',
      'chats/history/commands',
      'markdown-it',
      'sidebar/watch',
    ]);
  });
});
