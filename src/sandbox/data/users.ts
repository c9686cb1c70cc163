import type { User } from '../resources.ts';
import { avatar, secondsOf } from './common.ts';

/** The result of the user lookup for an unknown ID, contract 4.3. */
export const defaultUser: User = {
  userId: '',
  nickname: '',
  avatarUrl: '',
  registerTime: 0,
  registerTimeText: '1970-01-01 08:00:00',
  onLineDay: 0,
  continuousOnLineDay: 0,
  medals: [],
  isVip: 0,
};

function user(
  userId: string,
  nickname: string,
  registered: string,
  [onLineDay, continuousOnLineDay]: readonly [number, number],
  more: Partial<User> = {},
): User {
  return {
    ...defaultUser,
    userId,
    nickname,
    registerTime: secondsOf(registered),
    registerTimeText: registered,
    onLineDay,
    continuousOnLineDay,
    ...more,
  };
}

/** The users of the sandbox (contract 2.5), all fictitious. The last one refuses messages from bots. */
export const users: readonly User[] = [
  user('7058314', 'Alice Fernhollow', '2021-03-08 09:14:52', [1204, 37], { avatarUrl: avatar('A', 150) }),
  user('7102649', '闻山禾', '2021-05-21 20:02:11', [1433, 212], { avatarUrl: avatar('禾', 25) }),
  user('7230581', 'Tom Brackwater', '2021-09-30 13:47:05', [688, 4]),
  user('7315926', '阿橙', '2022-01-15 08:30:00', [951, 88], { avatarUrl: avatar('橙', 35) }),
  user('7408837', 'Priya Sandmoor', '2022-04-02 11:25:40', [812, 15], { avatarUrl: avatar('P', 280) }),
  user('7469203', '山里的鹿', '2022-07-19 22:08:33', [540, 0]),
  user('7521170', 'Owen Pikestaff', '2022-11-11 00:00:01', [1101, 365], { avatarUrl: avatar('O', 210), isVip: 1 }),
  user('7583345', '云朵编辑部', '2023-02-27 17:55:19', [377, 9], { avatarUrl: avatar('云', 195) }),
  user('7640912', 'Grace Tollivane', '2023-08-06 06:41:27', [296, 21]),
  user('7716458', '鱼丸不加葱', '2024-02-10 12:12:12', [203, 2], { avatarUrl: avatar('鱼', 0) }),
  user('7792064', 'Marlow_Inkwell', '2025-06-30 23:59:58', [58, 58]),
  user('7850437', 'Nora Quietwood (no bots, please)', '2025-12-24 19:20:36', [1, 1]),
];
