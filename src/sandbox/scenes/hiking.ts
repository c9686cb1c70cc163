import { image, markdown, open, type Scene, text } from './scene.ts';

/** The hiking group, in Chinese, with the weather bot. */
export const hiking: readonly Scene[] = [
  [
    text(0, '/weather 后山', { command: ['/weather', 21] }),
    markdown('bot', ['### 后山 周日', '', '- 清晨:多云,6 °C', '- 中午:晴', '- 风力:{m} km/h', '', '**适合出行**'], {
      to: 0,
      buttons: [[open('逐小时预报', 'weather/back-hill')]],
    }),
    text(1, '那就定周日早上六点,老地方集合。', { to: 1 }),
    text(2, '收到,我带热水和 {n} 个包子。'),
  ],
  [
    text(2, '上周的路线我整理好了,全程 {m} 公里。'),
    markdown(2, [
      '1. 竹林口 → 石桥',
      '2. 石桥 → 观云台(休息)',
      '3. 观云台 → 东坡下山',
      '',
      '`爬升 640 米`,新手也能走。',
    ]),
    text(0, '东坡那段下雨后很滑,记得带手杖。', { to: 1 }),
  ],
  [
    image(1, '{key}-sunrise.jpg'),
    text(1, '今天的日出,值得早起。'),
    text(0, '云海!我居然睡过头了。', { to: 0 }),
    text('bot', '提醒:今晚 {time} 起有阵雨,明早山路湿滑。', { tip: '来自山路天气' }),
  ],
];
