import * as v from 'valibot';
import { Listed } from '../../src/service/message.ts';

let count = 0;

/** A message with these fields as the service lists it, one minute after the previous one. */
export function listed(fields: Record<string, unknown>): Listed {
  count++;
  const sender = { senderId: '30481126', senderType: 'bot', senderNickname: 'Order Desk' };
  const sendTime = Date.UTC(2025, 4, 6, 9, 0) + count * 60_000;
  return v.parse(Listed, { msgId: `m${count}`, parentId: '', ...sender, sendTime, ...fields });
}

/** A PNG of 240 by 120 pixels in one color. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAAB4AgAAAACjbThaAAAAMUlEQVR42u3LIQEAAAwCMPpHISUR' +
    'Lm43v/QhsizLsizLsizLsizLsizLsizLtwGxxK5Pe5zEXQAAAABJRU5ErkJggg==',
  'base64',
);

/** Messages of every kind, well-meant and hostile. */
export function kinds(): Listed[] {
  const content = (contentType: string, fields: object) => listed({ contentType, content: fields });
  const code = [
    `\`\`\`ts\n// A greeting\nexport function greet(name: string, times = 3): string {\n  return \`Hi, \${name}!\`.repeat(times);\n}\n\`\`\``,
    '```python\n@cached\ndef total(items: list[int]) -> int:\n    """Adds up."""\n    return sum(items) if items else None\n```',
    '```json\n{ "open": true, "seats": 12, "names": ["a", null] }\n```',
    '```css\n.card:hover { color: #ff0000; margin: 4px 2em; }\n```',
    '```diff\n- old line\n+ new line\n```',
    '```xml\n<note to="all"><!-- soon --><b>Hi</b></note>\n```',
  ];
  return [
    content('text', {
      text: 'The shop is open again. 商店重新开门了。\nSee https://shop.example/new and come by.',
      tip: 'Sent to all members',
    }),
    content('markdown', {
      text: '# Menu\n\n| Dish | Price | Left |\n|:--|--:|:-:|\n| Soup | 12.50 | 3 |\n| Bread | 4.00 | many |\n\n- [x] Soup cooked\n- [ ] Bread *baked*\n  - [ ] by **noon**\n\n1. First\n2. Second\n\n> Well said\n\n`inline` and [a link](https://shop.example) and ![a picture](https://shop.example/soup.png)',
    }),
    content('markdown', { text: code.join('\n\n') }),
    content('image', {
      imageUrl: 'https://shop.example/soup.png',
      imageName: 'soup.png',
      imageWidth: 240,
      imageHeight: 120,
      imageKey: 'k/soup',
    }),
    content('image', { imageUrl: 'https://shop.example/gone', imageName: 'gone.jpg', imageKey: 'img/7f3a' }),
    content('image', { imageKey: 'img/7f3a9c' }),
    content('file', { fileName: 'price list.pdf', fileUrl: 'https://shop.example/prices.pdf', fileSize: 1_536_000 }),
    content('file', { fileName: 'holiday\u202Egpj.exe', fileUrl: 'file:///C:/holiday.exe', fileSize: 99 }),
    content('html', {
      text: '<h2>Weekly report</h2><p>Sales are <b>up</b>, see <a href="https://evil.example/x">https://shop.example/report</a>.</p><table><tr><th>Day<th>Sold<tr><td>Mon<td>12</table><script>alert(1)</script><form><input value=x><button>Log in</button></form>',
    }),
    listed({
      contentType: 'text',
      parentId: 'gone',
      content: {
        text: 'Both, please.',
        parent: `Alice Fernhollow : Soup or bread? ${'There is enough of it. '.repeat(20)}`,
      },
    }),
    content('text', { text: 'It has arrived.', parent: 'Tom : Here it is', parentFileName: 'invoice.pdf' }),
    content('tip', { text: 'Alice Fernhollow is now an administrator.' }),
    content('video', { videoUrl: 'https://shop.example/v.mp4', videoDuration: 83, etag: 'e' }),
    content('video', { videoUrl: 'kettle-in-use.mp4', videoDuration: 4 }),
    content('audio', { audioUrl: 'https://shop.example/a.m4a?t=5f000000', audioDuration: 7 }),
    content('expression', { imageName: 'thumbs-up.webp', expressionId: '12', stickerId: '0', stickerPackId: '5' }),
    content('post', {
      postId: '99',
      postTitle: 'How to brew fern tea',
      postContent: 'Use **soft** water:\n\n- 80 °C\n- three minutes',
      postContentType: 2,
    }),
    content('form', {
      formJson: { a: { label: 'Period', value: 'Yesterday' }, b: { label: 'Remarks', value: null } },
    }),
    content('image', {
      imageUrl: 'https://shop.example/soup.png?sign=a&t=5f000000',
      imageName: 'soup.png',
      imageWidth: 240,
      imageHeight: 120,
    }),
    content('text', { text: '@Alice Fernhollow\u200B the soup is ready.', at: ['7058314'] }),
    content('liveAudio', { room: 7, more: { any: ['thing', null] } }),
    content('text', {
      text: 'Hidden: a\u202Eb\u200Bc. Not hidden: می‌خواهم, 👩‍👩‍👧, 🏴󠁧󠁢󠁥󠁮󠁧󠁿, שלום עולם',
      buttons: [
        [
          { text: 'Open the shop', actionType: 1, url: 'https://shop.example' },
          { text: 'Copy the code', actionType: 2, value: 'SOUP-12' },
          { text: 'Order one', actionType: 3, value: 'order:soup' },
        ],
        [{ text: 'What is this?', actionType: 9 }],
        Array.from({ length: 8 }, (_, index) => ({
          text: `Table ${index + 1}`,
          actionType: 3,
          value: `table:${index}`,
        })),
        [
          {
            text: 'A label that goes on for much longer than anybody would ever want to read on one button',
            actionType: 2,
          },
          { text: 'Short', actionType: 2 },
        ],
      ],
    }),
    content('text', { text: '' }),
    content('audioCall', { text: 'Call ended, 00:12' }),
    content('a2ui', { text: '```json\n{"components":[{"component":"Text","text":"Book a table"}]}\n```' }),
    content('form', { formJson: [{ type: 'switch', label: 'Fast', value: false }] }),
    content('file', { fileKey: 'k/7f3a', fileName: 'notes.pdf' }),
  ];
}

/** Very long texts that are hard to parse, lay out or search. */
export const LONG_TEXTS: Readonly<Record<string, string>> = {
  'a word': 'x'.repeat(1_000_000),
  lines: 'A line of words that goes on.\n'.repeat(33_000),
  marks: '\u202E'.repeat(300_000),
  brackets: '[('.repeat(300_000),
  stars: '*a **b '.repeat(100_000),
  ticks: '`a ``b '.repeat(100_000),
  quotes: `${'> '.repeat(1000)}deep\n`.repeat(20),
  lists: Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(2 * depth)}- ${depth}`).join('\n'),
  rows: `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(50_000)}`,
  addresses: 'https://a.example/b '.repeat(20_000),
  'ends of addresses': `http://a${')'.repeat(1985)} `.repeat(100),
  tags: '<b><i>a'.repeat(50_000),
  divisions: `${'<div><blockquote>'.repeat(20_000)}deep`,
  images: '![a](https://a.example/b)'.repeat(20_000),
  entities: '&amp;'.repeat(100_000),
  code: `\`\`\`cpp\n${'a<b<c<(((('.repeat(1900)}\n\`\`\``,
  xml: `\`\`\`xml\n${'<a '.repeat(6000)}\n\`\`\``,
};
