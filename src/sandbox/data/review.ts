import type { ReviewRecord } from '../resources.ts';

/** The review record (contract 2.4) of a group or bot that was made at `createTime`, in Unix seconds. */
export function review(id: number, chatType: 2 | 3, chatId: string, createTime: number): ReviewRecord {
  return { ...emptyReview, id, chatId, chatType, createTime };
}

/** The review record of nothing: every field empty. */
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
