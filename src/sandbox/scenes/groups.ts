import { file, image, markdown, open, type Scene, text } from './scene.ts';

/** Board games after work: without a bot. */
export const games: readonly Scene[] = [
  [
    text(0, 'Tuesday as usual? I bring the one with the canals.'),
    text(1, 'Only if somebody else reads the rules this time.', { to: 0 }),
    text(2, 'I will. Last time took us until {time} just to set it up.'),
    text(0, 'Worth every minute.', { to: 2 }),
  ],
  [
    markdown(2, [
      '**Final scores**',
      '',
      '| Player | Points |',
      '| --- | ---: |',
      '| {a} | {n} |',
      '| {b} | {m} |',
      '| {c} | 1 |',
      '',
      'One point is still a point.',
    ]),
    text(1, 'You sank your own barge twice.', { to: 0 }),
    text(2, 'Strategy.', { to: 1 }),
  ],
  [
    text(1, 'The Copper Lantern is closed next week. Other ideas?'),
    text(0, 'My kitchen fits six if nobody minds the cat.'),
    image(0, '{key}-cat-on-board.jpg', 'name'),
    text(1, 'The cat has clearly won already.', { to: 2 }),
    file(2, 'rules-summary-{m}.pdf'),
  ],
];

/** The hiking group, in Chinese, with the weather bot. */
export const hiking: readonly Scene[] = [
  [
    text(0, '/weather 后山', { command: ['/weather', 21] }),
    markdown('bot', ['### 后山 周日', '', '- 清晨：多云,6 °C', '- 中午：晴', '- 风力:{m} km/h', '', '**适合出行**'], {
      to: 0,
      buttons: [[open('逐小时预报', 'weather/back-hill')]],
    }),
    text(1, '那就定周日早上六点，老地方集合。', { to: 1 }),
    text(2, '收到，我带热水和 {n} 个包子。'),
  ],
  [
    text(2, '上周的路线我整理好了，全程 {m} 公里。'),
    markdown(2, [
      '1. 竹林口 → 石桥',
      '2. 石桥 → 观云台(休息)',
      '3. 观云台 → 东坡下山',
      '',
      '`爬升 640 米`,新手也能走。',
    ]),
    text(0, '东坡那段下雨后很滑，记得带手杖。', { to: 1 }),
  ],
  [
    image(1, '{key}-sunrise.jpg'),
    text(1, '今天的日出，值得早起。'),
    text(0, '云海！我居然睡过头了。', { to: 0 }),
    text('bot', '提醒：今晚 {time} 起有阵雨，明早山路湿滑。', { tip: '来自山路天气' }),
  ],
];

/** The photographers, in Chinese: without a bot. */
export const film: readonly Scene[] = [
  [
    text(0, '昨天傍晚在河边拍了一卷，刚冲出来。'),
    image(0, '{key}-dusk.jpg'),
    text(1, '漏光漏得正好，像有人在画面外点了灯。', { to: 1 }),
  ],
];
