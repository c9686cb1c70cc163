import assert from 'node:assert/strict';
import manifest from '../../../../package.json' with { type: 'json' };

const { commands, keybindings, languageModelTools, menus, views } = manifest.contributes;

/** Commands of the archive, by their names. */
const ARCHIVE = /[aA]rchive|searchMessages|showStatistics/;

const IN_ARCHIVE = 'view == botChats.archive';
const EXCEPT_IN_BROWSER = '!botChats.inBrowser';

describe('The archive in a browser', () => {
  it('has no view', () => {
    const view = views.botChats.find(({ id }) => id === 'botChats.archive');
    // Without a remote window, that is certain before the extension is activated.
    assert.equal(view?.when, `${EXCEPT_IN_BROWSER} && (!isWeb || remoteName)`);
  });

  it('has no commands', () => {
    for (const [menu, entries] of Object.entries(menus)) {
      for (const { command = '', when } of entries as { command?: string; when: string }[]) {
        if (!ARCHIVE.test(command)) continue;
        const isHidden = when === 'false' || when.startsWith(EXCEPT_IN_BROWSER) || when.startsWith(IN_ARCHIVE);
        assert.ok(isHidden, `${menu}: ${command}`);
      }
    }
    // Without an entry, a command is in the palette.
    const inPalette = new Set(menus.commandPalette.map(({ command }) => command));
    const names = commands.map(({ command }) => command).filter((command) => ARCHIVE.test(command));
    assert.deepEqual(
      names.filter((command) => !inPalette.has(command)),
      [],
    );
    for (const { command, when } of keybindings) {
      if (ARCHIVE.test(command)) assert.ok(when.startsWith(EXCEPT_IN_BROWSER), command);
    }
  });

  it('has no tool', () => {
    const tool = languageModelTools.find(({ name }) => name === 'botchats_search');
    assert.ok(tool?.when.startsWith(EXCEPT_IN_BROWSER));
  });
});
