/** The content of a message, by kind (contract 2.7). */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { cardText } from '../../markup/interactiveCard.ts';
import {
  displayText,
  formFields,
  knownType,
  markdownSource,
  postOf,
  readableText,
  unnamedMentions,
} from '../../markup/messageContent.ts';
import type { Message } from '../../service/message.ts';
import { Attachment, Image } from './attachments.tsx';
import { l10n } from './host.ts';
import { HtmlContent } from './htmlPage.tsx';
import { kindName } from './kindName.ts';
import { MarkdownContent } from './markdownText.tsx';
import { Text, Truncated } from './text.tsx';

export interface MessageContentProps {
  message: Message;
  /** The JSON of the message as received. Optional for kinds that the contract documents. */
  raw: unknown;
  /** Opens the image of the message. Missing where no remote images may be loaded. */
  openImage: (() => void) | undefined;
}

export function MessageContent(props: MessageContentProps) {
  const { content } = props.message;
  const { tip } = content;
  const mentioned = unnamedMentions(content);
  const fields = formFields(content);
  return (
    <>
      <ContentByType {...props} />
      {fields.length > 0 && knownType(props.message) && <Form fields={fields} />}
      {mentioned.length > 0 && <p class="tip">{l10n.t('Mentions {0}', excerpt(mentioned.join(', ')))}</p>}
      {tip && (
        <p class="tip" dir="auto">
          <Text text={readableText(tip)} />
        </p>
      )}
    </>
  );
}

function ContentByType({ message, raw, openImage }: MessageContentProps): JSX.Element {
  const { contentType, content } = message;
  const loadImages = openImage !== undefined;
  const text = displayText(content);
  const isBlank = text.trim() === '';
  switch (knownType(message)) {
    case 'text':
    case 'tip':
      return isBlank ? <EmptyNote content={content} /> : <PlainText content={content} text={text} />;
    case 'markdown':
      if (isBlank) return <EmptyNote content={content} />;
      return <MarkdownContent content={content} text={markdownSource(content)} loadImages={loadImages} />;
    case 'image':
    case 'file':
    case 'video':
    case 'audio':
    case 'expression':
      return (
        <>
          {contentType === 'image' ? <Image message={message} open={openImage} /> : <Attachment message={message} />}
          {text && <PlainText content={content} text={text} />}
        </>
      );
    case 'post':
      return <Post content={content} loadImages={loadImages} />;
    case 'form':
      return <>{text && <PlainText content={content} text={text} />}</>;
    case 'html':
      if (isBlank) return <EmptyNote content={content} />;
      return <HtmlContent content={content} text={markdownSource(content)} loadImages={loadImages} />;
    case 'a2ui':
      return <InteractiveCard content={content} />;
    case 'other': {
      const name = kindName(contentType);
      return (
        <Card title={name === contentType ? l10n.t('Message type “{0}”', escapeAllInvisible(name)) : name}>
          <PlainText content={content} text={text} />
        </Card>
      );
    }
    case undefined:
      return (
        <RawJson
          title={l10n.t('Message type “{0}”, shown as received', contentType)}
          value={raw === undefined ? content : contentOf(raw)}
        />
      );
  }
}

/** A post's title and text. Its ID can't be opened. */
function Post({ content, loadImages }: { content: Message['content']; loadImages: boolean }) {
  const { title, text, isMarkdown } = postOf(content);
  return (
    <div class="card">
      <span class="card-title">{l10n.t('Post')}</span>
      {title && <bdi class="file-name">{escapeInvisible(readableText(title))}</bdi>}
      {text && (
        <div class="post">
          {isMarkdown ? (
            <MarkdownContent content={content} text={markdownSource({ text })} loadImages={loadImages} />
          ) : (
            <PlainText content={content} text={readableText(text)} />
          )}
        </div>
      )}
    </div>
  );
}

function Form({ fields }: { fields: ReturnType<typeof formFields> }) {
  return (
    <div class="card">
      <span class="card-title">{l10n.t('Form')}</span>
      <dl class="form">
        {fields.map(({ label, value, isOn }, index) => (
          <div key={index}>
            <dt dir="auto">{escapeInvisible(label)}</dt>
            <dd dir="auto">
              {isOn === undefined ? (
                value ? (
                  <Text text={value} />
                ) : (
                  '—'
                )
              ) : (
                <span role="img" aria-label={isOn ? l10n.t('Yes') : l10n.t('No')}>
                  {value}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The texts of a card, whose components are for apps, or else its source. */
function InteractiveCard({ content }: { content: Message['content'] }) {
  const { text = '' } = content;
  const shown = useMemo(() => cardText(text), [text]);
  return (
    <Card title={l10n.t("Interactive card, which can't be used here")}>
      {shown === undefined ? (
        <Truncated owner={content} text={text}>
          {(start) => <pre dir="auto">{escapeAllInvisible(start)}</pre>}
        </Truncated>
      ) : (
        <PlainText content={content} text={readableText(shown)} />
      )}
    </Card>
  );
}

function PlainText({ content, text }: { content: object; text: string }) {
  return (
    <Truncated owner={content} text={text}>
      {(shown) => (
        <p class="text" dir="auto">
          <Text text={shown} />
        </p>
      )}
    </Truncated>
  );
}

function EmptyNote({ content: { tip, formJson = [] } }: { content: Message['content'] }) {
  return tip || formJson.length > 0 ? null : <p class="tip">{l10n.t('This message is empty.')}</p>;
}

/** The content of a message as received. */
function contentOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw;
}

/** A value shown as JSON. */
export function RawJson({ title, value }: { title: string; value: unknown }) {
  const owner = typeof value === 'object' && value !== null ? value : NO_OWNER;
  return (
    <Card title={escapeInvisible(title)}>
      <Truncated owner={owner} text={jsonOf(value)}>
        {(shown) => <pre dir="auto">{escapeAllInvisible(shown)}</pre>}
      </Truncated>
    </Card>
  );
}

/** Holds the open state of values that can't. */
const NO_OWNER = {};

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    // Nested too deeply for JSON.
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
