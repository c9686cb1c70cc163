import type { ReviewRecord } from '../resources.ts';

/** A round avatar with one letter, as a data URL: the sandbox refers to no other host. */
export function avatar(letter: string, hue: number): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue} 45% 45%)"/>` +
    `<text x="32" y="43" font-size="32" font-family="sans-serif" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Parses YYYY-MM-DD HH:MM:SS in UTC+8, the time zone of the default user in contract 4.3, to Unix seconds. */
export function secondsOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}+08:00`) / 1000;
}

/** The review record (contract 2.4) of a group or bot created at `createTime`, in Unix seconds. */
export function review(id: number, chatType: 2 | 3, chatId: string, createTime: number): ReviewRecord {
  return { ...emptyReview, id, chatId, chatType, createTime };
}

/** A review record with empty fields. */
export const emptyReview: ReviewRecord = {
  id: 0,
  chatId: '',
  chatType: 0,
  checkWay: '',
  reason: '',
  status: 0,
  createTime: 0,
  updateTime: 0,
  delFlag: 0,
};
