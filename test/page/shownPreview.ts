/** A preview page, new for each test, and the drafts that it shows. */
import type { RecipientStep, ShownDraft } from '../../src/protocol/preview.ts';
import { closeEach, type OpenPage, openPreviewPage, type PageOptions } from '../host/pages.ts';

/** The page opened last. */
export let previewPage: OpenPage;

export const closeEachPreview = () => closeEach(() => previewPage);

export async function open(draft: ShownDraft, options: PageOptions = {}): Promise<void> {
  previewPage = await openPreviewPage(draft, options);
  await previewPage.page.getByRole('main').waitFor();
}

export const named = (name: string) => previewPage.page.getByRole('button', { name });

/** The messages to the host after the first, which is `ready`. */
export const posted = async () => (await previewPage.posted()).slice(1);

type Recipient = ShownDraft['recipients'][number];

/** A recipient of a draft. */
export const group = (id: string, name: string, more: Partial<Recipient> = {}): Recipient => ({
  kind: 'group',
  id,
  name,
  ...more,
});
export const person = (id: string, name: string, more: Partial<Recipient> = {}): Recipient => ({
  ...group(id, name, more),
  kind: 'user',
});

/** Something that is wrong in a draft. */
export const problem = (
  text: string,
  more: Partial<ShownDraft['problems'][number]> = {},
): ShownDraft['problems'][number] => ({ text, severity: 'warning', start: 20, end: 30, ...more });
/** A preview of a draft with this content, sent by the Order Desk. */
export const draftOf = (content: object, more: Partial<ShownDraft> = {}): ShownDraft => ({
  type: 'draft',
  message: {
    msgId: 'draft',
    parentId: '',
    senderId: '30481126',
    senderType: 'bot',
    senderNickname: 'Order Desk',
    sendTime: undefined,
    commandName: '',
    commandId: undefined,
    contentType: 'markdown',
    content,
  },
  recipients: [],
  total: 0,
  namesBot: true,
  namesRecipients: true,
  varies: false,
  canSend: true,
  problems: [],
  ...more,
});

/** A preview of a draft that varies, for the third of 1,204 recipients. */
export const draftFor = (content: object, step: Partial<RecipientStep> = {}, more: Partial<ShownDraft> = {}) =>
  draftOf(content, {
    varies: true,
    total: 1204,
    step: {
      kind: 'user',
      id: '7058314',
      name: 'Alice Fernhollow',
      position: 3,
      total: 1204,
      problems: [],
      withProblems: 17,
      onlyWithProblems: false,
      leftOutCount: 0,
      ...step,
    },
    ...more,
  });
