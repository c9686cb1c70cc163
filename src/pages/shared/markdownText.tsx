/** A Markdown message. */
import { useMemo } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import { lazy, useLazy } from './lazy.ts';
import { replaceBrokenImage, Truncated } from './text.tsx';

const markdown = lazy(() => import('../../markup/markdownHtml.ts'));
const code = lazy(() => import('./highlight.ts'));

/** Longer text is shown as its source (UTF-16 units). */
const READ = 200_000;

interface Props {
  content: object;
  text: string;
  pictures: boolean;
}

export function MarkdownContent({ content, text, pictures }: Props) {
  return (
    <Truncated of={content} text={text}>
      {(shown) => <Rendered text={shown} pictures={pictures} />}
    </Truncated>
  );
}

/** Shows the source until the renderer is there, and where it cannot be rendered. */
function Rendered({ text, pictures }: Omit<Props, 'content'>) {
  const renderer = useLazy(markdown);
  const plain = useMemo(
    () => (text.length > READ ? undefined : renderer?.renderMarkdown(text, { loadImages: pictures })),
    [renderer, text, pictures],
  );
  const highlight = useLazy(code, plain?.hasCode ?? false)?.highlightCode;
  const html = useMemo(
    () =>
      (highlight ? renderer?.renderMarkdown(text, { loadImages: pictures, highlight })?.html : undefined) ??
      plain?.html,
    [renderer, plain, highlight, text, pictures],
  );
  if (html === undefined) {
    return (
      <p class="text" dir="auto">
        {escapeInvisible(text)}
      </p>
    );
  }
  // markdown-it escapes raw HTML; see markdownHtml.ts.
  return (
    <div class="markdown" dir="auto" onErrorCapture={replaceBrokenImage} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
