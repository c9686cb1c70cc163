import assert from 'node:assert/strict';
import type { Listed } from '../../src/service/message.ts';
import { listed } from './messages.ts';
import { all, assertHarmless, html, markdown, one, open, posted, text, textIn } from './sharedHistory.ts';

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

/** Fields of a form as the service may send them: with labels, values and IDs, or without. */
const FIELDS = [
  { id: 'a', label: 'Size', value: 'large' },
  { label: 'Colour', value: null },
  { label: 'Pieces', value: 3 },
  { label: '', value: 'no label' },
  { label: '', value: null },
  'none',
];
const NO_CARD = '```json\n{"version":"v0.9","updateComponents":{"components":[]}}\n```';

/** A message of each kind that is shown as a card, and the text of that. */
const CARDS: [message: Listed, text: string][] = [
  [of('audioCall', { text: 'Call ended, 00:12' }), 'Voice call\n\nCall ended, 00:12'],
  [of('videoCall', { text: 'Missed' }), 'Video call\n\nMissed'],
  [of('liveAudio', { text: 'Has begun' }), 'Live audio\n\nHas begun'],
  [of('unknown', { text: 'Update the app.' }), 'Message type “unknown”\n\nUpdate the app.'],
  [a2ui(CARD), "Interactive card, which can't be used here\n\nBook a table👌\nName"],
  [a2ui([]), `Interactive card, which can't be used here\n${NO_CARD}`],
  [of('post', { text: 'How to brew tea', postId: '9' }), 'Post\n\nHow to brew tea'],
  [of('post', { postTitle: 'Tea', text: 'How to brew it' }), 'Post\nTea\n\nHow to brew it'],
  [of('post', { postTitle: 'Tea', postContent: '**hot** <b>', postContentType: 1 }), 'Post\nTea\n\n**hot** <b>'],
  [of('post', { postTitle: 'Tea', postContent: '**hot**', postContentType: '2' }), 'Post\nTea\n\nhot'],
  [of('post', { postTitle: 'Tea', postContent: '**hot**', postContentType: 7 }), 'Post\nTea\n\n**hot**'],
  [of('form', { formJson }), 'Form\nCity\n北京\nDays\nMon, Tue\nFast\n☐\nlong text\nSize\n—'],
  [of('form', { formJson: FIELDS }), 'Form\nSize\nlarge\nColour\n—\nPieces\n3\nno label'],
  [of('text', { text: '', formJson: [{ label: 'Fast[.OK]', value: '@Ann\u200B a' }] }), 'Form\nFast👌\n@Ann a'],
  [of('image', { imageName: 'cat.png', imageUrl: 'cat.png' }), 'Image · cat.png'],
  [of('image', { imageUrl: 'cat.png' }), 'Image\ncat.png'],
  [of('file', { fileName: 'notes.pdf', fileUrl: 'notes.pdf', fileSize: 5 }), 'File · 5 bytes\nnotes.pdf'],
  [of('file', { fileName: 'holiday\u202Egpj.exe' }), 'File\nholiday⟨U+202E⟩gpj.exe'],
  [of('file', { fileName: 'notes.pdf', fileKey: 'k/7f3a' }), 'File\nnotes.pdf\nKey: k/7f3a\nCopy'],
  [of('video', { videoUrl: 'cat.mp4', videoDuration: 3_700 }), 'Video · 1:01:40\ncat.mp4'],
  [of('video', { videoKey: 'k/v', videoDuration: 4 }), 'Video · 0:04\nKey: k/v\nCopy'],
  [of('audio', { audioUrl: 'purr.m4a', audioDuration: 7.4 }), 'Audio · 0:07\npurr.m4a'],
  [of('audio', { audioKey: 'k/a' }), 'Audio\nKey: k/a\nCopy'],
  [
    of('expression', { imageName: 'wave.webp', expressionId: '7', stickerPackId: 3 }),
    'Sticker\nwave.webp\nExpression ID: 7 · Sticker pack ID: 3',
  ],
  [
    of('expression', { imageName: 'sticker/20/wave.webp', expressionId: 0, stickerId: 41 }),
    'Sticker\nsticker/20/wave.webp\nSticker ID: 41',
  ],
];

describe('A card', () => {
  it('says what kind of message it is, and has its texts, names and keys', async () => {
    await open(
      CARDS.map(([message]) => message),
      { pictures: true, height: 4000 },
    );
    await all('.card')
      .nth(CARDS.length - 1)
      .waitFor();
    await one('.card-text strong').waitFor();
    const shown = await all('.card').allInnerTexts();
    for (const [index, [, text]] of CARDS.entries()) assert.equal(shown[index], text);
    assert.equal(await all('a, img, video, audio').count(), 0);
    await assertHarmless();
  });

  it('is below or above the text that comes with it', async () => {
    await open([
      of('text', { text: 'My answers', formJson: [{ label: 'Fast', type: 'switch', value: true }] }),
      of('file', { fileName: 'notes.pdf', text: 'Read this[.OK]' }),
      of('image', { imageName: 'a.png', text: 'Look' }),
    ]);
    await all('.text').nth(2).waitFor();
    const shown = await all('.text, .card').allInnerTexts();
    assert.deepEqual(shown, ['My answers', 'Form\nFast\n☑', 'File\nnotes.pdf', 'Read this👌', 'Image · a.png', 'Look']);
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
});
