import { copy, file, html, image, markdown, open, report, type Scene, text } from './scene.ts';

/** A user and the order bot. */
const orders: readonly Scene[] = [
  [
    text(0, '/order {order}', { command: ['/order', 1] }),
    markdown('bot', ['Order **{order}** left the shop at {time}.', '', '- Courier: bicycle', '- Total: {price}'], {
      to: 0,
      buttons: [[open('Follow it', 'orders/{order}'), copy('Copy the number', '{order}')]],
    }),
    text(0, 'Thanks!', { to: 1 }),
  ],
  [
    text('bot', 'Your duty starts at {time}. {n} orders are open.', {
      tip: 'Sent because you are on the duty list.',
      buttons: [[report('I am here', 'duty:yes'), report('Ask somebody else', 'duty:no')]],
    }),
    text(0, 'I am here.', { to: 0 }),
    file('bot', 'open-orders-{n}.csv'),
    html('bot', '<p>Have a <b>calm</b> shift.</p>'),
  ],
  [
    text(0, 'Is this kettle one of ours?'),
    image(0, '{key}-kettle.jpg', 'name'),
    text('bot', 'I only read text, sorry.', { to: 1 }),
  ],
];

/** A user and the reading bot. */
const pages: readonly Scene[] = [
  [
    text(0, '/打卡 第 {m} 章', { command: ['/打卡', 12] }),
    markdown('bot', ['记下了:**第 {m} 章**', '', '已连续 {n} 天，继续加油。'], {
      to: 0,
      buttons: [[report('撤销', 'undo:{m}'), open('我的记录', 'reading/mine')]],
    }),
  ],
  [
    text('bot', '晚上好，今天还差 {m} 页。', { tip: '每天晚上九点提醒' }),
    text(0, '马上读。'),
    text('bot', '不急，读完告诉我。', { to: 1 }),
  ],
];

/** A user and the weather bot. */
const weather: readonly Scene[] = [
  [
    text(0, '/weather copper pass', { command: ['/weather', 21] }),
    markdown(
      'bot',
      [
        '**Copper Pass**',
        '',
        '| | Wind | Rain |',
        '| --- | ---: | ---: |',
        '| Morning | {m} km/h | 0 % |',
        '| Evening | {n} km/h | 40 % |',
      ],
      {
        to: 0,
        buttons: [[copy('Copy', 'Copper Pass: dry until the evening')]],
      },
    ),
    text(0, '中文可以吗？'),
    text('bot', '可以。铜山口：傍晚前无雨，风力 {m} km/h。', { to: 2 }),
  ],
];

/** A user and the release bot. */
const notes: readonly Scene[] = [
  [
    text(0, '/notes {version}', { command: ['/notes', 31] }),
    markdown(
      'bot',
      [
        '# {version}',
        '',
        '- Sign-in remembers the last name',
        '- Lists load `{n} %` faster',
        '',
        '~~Dark mode~~ comes later.',
      ],
      { to: 0 },
    ),
    text(0, 'Please add that the export is back.', { to: 1 }),
    text('bot', 'Added.', { to: 2, buttons: [[report('Undo', 'undo:notes')]] }),
  ],
];

/** The scenes between a user and each bot, in the bots' order. */
export const botScenes: readonly (readonly Scene[])[] = [orders, pages, weather, notes];
