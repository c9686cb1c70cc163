/** A Markdown message. */
import { useMemo } from 'preact/hooks';
import { visible } from '../../markup/invisibles.ts';
import { brokenPicture } from './brokenImage.ts';
import { lazy, useLazy } from './lazy.ts';
import { Cut } from './text.tsx';

const markdown = lazy(() => import('../../markup/markdownHtml.ts'));
const code = lazy(() => import('./highlight.ts'));

/** Longer text is shown as its source (UTF-16 units). */
const READ = 200_000;

interface Props {
  content: object;
  text: string;
  pictures: boolean;
}

export function MarkdownText({ content, text, pictures }: Props) {
  return (
    <Cut of={content} text={text}>
      {(shown) => <Rendered text={shown} pictures={pictures} />}
    </Cut>
  );
}

/** Shows the source until the renderer is there, and where it cannot be rendered. */
function Rendered({ text, pictures }: Omit<Props, 'content'>) {
  const renderer = useLazy(markdown);
  const plain = useMemo(
    () => (text.length > READ ? undefined : renderer?.render(text, { pictures })),
    [renderer, text, pictures],
  );
  const highlight = useLazy(code, plain?.hasCode ?? false)?.highlight;
  const html = useMemo(
    () => (highlight ? renderer?.render(text, { pictures, highlight })?.html : undefined) ?? plain?.html,
    [renderer, plain, highlight, text, pictures],
  );
  if (html === undefined) {
    return (
      <p class="text" dir="auto">
        {visible(text)}
      </p>
    );
  }
  // markdown-it escapes raw HTML; see markdownHtml.ts.
  return <div class="markdown" dir="auto" onErrorCapture={brokenPicture} dangerouslySetInnerHTML={{ __html: html }} />;
}
