/** What a message says, by its kind (contract 2.7). */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Message } from '../../service/message.ts';
import { labels, say } from './host.ts';

export function Content({ message, raw }: { message: Message; raw: unknown }) {
  const { contentType, content } = message;
  switch (contentType) {
    case 'text':
      return (
        <>
          <p class="text">{content.text}</p>
          {content.tip && <p class="tip">{content.tip}</p>}
        </>
      );
    case 'markdown':
      return <Markdown text={content.text ?? ''} />;
    case 'image':
      return (
        <Card title={labels.image}>
          {content.imageKey && <code>{say('imageKey', content.imageKey)}</code>}
          {content.imageUrl && <Address address={content.imageUrl} />}
        </Card>
      );
    case 'file':
      return (
        <Card title={`${labels.file} · ${content.fileName ?? ''}`}>
          <Address address={content.fileUrl ?? ''} />
        </Card>
      );
    case 'html':
      return (
        <Card title={labels.htmlSource}>
          <pre>{content.text}</pre>
        </Card>
      );
    default:
      return <Raw title={say('otherKind', contentType)} value={contentOf(raw)} />;
  }
}

/** The content of a message just as it came. */
function contentOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw;
}

/** Something shown as the JSON it came as. */
export function Raw({ title, value }: { title: string; value: unknown }) {
  return (
    <Card title={title}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="card">
      <div class="card-title">{title}</div>
      {children}
    </div>
  );
}

type Render = (text: string) => string;
let loaded: Render | undefined;

/** Shows the source until the renderer is there. */
function Markdown({ text }: { text: string }) {
  const [render, setRender] = useState<Render | undefined>(() => loaded);
  useEffect(() => {
    if (render) return;
    void import('./markdown.ts').then((module) => {
      loaded = module.render;
      setRender(() => module.render);
    });
  }, [render]);
  if (!render) return <p class="text">{text}</p>;
  // markdown-it escapes raw HTML; see markdown.ts.
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: render(text) }} />;
}

/** An address of the web as a link, which VS Code asks about before it opens it; any other as text. */
function Address({ address }: { address: string }) {
  return /^https?:\/\//i.test(address) ? <a href={address}>{address}</a> : <span>{address}</span>;
}
