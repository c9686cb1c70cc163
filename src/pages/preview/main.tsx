/** Shows the preview of a draft, as the host says it. */
import { render } from 'preact';
import * as v from 'valibot';
import { ToPreview } from '../../protocol/preview.ts';
import { askBeforeLeaving } from '../shared/externalLinks.ts';
import { tell } from '../shared/host.ts';
import { keepOpen } from '../shared/openState.ts';
import { DraftPreview } from './draft.tsx';
import './preview.css';

let content = {};

askBeforeLeaving();
addEventListener('message', ({ data }) => {
  const draft = v.parse(ToPreview, data);
  const next = draft.message?.content ?? content;
  keepOpen(content, next);
  content = next;
  render(<DraftPreview draft={draft} />, document.body);
});
tell({ type: 'ready' });
