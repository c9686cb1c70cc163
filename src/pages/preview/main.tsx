/** Renders the preview of a draft on each message from the host. */
import { render } from 'preact';
import * as v from 'valibot';
import { ToPreview } from '../../protocol/preview.ts';
import { openLinksThroughHost, postToHost } from '../common/host.ts';
import { carryOpenState } from '../common/openState.ts';
import { DraftPreview } from './draft.tsx';

export function showPreview(): void {
  let content = {};
  openLinksThroughHost();
  addEventListener('message', ({ data }) => {
    const draft = v.parse(ToPreview, data);
    const next = draft.message?.content ?? content;
    carryOpenState(content, next);
    content = next;
    render(<DraftPreview draft={draft} />, document.body);
  });
  postToHost({ type: 'ready' });
}
