/** What a message says, by its kind (contract 2.7). */
import type { ComponentChildren } from 'preact';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { displayText, knownKind, namesAllMentions } from '../../markup/messageContent.ts';
import type { Message } from '../../service/message.ts';
import { Attachment, Image } from './attachments.tsx';
import { formatLabel, labels } from './host.ts';
import { HtmlContent } from './htmlPage.tsx';
import { MarkdownContent } from './markdownText.tsx';
import { Text, Truncated } from './text.tsx';

export interface MessageContentProps {
  message: Message;
  /** The JSON that the message came as; it may be left out where the kind is one of the contract's. */
  raw: unknown;
  /** Whether pictures of the web may be loaded. */
  pictures: boolean;
}

export function MessageContent(props: MessageContentProps) {
  const { content } = props.message;
  const { tip, at = [] } = content;
  return (
    <>
      <Said {...props} />
      {!namesAllMentions(content) && <p class="tip">{formatLabel('mentions', excerpt(at.join(', ')))}</p>}
      {tip && (
        <p class="tip" dir="auto">
          <Text text={tip} />
        </p>
      )}
    </>
  );
}

function Said({ message, raw, pictures }: MessageContentProps) {
  const { contentType, content } = message;
  const text = displayText(content);
  switch (knownKind(message)) {
    case 'text':
    case 'tip':
      return text ? <PlainText content={content} text={text} /> : <Nothing tip={content.tip} />;
    case 'markdown':
      if (!text) return <Nothing tip={content.tip} />;
      return <MarkdownContent content={content} text={text} pictures={pictures} />;
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
      return <HtmlContent content={content} text={text} pictures={pictures} />;
    default:
      return (
        <RawJson title={formatLabel('otherKind', contentType)} value={raw === undefined ? content : contentOf(raw)} />
      );
  }
}

/** A post as its own text says it; an ID of its own leads nowhere. */
function Post({ content, pictures }: { content: Message['content']; pictures: boolean }) {
  const { postTitle, postContent = '', postContentType } = content;
  return (
    <div class="card">
      <span class="card-title">{labels.post}</span>
      {postTitle && <bdi class="file-name">{escapeInvisible(postTitle)}</bdi>}
      {postContent && (
        <div class="post">
          {postContentType === 2 ? (
            <MarkdownContent content={content} text={postContent} pictures={pictures} />
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
            <dt dir="auto">{escapeInvisible(label)}</dt>
            <dd dir="auto">{value ? <Text text={value} /> : '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function PlainText({ content, text }: { content: object; text: string }) {
  return (
    <Truncated of={content} text={text}>
      {(shown) => (
        <p class="text" dir="auto">
          <Text text={shown} />
        </p>
      )}
    </Truncated>
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
export function RawJson({ title, value }: { title: string; value: unknown }) {
  const key = typeof value === 'object' && value !== null ? value : NOTHING;
  return (
    <Card title={escapeInvisible(title)}>
      <Truncated of={key} text={jsonOf(value)}>
        {(shown) => <pre dir="auto">{escapeInvisible(shown)}</pre>}
      </Truncated>
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
