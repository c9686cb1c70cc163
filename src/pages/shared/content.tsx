/** What a message says, by its kind (contract 2.7). */
import type { ComponentChildren } from 'preact';
import { kindOf } from '../../markup/contentKinds.ts';
import { shortened, visible } from '../../markup/invisibles.ts';
import { hasAllMentions, shownText } from '../../markup/mentions.ts';
import type { Message } from '../../service/message.ts';
import { Attachment, Image } from './attachments.tsx';
import { labels, say } from './host.ts';
import { Html } from './htmlPage.tsx';
import { MarkdownText } from './markdownText.tsx';
import { Cut, Text } from './text.tsx';

export interface ContentProps {
  message: Message;
  /** The JSON that the message came as; it may be left out where the kind is one of the contract's. */
  raw: unknown;
  /** Whether pictures of the web may be loaded. */
  pictures: boolean;
}

export function Content(props: ContentProps) {
  const { content } = props.message;
  const { tip, at = [] } = content;
  return (
    <>
      <Said {...props} />
      {!hasAllMentions(content) && <p class="tip">{say('mentions', shortened(at.join(', ')))}</p>}
      {tip && (
        <p class="tip" dir="auto">
          <Text text={tip} />
        </p>
      )}
    </>
  );
}

function Said({ message, raw, pictures }: ContentProps) {
  const { contentType, content } = message;
  const text = shownText(content);
  switch (kindOf(message)) {
    case 'text':
    case 'tip':
      return text ? <PlainText content={content} text={text} /> : <Nothing tip={content.tip} />;
    case 'markdown':
      if (!text) return <Nothing tip={content.tip} />;
      return <MarkdownText content={content} text={text} pictures={pictures} />;
    case 'image':
      return <Image message={message} pictures={pictures} />;
    case 'file':
    case 'video':
    case 'audio':
    case 'expression':
      return <Attachment message={message} />;
    case 'post':
      return <Post content={content} pictures={pictures} />;
    case 'form':
      return <Form fields={content.formJson ?? []} />;
    case 'html':
      return <Html content={content} text={text} pictures={pictures} />;
    default:
      return <Raw title={say('otherKind', contentType)} value={raw === undefined ? content : contentOf(raw)} />;
  }
}

/** A post as its own text says it; an ID of its own leads nowhere. */
function Post({ content, pictures }: { content: Message['content']; pictures: boolean }) {
  const { postTitle, postContent = '', postContentType } = content;
  return (
    <div class="card">
      <span class="card-title">{labels.post}</span>
      {postTitle && <bdi class="file-name">{visible(postTitle)}</bdi>}
      {postContent && (
        <div class="post">
          {postContentType === 2 ? (
            <MarkdownText content={content} text={postContent} pictures={pictures} />
          ) : (
            <PlainText content={content} text={postContent} />
          )}
        </div>
      )}
    </div>
  );
}

function Form({ fields }: { fields: NonNullable<Message['content']['formJson']> }) {
  return (
    <div class="card">
      <span class="card-title">{labels.form}</span>
      <dl class="form">
        {fields.map(({ label, value }, index) => (
          <div key={index}>
            <dt dir="auto">{visible(label)}</dt>
            <dd dir="auto">{value ? <Text text={value} /> : '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
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
