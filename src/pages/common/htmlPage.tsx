/** An HTML message: the sanitized page, or its source. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import { MAX_RENDERED } from '../../markup/rendered/markdownHtml.ts';
import { l10n } from './host.ts';
import { lazy, useLazy } from './lazy.ts';
import { replaceBrokenImage, Truncated, useOpenState } from './text.tsx';

const sanitizer = lazy(() => import('./sanitizer.ts'));

interface Props {
  content: object;
  text: string;
  loadImages: boolean;
}

/** The page has a border, so that it can't pass for the extension's own interface. */
export function HtmlContent({ content, text, loadImages }: Props) {
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
        <span class="card-title">{l10n.t('HTML, shown without styles or scripts')}</span>
        <span class="choices">
          {choice(l10n.t('Show Page'), false)}
          {choice(l10n.t('Show Source'), true)}
        </span>
      </div>
      <Truncated owner={content} text={text}>
        {(shown) =>
          isSource || shown.length > MAX_RENDERED ? (
            <pre dir="auto">{escapeAllInvisible(shown)}</pre>
          ) : (
            <Page html={shown} loadImages={loadImages} />
          )
        }
      </Truncated>
    </div>
  );
}

function Page({ html, loadImages }: { html: string; loadImages: boolean }) {
  const page = useRef<HTMLDivElement>(null);
  const clean = useLazy(sanitizer)?.sanitizeHtml;
  const isSettled = clean !== undefined || sanitizer.hasFailed;
  useLayoutEffect(() => {
    // Without the sanitizer, only the source is safe.
    if (isSettled) page.current?.replaceChildren(clean?.(html, { loadImages }) ?? escapeInvisible(html));
  }, [clean, isSettled, html, loadImages]);
  return <div class="html-page" dir="auto" ref={page} aria-busy={!isSettled} onErrorCapture={replaceBrokenImage} />;
}
