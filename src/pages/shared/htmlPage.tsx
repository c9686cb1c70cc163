/** An HTML message: the page that it holds, reduced to what is safe, or its source. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeInvisible } from '../../markup/escapeInvisible.ts';
import { labels } from './host.ts';
import { lazy, useLazy } from './lazy.ts';
import { useOpenState } from './openState.ts';
import { replaceBrokenImage, Truncated } from './text.tsx';

const purifier = lazy(() => import('./sanitizer.ts'));

/** A longer page is shown as its source (UTF-16 units): cleaning and laying it out could take seconds. */
const READ = 200_000;

interface Props {
  content: object;
  text: string;
  pictures: boolean;
}

/** Within a border, so that nobody takes it for the product's own words. */
export function HtmlContent({ content, text, pictures }: Props) {
  const [isSource, showSource] = useOpenState(content, 'source');
  const choice = (label: string, isSourceChoice: boolean) => (
    <button
      type="button"
      class="choice"
      aria-pressed={isSource === isSourceChoice}
      onClick={() => showSource(isSourceChoice)}
    >
      {label}
    </button>
  );
  return (
    <div class="card html">
      <div class="card-bar">
        <span class="card-title">{labels.html}</span>
        <span class="choices">
          {choice(labels.showPage, false)}
          {choice(labels.showSource, true)}
        </span>
      </div>
      <Truncated of={content} text={text}>
        {(shown) =>
          isSource || shown.length > READ ? (
            <pre dir="auto">{escapeInvisible(shown)}</pre>
          ) : (
            <Page html={shown} pictures={pictures} />
          )
        }
      </Truncated>
    </div>
  );
}

function Page({ html, pictures }: { html: string; pictures: boolean }) {
  const page = useRef<HTMLDivElement>(null);
  const clean = useLazy(purifier)?.sanitizeHtml;
  useLayoutEffect(() => {
    if (clean) page.current?.replaceChildren(clean(html, { pictures }) ?? escapeInvisible(html));
  }, [clean, html, pictures]);
  return <div class="html-page" dir="auto" ref={page} aria-busy={!clean} onErrorCapture={replaceBrokenImage} />;
}
