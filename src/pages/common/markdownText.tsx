/** A Markdown message. */
import { useMemo } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import { renderMarkdown } from '../../markup/rendered/markdownHtml.ts';
import { l10n } from './host.ts';
import { lazy, useLazy } from './lazy.ts';
import { replaceBrokenImage, Truncated } from './text.tsx';
import { trustedHtml } from './trustedHtml.ts';

const highlighterModule = lazy(() => import('./highlight.ts'));

interface Props {
  content: object;
  text: string;
  loadImages: boolean;
}

export function MarkdownContent({ content, text, loadImages }: Props) {
  return (
    <Truncated owner={content} text={text}>
      {(shown) => <Rendered text={shown} loadImages={loadImages} />}
    </Truncated>
  );
}

/** Shows the source if the text can't be rendered. */
function Rendered({ text, loadImages }: Omit<Props, 'content'>) {
  const options = { loadImages, noAddress: l10n.t('image without an address') };
  const plain = useMemo(() => renderMarkdown(text, options), [text, loadImages]);
  const highlight = useLazy(highlighterModule, plain?.hasCode ?? false)?.highlightCode;
  const html = useMemo(
    () => (highlight ? renderMarkdown(text, { ...options, highlight })?.html : undefined) ?? plain?.html,
    [plain, highlight, text, loadImages],
  );
  // The HTML is made once: Preact would set another object again.
  const trusted = useMemo(() => (html === undefined ? undefined : trustedHtml(html)), [html]);
  if (trusted === undefined) {
    return (
      <p class="text" dir="auto">
        {escapeInvisible(text)}
      </p>
    );
  }
  // Safe: markdown-it escapes raw HTML; see markdownHtml.ts.
  return (
    <div
      class="markdown"
      dir="auto"
      onErrorCapture={replaceBrokenImage}
      dangerouslySetInnerHTML={{ __html: trusted }}
    />
  );
}
