import assert from 'node:assert/strict';
import { checksOf } from './axe.ts';
import { listed } from './messages.ts';
import {
  all,
  assertHarmless,
  historyPage,
  html,
  markdown,
  one,
  open,
  openFresh,
  posted,
  text,
  textIn,
} from './sharedHistory.ts';

type Content = Record<string, unknown>;

const of = (contentType: string, content: Content) => listed({ contentType, content });
const CARD = [
  { component: 'Text', text: 'Book a table[.OK]' },
  { component: 'TextField', label: 'Name', value: { path: '/name' } },
];
const a2ui = (components: unknown) =>
  of('a2ui', {
    text: `\`\`\`json\n${JSON.stringify({ version: 'v0.9', updateComponents: { components } })}\n\`\`\``,
    buttons: [[{ text: '好的[.OK]', actionType: 3, value: 'ok' }]],
  });
const formJson = {
  a: { id: 'a', type: 'select', label: 'City', selectIndex: 1, selectValue: '北京' },
  b: { id: 'b', type: 'checkbox', label: 'Days', selectValues: ['Mon', 'Tue'] },
  c: { id: 'c', type: 'switch', label: 'Fast', value: false },
  d: { id: 'd', type: 'textarea', label: null, value: 'long text' },
  e: { id: 'e', type: 'radio', label: 'Size', options: ['S', 'L'] },
};

/** Messages of the kinds that have more than a text. */
const kinds = () => [
  of('audioCall', { text: 'Call ended, 00:12' }),
  of('videoCall', { text: 'Missed' }),
  of('liveAudio', { text: 'Has begun' }),
  of('post', { text: 'How to brew tea', postId: '9' }),
  of('unknown', { text: 'Update the app to see this.' }),
  a2ui(CARD),
  a2ui([]),
  of('form', { formJson }),
  of('text', { text: 'My answers', formJson }),
  of('file', { fileKey: 'k/7f3a', fileName: 'notes.pdf' }),
  of('expression', { imageName: 'sticker/20/wave.webp', expressionId: 0, stickerId: 41, stickerPackId: 3 }),
  text('@Alice Fernhollow\u200B 好的[.OK][.点赞]\u200B, a\u200Bb [.nobody]'),
  markdown('**@Alice**\u200B 好的[.OK]\u200B `[.OK]`'),
];

describe('A message with a text of another kind', () => {
  it('is that text, with what it is', async () => {
    await open(kinds().slice(0, 5));
    await all('.card').nth(4).waitFor();
    assert.deepEqual(await all('.card').allInnerTexts(), [
      'Voice call\n\nCall ended, 00:12',
      'Video call\n\nMissed',
      'Live audio\n\nHas begun',
      'Post\n\nHow to brew tea',
      'Message type “unknown”\n\nUpdate the app to see this.',
    ]);
    await assertHarmless();
  });

  it('is the texts of an interactive card, or else its source', async () => {
    await open([a2ui(CARD), a2ui([])]);
    await all('.card').nth(1).waitFor();
    assert.deepEqual(await all('.card').allInnerTexts(), [
      "Interactive card, which can't be used here\n\nBook a table👌\nName",
      'Interactive card, which can\'t be used here\n```json\n{"version":"v0.9","updateComponents":{"components":[]}}\n```',
    ]);
    assert.equal(await textIn('.preview-button'), '好的👌');
  });
});

describe('A form with choices', () => {
  it('shows what was chosen, and whether a switch is on', async () => {
    await open([of('form', { formJson })]);
    assert.equal(await textIn('.card'), 'Form\nCity\n北京\nDays\nMon, Tue\nFast\n☐\nlong text\nSize\n—');
  });

  it('is below the text that it comes with', async () => {
    await open([of('text', { text: 'My answers', formJson: [{ label: 'Fast', type: 'switch', value: true }] })]);
    assert.equal(await textIn('.text'), 'My answers');
    assert.equal(await textIn('.card'), 'Form\nFast\n☑');
    await open([of('text', { text: '', formJson: [{ label: 'Fast[.OK]', value: '@Ann\u200B a' }] })]);
    assert.equal(await textIn('.card'), 'Form\nFast👌\n@Ann a');
    assert.equal(await all('.tip').count(), 0);
  });
});

describe('Media with a text', () => {
  it('shows the text below', async () => {
    await open([
      of('file', { fileName: 'notes.pdf', text: 'Read this[.OK]' }),
      of('image', { imageName: 'a.png', text: 'Look' }),
      of('post', { postTitle: 'Tea', text: 'How to brew it' }),
    ]);
    await all('.text').nth(2).waitFor();
    assert.deepEqual(await all('.text').allInnerTexts(), ['Read this👌', 'Look', 'How to brew it']);
    assert.equal(await all('.card').nth(2).innerText(), 'Post\nTea\n\nHow to brew it');
  });
});

describe('Media without an address', () => {
  it('shows its name and its key, to copy', async () => {
    const key = { fileName: 'notes.pdf' };
    await open([
      of('file', { ...key, fileKey: 'k/7f3a' }),
      of('video', { videoKey: 'k/v', videoDuration: 4 }),
      of('audio', { audioKey: 'k/a' }),
    ]);
    await all('.card').nth(2).waitFor();
    assert.deepEqual(await all('.card').allInnerTexts(), [
      'File\nnotes.pdf\nKey: k/7f3a\nCopy',
      'Video · 0:04\nKey: k/v\nCopy',
      'Audio\nKey: k/a\nCopy',
    ]);
    await historyPage.page.getByRole('button', { name: 'Copy' }).first().click();
    assert.deepEqual(await posted('copy'), [{ type: 'copy', text: 'k/7f3a' }]);
  });

  it('of a sticker shows its name', async () => {
    await open([of('expression', { imageName: 'sticker/20/wave.webp', stickerId: 41, stickerPackId: 3 })]);
    assert.equal(await textIn('.card'), 'Sticker\nsticker/20/wave.webp\nSticker ID: 41 · Sticker pack ID: 3');
  });
});

describe('Mentions and emoji codes', () => {
  it('are shown as apps do, without the mark that ends them', async () => {
    await open([text('@Ann B\u200B 好的[.OK][.点赞]\u200B, a\u200Bb [.nobody]')]);
    assert.equal(await textIn('.text'), '@Ann B 好的👌👍, a⟨U+200B⟩b [.nobody]');
    await open([markdown('**@Ann**\u200B 好的[.OK]\u200B `[.OK]`')]);
    assert.equal(await textIn('.markdown'), '@Ann 好的👌 [.OK]');
    assert.equal(await textIn('.markdown code'), '[.OK]');
    await open([html('<p>@Ann&#8203; [.OK]&#8203;</p><pre>[.OK]</pre>')]);
    await one('.html-page pre').waitFor();
    assert.equal(await textIn('.html-page'), '@Ann 👌\n\n[.OK]');
  });

  it('are drawn in notes, quotations, posts and buttons, too', async () => {
    const buttons = [[{ text: 'c[.OK]', actionType: 2, value: '[.OK]' }]];
    await open([
      of('text', { text: 'Hi', tip: 'a[.OK]\u200B', parent: 'Ann : b[.OK]', buttons }),
      of('post', { postTitle: 'd[.OK]', postContent: 'e[.OK]' }),
    ]);
    await one('.card-text').waitFor();
    assert.equal(await textIn('.tip'), 'a👌');
    assert.match(await textIn('.quote'), /b👌$/);
    assert.equal(await textIn('.preview-button'), 'c👌');
    assert.equal(await textIn('.card'), 'Post\nd👌\n\ne👌');
    await one('.preview-button').click();
    assert.deepEqual(await posted('copy'), [{ type: 'copy', text: '[.OK]' }]);
  });

  it('claim no mention that the text has', async () => {
    await open([
      of('text', { text: '@Ann\u200B and @Ann\u200B', at: ['1'] }),
      of('text', { text: '@全体成员 hi', at: ['all'] }),
      of('text', { text: 'hi', at: ['1', '1', '2'] }),
    ]);
    await one('.tip').waitFor();
    assert.deepEqual(await all('.tip').allInnerTexts(), ['Mentions 1, 2']);
  });
});

describe('The kinds of messages', () => {
  it('pass axe in all themes', async () => {
    await openFresh(kinds(), { height: 2600 });
    const { found, checkInAllThemes } = checksOf(historyPage);
    await one('.markdown').waitFor();
    await checkInAllThemes('kinds of messages');
    await historyPage.page.screenshot({ path: 'out/screenshots/kinds of messages, dark.png' });
    assert.deepEqual(found, {});
    await historyPage.close();
  });

  it('have names in Chinese', async () => {
    await openFresh(kinds(), { height: 2600, language: 'zh-cn' });
    await all('.card').nth(9).waitFor();
    await historyPage.page.screenshot({ path: 'out/screenshots/kinds of messages, zh-cn.png' });
    assert.deepEqual((await all('.card-title').allInnerTexts()).slice(0, 8), [
      '语音通话',
      '视频通话',
      '语音直播',
      '帖子',
      '消息类型“unknown”',
      '交互卡片，无法在此处操作',
      '交互卡片，无法在此处操作',
      '表单',
    ]);
    assert.match(await all('.card').nth(7).innerText(), /Fast\n☐/);
    await historyPage.close();
  });
});
