import { copy, file, html, image, markdown, open, report, type Scene, text } from './scene.ts';
import { shop } from './shop.ts';

/** The town's notice board, in English and Chinese. */
const town: readonly Scene[] = [
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

/** The reading circle, in Chinese. */
const reading: readonly Scene[] = [
  [
    text('bot', '早上好，今天读第 {m} 章，大约 {n} 页。', {
      tip: '每天早晨八点提醒',
      buttons: [[report('打卡', 'done:{m}'), report('明天再说', 'skip:{m}')]],
    }),
    text(0, '昨晚忍不住多读了一章，先不剧透。'),
    text(1, '求你别说，我才读到灯塔那一段。', { to: 1 }),
    text(0, '灯塔那段最好看，慢慢来。', { to: 2 }),
  ],
  [
    text(2, '/今日', { command: ['/今日', 11] }),
    markdown(
      'bot',
      [
        '## 今日章节：雨季的信',
        '',
        '1. 先读正文，约 **{n}** 页',
        '2. 记下一句喜欢的话',
        '3. 周六带着问题来',
        '',
        '> 雨停的时候，信才刚刚写到一半。',
      ],
      { to: 0, buttons: [[open('查看书单', 'books'), copy('复制这句话', '雨停的时候，信才刚刚写到一半。')]] },
    ),
    text(2, '这句话我昨天也划线了。', { to: 1 }),
  ],
  [
    text(1, '周六晚上八点讨论，谁来主持？'),
    text(0, '我来吧，准备了 {m} 个问题。', { to: 0 }),
    file(0, '讨论提纲-{m}.docx'),
    text(2, '提纲收到，第三个问题特别好。', { to: 2 }),
  ],
  [
    markdown(1, [
      '投票结果出来了，下个月读这本：',
      '',
      '| 书名 | 票数 |',
      '| --- | ---: |',
      '| 《山谷里的邮局》 | {n} |',
      '| 《旧钟表匠》 | {m} |',
      '| 《一碗面的距离》 | 2 |',
    ]),
    text(2, '《一碗面的距离》只有两票？我不服。', { to: 0 }),
    text(0, '下下个月再战。', { to: 1 }),
  ],
  [
    text(0, '在旧书摊淘到了第一版，扉页上还有一句赠言。'),
    image(0, '{key}-title-page.jpg', 'signed'),
    text(1, '"给怕黑的人",好温柔。', { to: 1 }),
    text('bot', '今天已有 {n} 人打卡，连续最长 {m} 天。'),
  ],
];

/** Board games after work: without a bot. */
const games: readonly Scene[] = [
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
const hiking: readonly Scene[] = [
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

/** A small product team with its release bot, in English. */
const release: readonly Scene[] = [
  [
    text(0, '/status', { command: ['/status', 32] }),
    markdown(
      'bot',
      [
        '**{version}** is ready',
        '',
        '- [x] tests',
        '- [x] notes',
        '- [ ] approval by two people',
        '',
        '`build {n}{m}`',
      ],
      {
        to: 0,
        buttons: [
          [report('Approve', 'approve:{version}'), open('Notes', 'releases/{version}')],
          [copy('Copy the version', '{version}')],
        ],
      },
    ),
    text(1, 'Approved.', { to: 1 }),
    text(2, 'Approved as well. Rolling it out to a tenth first.', { to: 1 }),
  ],
  [
    text(1, 'Sign-in is slow since {time}: {n} requests are waiting.'),
    markdown(2, [
      '```text',
      '{time} pool exhausted (20 of 20)',
      '{time} waiting: {n}',
      '```',
      '',
      'Raising the pool to 40.',
    ]),
    text(1, 'Back to normal.', { to: 1 }),
    file(2, 'incident-{n}.md'),
  ],
  [
    html('bot', '<p>Release <b>{version}</b> reached everybody at {time}.</p>'),
    text(0, 'No complaints so far. Well done.', { to: 0 }),
    text(2, 'Famous last words.', { to: 1 }),
  ],
];

/** The photographers, in Chinese: without a bot. */
const film: readonly Scene[] = [
  [
    text(0, '昨天傍晚在河边拍了一卷，刚冲出来。'),
    image(0, '{key}-dusk.jpg'),
    text(1, '漏光漏得正好，像有人在画面外点了灯。', { to: 1 }),
  ],
];

/** The scenes of a chat, its people (indexes of users), and its initial number of messages. */
interface Script {
  readonly scenes: readonly Scene[];
  readonly people: readonly number[];
  readonly length: number;
}

/** The scripts of the groups, in order. The length of the first is an option of the sandbox. */
export const groupScripts: readonly Script[] = [
  { scenes: shop, people: [0, 2, 3, 4, 6, 8], length: 480 },
  { scenes: town, people: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], length: 760 },
  { scenes: reading, people: [1, 3, 5, 7, 9], length: 240 },
  { scenes: games, people: [2, 4, 8, 10], length: 36 },
  { scenes: hiking, people: [1, 3, 5, 9], length: 120 },
  { scenes: release, people: [0, 4, 6, 10], length: 64 },
  { scenes: film, people: [3, 7, 9], length: 3 },
];
