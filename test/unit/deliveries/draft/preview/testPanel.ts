import assert from 'node:assert/strict';
import { type FromPreview, type ShownDraft, ToPreview } from '../../../../../src/protocol/preview.ts';
import { PanelPage } from '../../../panelPage.ts';

/** The page of a preview. */
export class TestPanel extends PanelPage<ToPreview, FromPreview> {
  constructor(title: string) {
    super(ToPreview, title);
  }

  get title(): string {
    return this.panel.title;
  }

  get drafts(): ShownDraft[] {
    return this.messagesOf('draft');
  }

  /** Resolves to the page's content once it matches. */
  async waitForDraft(holds: (draft: ShownDraft) => boolean): Promise<ShownDraft> {
    let last = this.drafts.at(-1);
    await this.until(() => {
      last = this.drafts.at(-1);
      return last !== undefined && holds(last);
    });
    return last ?? assert.fail();
  }
}
