import { copy, file, image, markdown, open, report, type Scene, text } from './scene.ts';

/** The reading circle, in Chinese. */
export const reading: readonly Scene[] = [
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
