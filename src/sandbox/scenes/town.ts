import { copy, html, image, markdown, open, report, type Scene, text } from './scene.ts';

/** The town's notice board, in English and Chinese. */
export const town: readonly Scene[] = [
  [
    text('bot', 'Riverside, {time}: light rain, 11 °C. 河畔有小雨，出门记得带伞。', {
      tip: 'Sent every morning.',
      buttons: [[open('Hour by hour', 'weather/riverside')]],
    }),
    text(0, 'So the market moves under the arches?', { to: 0 }),
    text(1, '对，搬到拱廊下面，八点照常开。', { to: 1 }),
    text(2, 'See you there. I am bringing {n} jars of plum jam.'),
  ],
  [
    text(1, '有人看到一只橘猫吗？戴绿色项圈，叫"馒头"。'),
    image(1, '{key}-mantou.jpg', 'signed'),
    text(2, 'There is an orange cat on the bakery roof right now!', { to: 0 }),
    text(1, '就是它！谢谢，我马上过去。', { to: 2 }),
    text(0, 'It comes for the cheese rolls, every day at {time}.'),
  ],
  [
    markdown(0, [
      '## 停水通知 / Water off',
      '',
      '| 街道 Street | 时间 Time |',
      '| --- | --- |',
      '| 柳树街 Willow Street | 09:00 – 11:30 |',
      '| 钟楼巷 Clocktower Lane | 13:00 – 15:00 |',
      '',
      '请提前储水。Please fill a kettle beforehand.',
    ]),
    text(2, 'Is the school on Clocktower Lane affected as well?', { to: 0 }),
    text(0, 'Yes, they know and close at noon.', { to: 1 }),
  ],
  [
    text(0, '/weather riverside', { command: ['/weather', 21] }),
    markdown(
      'bot',
      [
        '**Riverside 河畔**',
        '',
        '- Today 今天: rain, then sun',
        '- Tomorrow 明天: dry, wind {m} km/h',
        '- Weekend 周末: 晴',
      ],
      { to: 0, buttons: [[copy('Copy', 'Tomorrow: dry'), report('Tell me every day', 'subscribe:riverside')]] },
    ),
    text(0, 'Good, the lantern walk can take place.'),
    text(1, '太好了，孩子们等了两周。', { to: 2 }),
  ],
  [
    text(2, 'The library looks for volunteers to move {n} boxes of books. Tea and cake afterwards.'),
    text(0, '算我一个，下午有空。', { to: 0 }),
    text(1, 'Count me in too, until {time}.', { to: 0 }),
    html(2, '<p>Thank you! <i>Meet at the back door</i>, the front one is being painted.</p>'),
  ],
];
