import { openWindow, type Window } from '../host/window.ts';

const people = Array.from({ length: 3_000 }, (_, at) => `${7_200_000 + at}`);

describe('The list of recipients', () => {
  let window: Window;
  const input = () => window.page.locator('.quick-input-widget');
  const row = (text: string) => input().locator('.monaco-list-row', { hasText: text }).first();
  const shows = (text: string) => input().getByText(text, { exact: true }).first().waitFor();
  const shot = (name: string) => window.screenshot(`recipients-${name}`);

  before(async () => {
    const audiences = {
      customers: { groups: ['518204736', 'big'], people: ['7058314'] },
      thousands: { people },
      odd: 3,
    };
    window = await openWindow({ settings: { 'botChats.service.sandbox': true, 'botChats.audiences': audiences } });
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Active Markdown…');
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await row('customers').waitFor();
  });
  after(() => window?.close());

  it('has the members of an audience ticked with it, and unticked with it', async () => {
    await row('customers').click();
    await shows('3 of 3 ticked');
    await shows('4 Selected');
    await row('thousands').click();
    await shows('3,000 of 3,000 ticked');
    await row('thousands').click();
    await shows('0 of 3,000 ticked');
    await shows('4 Selected');
    await shot('1-audience');
  });

  it('unticks an audience with its first member, and ticks it with its last', async () => {
    await row('518204736').click();
    await shows('2 of 3 ticked');
    await shows('2 Selected');
    await row('518204736').click();
    await shows('3 of 3 ticked');
    await shows('4 Selected');
    await row('518204736').click();
    await shows('2 Selected');
  });

  it('comes back as it was after an audience was saved', async () => {
    await input().getByRole('button', { name: 'Save as Audience…' }).click();
    await shows('Save as Audience');
    await window.page.keyboard.type('friends');
    await window.page.keyboard.press('Enter');
    await row('friends').waitFor();
    await shows('2 of 2 ticked');
    await shows('3 Selected');
  });

  it('has pasted IDs ticked by name', async () => {
    await input().getByRole('button', { name: 'Paste IDs…' }).click();
    await shows('Paste IDs');
    await window.page.keyboard.type('531048827，7102649 nosuch');
    await window.page.keyboard.press('Enter');
    await row('add as a group').waitFor();
    await shot('2-unclear');
    await window.page.keyboard.press('Escape');
    await row('friends').waitFor();
    await shows('5 Selected');
    await shot('3-pasted');
  });

  it('leads to a question that shows all recipients when asked', async () => {
    await row('thousands').click();
    await shows('3,000 of 3,000 ticked');
    await input().locator('input:focus').waitFor();
    await window.page.keyboard.press('Enter');
    const dialog = window.page.getByRole('dialog');
    const question = dialog.getByText('as Order Desk to 3,004 chats (groups: 2, people: 3,002)?');
    await question.waitFor();
    await dialog.getByText('⚠ Very many recipients: 3,004.').waitFor();
    await shot('4-question');
    await dialog.getByRole('button', { name: 'Show All' }).click();
    await shows('All Recipients');
    await row('Board games after work').waitFor();
    await window.page.keyboard.press('Escape');
    await question.waitFor();
  });
});
