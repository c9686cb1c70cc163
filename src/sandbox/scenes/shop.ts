import { copy, file, html, image, markdown, open, report, type Scene, text } from './scene.ts';

/** The shop team, in English: every kind of content, replies, commands and buttons. */
export const shop: readonly Scene[] = [
  [
    text(0, 'Morning all. The courier is early today, so please have the parcels by the door at {time}.'),
    text(1, 'On it. {n} parcels packed, {m} still to go.', { to: 0 }),
    text(2, 'I can take the Riverside ones on my bike.'),
    text(0, 'Thank you {c}, that saves us a trip.', { to: 2 }),
  ],
  [
    text(1, '/order {order}', { command: ['/order', 1] }),
    markdown(
      'bot',
      [
        '### Order {order}',
        '',
        '| Item | Pieces | Price |',
        '| --- | ---: | ---: |',
        '| Smoked fern tea, 100 g | 2 | 18.40 |',
        '| Copper kettle, small | 1 | {price} |',
        '',
        'Packed at {time}, **not yet collected**.',
      ],
      {
        to: 0,
        buttons: [
          [open('Open the order', 'orders/{order}'), copy('Copy the number', '{order}')],
          [report('Mark as collected', 'collected:{order}')],
        ],
      },
    ),
    text(1, 'Great, the customer is standing here. Marking it as collected.', { to: 1 }),
  ],
  [
    text(2, 'The new labels arrived. Blue or green for the winter blend?'),
    image(2, '{key}-labels.jpg'),
    text(0, 'Green. Blue disappears on the shelf.', { to: 1 }),
    text(1, 'Green here too.'),
    text(2, 'Green it is. Reprinting {n} of them now.'),
  ],
  [
    text('bot', 'Only {m} bags of Smoked fern tea left.', {
      tip: 'Sent because the stock fell below 20.',
      buttons: [[report('Order more', 'restock:smoked-fern'), report('Not now', 'later:smoked-fern')]],
    }),
    text(0, 'Ordered {n} more. They come on Thursday.', { to: 0 }),
    text(1, 'Then let us keep the last ones for the subscribers.'),
  ],
  [
    text(0, 'Notes from the meeting, short version:'),
    markdown(0, [
      '1. Opening hours stay as they are until **April**',
      '2. Gift boxes:',
      '   - paper instead of foil',
      '   - one size fewer',
      '3. {b} looks after the window display',
      '',
      '> Please read the part about returns before Monday.',
    ]),
    file(0, 'meeting-notes-{n}.pdf'),
    text(1, 'Read it. One question: do returns without a receipt get a voucher?', { to: 1 }),
    text(0, 'Yes, up to {price}. Above that, ask me.', { to: 3 }),
  ],
  [
    text(1, 'Checkout shows a blank page after the discount code. Anyone else?'),
    text(2, 'Same here, only on the phone.', { to: 0 }),
    markdown(2, [
      'Found it: the code is trimmed twice.',
      '',
      '```js',
      'const code = input.value.trim();',
      "if (!/^FERN-\\d{4}$/.test(code)) showError('unknown code');",
      '```',
      '',
      'Fixed in `{version}`, live in ten minutes.',
    ]),
    text(1, 'Works again, thank you!', { to: 2 }),
  ],
  [
    text(0, '/report', { command: ['/report', 3] }),
    markdown(
      'bot',
      [
        '## Yesterday in numbers',
        '',
        '- Orders: **{n}**',
        '- Returned: {m}',
        '- Best seller: *Moonlit oolong*',
        '',
        'Every figure is in the [full report]({web}/pages/reports/yesterday).',
      ],
      { to: 0, buttons: [[open('Full report', 'reports/yesterday')]] },
    ),
    text(2, 'Moonlit oolong again? I should have put more on the counter.', { to: 1 }),
  ],
  [
    text(2, 'Who is on duty on Saturday? I promised my sister to help her move.'),
    text(1, 'I can swap with you if you take my Wednesday.', { to: 0 }),
    text(2, 'Deal.', { to: 1 }),
    text(0, 'Written down: {b} on Saturday, {c} on Wednesday.'),
  ],
  [
    html(
      'bot',
      '<h3>Maintenance tonight</h3><p>The order service pauses from <b>02:00 to 04:00</b>. Orders are kept and sent afterwards.</p>',
    ),
    text(0, 'Does the status page stay up?', { to: 0 }),
    text(1, 'It does. Only new orders wait.', { to: 1 }),
  ],
  [
    text(1, '客人问能不能刻字,茶壶上刻"平安"两个字。'),
    text(2, 'We can engrave up to six characters, the small kettle only. Tell them it takes {m} days.', { to: 0 }),
    text(1, '好的,客人同意了,订单 {order}。', { to: 1 }),
    text('bot', 'Order {order} now waits for engraving.', { buttons: [[copy('Copy the number', '{order}')]] }),
  ],
  [
    text(0, 'The plant wall needs water while I am away. Two cans every other day, the ferns first.'),
    text(2, 'I will do it before opening.'),
    image(2, '{key}-plant-wall.jpg'),
    text(0, 'They look happier than when I left.', { to: 2 }),
  ],
  [
    text(1, '/stock moonlit oolong', { command: ['/stock', 2] }),
    text('bot', 'Moonlit oolong: {n} bags in the shop, {m} in the cellar.', { to: 0 }),
    text(1, 'The cellar shelf says otherwise, counting again.'),
    file(1, 'stock-count-{m}.csv'),
    text(0, 'Your count is right, the bot had an old delivery. Corrected.', { to: 3 }),
  ],
];
