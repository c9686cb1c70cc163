import type { Bot, Group, GroupBotRelation } from '../resources.ts';
import { emptyBot } from './bots.ts';
import { avatar, review, secondsOf } from './common.ts';

type GroupFields = Pick<Group, 'groupId' | 'name' | 'introduction' | 'createBy' | 'headcount'> & Partial<Group>;

/** The groups of the sandbox (contract 2.1), all fictitious. `bots` are their bots. */
export function createGroups(bots: readonly Bot[], openApiUrl: string): readonly Group[] {
  const group = groupsAt(`${openApiUrl}/open-apis/v1/bot/batch_send?token=`);
  return [
    group(1042, '2024-01-08 09:30:00', bots[0], {
      groupId: '518204736',
      name: 'Fern & Kettle: the shop team',
      avatarUrl: avatar('F', 150),
      introduction:
        'Everything about running the Fern & Kettle tea and plant shop.\n\n' +
        'Orders and stock: ask the bot.\nAnything urgent: write to the person on duty.\nBe kind, and no spoilers about new blends.',
      createBy: '7058314',
      headcount: 342,
      category: 'work',
    }),
    group(17, '2020-02-29 12:00:00', bots[2], {
      groupId: 'big',
      name: 'Riverside Town 河畔小镇',
      avatarUrl: avatar('R', 205),
      introduction: 'The notice board of the whole town. 全镇的公告栏，欢迎新邻居。',
      createBy: '7521170',
      headcount: 182_340,
      readHistory: 0,
    }),
    group(1187, '2024-04-23 07:45:00', bots[1], {
      groupId: '524317890',
      name: '周末读书会',
      avatarUrl: avatar('读', 15),
      introduction:
        '每周一本书，慢慢读，好好聊。\n一、工作日每天二十页，不赶进度；\n二、周六晚上八点线上讨论；\n三、不剧透，不催更，不发广告。',
      createBy: '7102649',
      headcount: 96,
    }),
    group(1333, '2024-11-02 19:15:00', undefined, {
      groupId: '531048827',
      name: 'Board games after work',
      introduction: 'Tuesdays, upstairs at the Copper Lantern. Bring snacks.',
      createBy: '7640912',
      headcount: 11,
    }),
    group(1398, undefined, bots[2], {
      groupId: '546790213',
      name: '后山徒步队',
      introduction: '周日清晨出发，风雨看天气机器人。',
      createBy: '7469203',
      headcount: 58,
    }),
    group(1420, '2025-07-01 09:05:00', bots[3], {
      groupId: '559902341',
      name: 'Release watch',
      avatarUrl: avatar('W', 260),
      introduction: '',
      createBy: '7521170',
      headcount: 14,
      readHistory: 0,
    }),
    group(1466, '2025-10-12 16:20:00', undefined, {
      groupId: '563311478',
      name: '胶片与黄昏',
      introduction: '拍照的人都在这里。',
      createBy: '7583345',
      headcount: 3,
    }),
  ];
}

/** A function that creates groups with this send URL. */
function groupsAt(uri: string) {
  return (id: number, created: string | undefined, bot: Bot | undefined, fields: GroupFields): Group => {
    const createTime = created === undefined ? 0 : secondsOf(created);
    return {
      id,
      createTime,
      avatarId: 5000 + id,
      avatarUrl: '',
      readHistory: 1,
      category: '',
      uri,
      groupBotRel: relation(id, fields.groupId, bot),
      checkChatInfoRecord: review(9000 + id, 2, fields.groupId, createTime),
      ...fields,
    };
  };
}

function relation(id: number, groupId: string, bot: Bot | undefined): GroupBotRelation {
  if (!bot) return { id: 0, groupId: '', botId: '', delFlag: 0, createTime: 0, updateTsime: 0, bot: emptyBot };
  const joined = bot.createTime + 3600;
  return {
    id: 7000 + id,
    groupId,
    botId: bot.botId,
    delFlag: 0,
    createTime: joined,
    updateTsime: joined + 86_400,
    bot,
  };
}
