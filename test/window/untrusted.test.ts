import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWindow, type Window } from '../host/window.ts';
import { hoverText } from './seeing.ts';

describe('A folder that is not trusted', () => {
  let window: Window;

  before(async () => {
    window = await openWindow({
      settings: { 'botChats.service.sandbox': true, 'botChats.people': ['7102649'] },
      untrusted: {
        'botChats.service.sandbox': false,
        'botChats.service.webUrl': 'https://elsewhere.invalid',
        'botChats.service.openApiUrl': 'https://elsewhere.invalid',
        'botChats.people': ['7230581'],
        'botChats.hover.lookUp': 'never',
        'botChats.ids.pattern': 'nothing',
        'botChats.ids.showNames': true,
      },
    });
    await writeFile(join(window.folder, 'ids.md'), 'Of the settings: 7102649\n\nOf the folder: 7230581\n');
    await window.openFile('ids.md');
  });
  after(() => window?.close());

  it('has no say in which IDs are known, what they look like and what is asked for them', async () => {
    const { page } = window;
    await page.getByText('Restricted Mode').first().waitFor();
    await page.locator('.detected-link', { hasText: '7102649' }).waitFor();
    await hoverText(page, '7230581');
    const card = page.locator('.monaco-hover:visible');
    // Not listed, as the folder would have it, and looked up all the same.
    await card.getByText('Tom Brackwater').waitFor();
    await card.getByText('Add to Sidebar').waitFor();
    await window.screenshot('untrusted-hover');
    assert.equal(await page.getByText('闻山禾').count(), 0);
  });

  it('has links that lead to what is known of an ID', async () => {
    const { page } = window;
    await page.keyboard.press('Escape');
    await page.keyboard.down('Control');
    await hoverText(page, '7102649');
    await page.mouse.down();
    await page.mouse.up();
    await page.keyboard.up('Control');
    await page.locator('.quick-input-widget:visible').getByText('闻山禾').first().waitFor();
    await window.screenshot('untrusted-profile');
  });
});
