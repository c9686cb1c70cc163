/** Renders the preview of a draft on each message from the host. */
import { render } from 'preact';
import * as v from 'valibot';
import { type Matches, PreviewPageState, type ShownDraft, ToPreview } from '../../protocol/preview.ts';
import { connect, host, openLinksThroughHost, readEmbedded } from '../common/host.ts';
import { carryOpenState } from '../common/text.tsx';
import { DraftPreview } from './app.tsx';

export function showPreview(): void {
  let content = {};
  let draft: ShownDraft | undefined;
  let matches: Matches | undefined;
  host.setState(v.parse(PreviewPageState, { document: readEmbedded('document') }));
  openLinksThroughHost();
  connect(ToPreview, (message) => {
    if (message.type === 'matches') matches = message;
    else {
      draft = message;
      const next = draft.message?.content ?? content;
      carryOpenState(content, next);
      content = next;
    }
    if (draft) render(<DraftPreview draft={draft} matches={matches} />, document.body);
  });
}
