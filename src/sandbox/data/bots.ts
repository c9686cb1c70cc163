import type { Bot } from '../resources.ts';
import { avatar, emptyReview, review, secondsOf } from './common.ts';

/** A bot with empty fields, as in a group without a bot (contract 2.2). */
export const emptyBot: Bot = {
  id: 0,
  botId: '',
  nickname: '',
  nicknameId: 0,
  avatarId: 0,
  avatarUrl: '',
  token: '',
  link: '',
  introduction: '',
  createBy: '',
  createTime: 0,
  headcount: 0,
  private: 0,
  uri: '',
  checkChatInfoRecord: emptyReview,
};

type BotFields = Pick<Bot, 'botId' | 'nickname' | 'introduction' | 'createBy' | 'headcount'> & Partial<Bot>;

/** The bots of the sandbox (contract 2.3), all fictitious. */
export function createBots(webUrl: string, openApiUrl: string): readonly Bot[] {
  const bot = (id: number, created: string, fields: BotFields): Bot => ({
    ...emptyBot,
    id,
    nicknameId: 4000 + id,
    avatarId: 8000 + id,
    createTime: secondsOf(created),
    uri: `${openApiUrl}/open-apis/v1/bot/batch_send?token=`,
    checkChatInfoRecord: review(600 + id, 3, fields.botId, secondsOf(created)),
    ...fields,
  });
  return [
    bot(211, '2024-01-09 10:00:00', {
      botId: '30481126',
      nickname: 'Order Desk',
      avatarUrl: avatar('O', 170),
      introduction: 'Watches the orders of Fern & Kettle.\nAsk it with /order, /stock or /report.',
      createBy: '7058314',
      headcount: 356,
    }),
    bot(238, '2024-04-23 08:00:00', {
      botId: '30527740',
      nickname: '读书小助手',
      avatarUrl: avatar('书', 15),
      introduction: '每天提醒大家读几页书。\n发送 /今日 看今天的章节，发送 /打卡 记录进度。',
      createBy: '7102649',
      headcount: 1290,
    }),
    bot(305, '2024-09-14 18:30:00', {
      botId: '30694418',
      nickname: 'Trail Weather 山路天气',
      link: `${webUrl}/pages/trail-weather`,
      introduction: 'Weather for walkers, in English and Chinese. Send /weather and a place.',
      createBy: '7469203',
      headcount: 48_217,
    }),
    bot(377, '2025-07-01 09:00:00', {
      botId: '30759903',
      nickname: 'Release Clerk',
      introduction: 'Keeps the release notes of one small team.',
      createBy: '7521170',
      headcount: 14,
      private: 1,
    }),
  ];
}

/** The token of a bot. It isn't secret. It doesn't contain the bot's ID, which refusals quote and clients redact tokens in. */
export function tokenOf(botId: string): string {
  return `sandbox-token-${[...botId].reverse().join('')}`;
}
