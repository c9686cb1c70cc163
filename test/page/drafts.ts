import type { ToPreview } from '../../src/protocol/preview.ts';

/** A draft of the Order Desk's with this content. */
export const draftOf = (content: object, more: Partial<ToPreview> = {}): ToPreview => ({
  type: 'draft',
  message: {
    ...{ msgId: 'draft', parentId: '', commandName: '', commandId: undefined, sendTime: undefined },
    ...{ senderId: '30481126', senderType: 'bot', senderNickname: 'Order Desk', contentType: 'markdown' },
    content,
  },
  ...{ recipients: [], total: 0, isCurrent: true, canSend: true, problems: [] },
  ...more,
});
