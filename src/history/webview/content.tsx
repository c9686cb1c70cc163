/** What a message says, by its kind (contract 2.7). */
import type { ComponentChildren } from 'preact';
import type { Message } from '../../service/message.ts';
import { File, Image } from './attachments.tsx';
import { labels, say } from './host.ts';
import { Html } from './htmlPage.tsx';
import { MarkdownText } from './markdownText.tsx';
import { Cut, Text } from './text.tsx';
import { brief, visible } from './visible.ts';

export interface ContentProps {
  message: Message;
  /** The JSON that the message came as; it may be left out where the kind is one of the contract's. */
  raw: unknown;
  /** Whether pictures of the web may be loaded. */
  pictures: boolean;
}

export function Content(props: ContentProps) {
  const { tip, at = [] } = props.message.content;
  return (
    <>
      <Said {...props} />
      {at.length > 0 && <p class="tip">{say('mentions', brief(at.join(', ')))}</p>}
      {tip && (
        <p class="tip" dir="auto">
          <Text text={tip} />
        </p>
      )}
    </>
  );
}

function Said({ message: { contentType, content }, raw, pictures }: ContentProps) {
  switch (contentType) {
    case 'text':
      return content.text ? <PlainText content={content} text={content.text} /> : <Nothing tip={content.tip} />;
    case 'markdown':
      if (!content.text) return <Nothing tip={content.tip} />;
      return <MarkdownText content={content} text={content.text} pictures={pictures} />;
    case 'image':
      return <Image content={content} pictures={pictures} />;
    case 'file':
      return <File content={content} />;
    case 'html':
      return <Html content={content} text={content.text ?? ''} pictures={pictures} />;
    default:
      return <Raw title={say('otherKind', contentType)} value={raw === undefined ? content : contentOf(raw)} />;
  }
}

function PlainText({ content, text }: { content: object; text: string }) {
  return (
    <Cut of={content} text={text}>
      {(shown) => (
        <p class="text" dir="auto">
          <Text text={shown} />
        </p>
      )}
    </Cut>
  );
}

function Nothing({ tip }: { tip: string | undefined }) {
  return tip ? null : <p class="tip">{labels.noContent}</p>;
}

/** The content of a message just as it came. */
function contentOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw;
}

/** Something shown as the JSON it came as. */
export function Raw({ title, value }: { title: string; value: unknown }) {
  const key = typeof value === 'object' && value !== null ? value : NOTHING;
  return (
    <Card title={visible(title)}>
      <Cut of={key} text={jsonOf(value)}>
        {(shown) => <pre dir="auto">{visible(shown)}</pre>}
      </Cut>
    </Card>
  );
}

const NOTHING = {};

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    // Nested too deeply to be written.
    return String(value);
  }
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="card">
      <bdi class="card-title">{title}</bdi>
      {children}
    </div>
  );
}
