/** The content of a message, by kind (contract 2.7). */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import {
  hideMarks,
  type Part,
  partsOf,
  readableText,
  type TextPart,
  unnamedMentions,
} from '../../markup/messageContent.ts';
import { receivedContent } from '../../markup/messageFormats.ts';
import { systemClock } from '../../service/clock.ts';
import type { Message } from '../../service/message.ts';
import { Attachment, Image } from './attachments.tsx';
import { kindName } from './formats.ts';
import { l10n } from './host.ts';
import { HtmlContent } from './htmlPage.tsx';
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
  const { message } = props;
  const { content } = message;
  // Parts are kept, because rows are rendered often, and a card takes long to read. Media is read each time: its address expires.
  const parts = useMemo(() => partsOf(message, systemClock.wall()), [message]);
  const mentioned = unnamedMentions(content);
  return (
    <>
      {parts.map((part, index) => (
        <PartView key={index} part={part} {...props} />
      ))}
      {mentioned.length > 0 && <p class="tip">{l10n.t('Mentions {0}', excerpt(mentioned.join(', ')))}</p>}
      {content.tip && (
        <p class="tip" dir="auto">
          <Text text={readableText(content.tip)} />
        </p>
      )}
    </>
  );
}

interface PartProps<P extends Part> extends MessageContentProps {
  part: P;
}

function PartView(props: PartProps<Part>): JSX.Element {
  const { part, message, raw, openImage } = props;
  const { contentType, content } = message;
  switch (part.kind) {
    case 'plain':
    case 'markdown':
    case 'html':
    case 'source':
      return part.text.trim() ? <TextView {...props} part={part} /> : <EmptyNote content={content} />;
    case 'card':
      return (
        <Card title={cardTitle(contentType)}>
          {part.title && <bdi class="file-name">{escapeInvisible(part.title)}</bdi>}
          {part.body.text && (
            <div class="card-text">
              <TextView {...props} part={part.body} />
            </div>
          )}
        </Card>
      );
    case 'media': {
      const text = { kind: 'plain', text: part.text } as const;
      return (
        <>
          {part.media.isImage ? <Image message={message} open={openImage} /> : <Attachment message={message} />}
          {part.text && <TextView {...props} part={text} />}
        </>
      );
    }
    case 'fields':
      return <Form fields={part.fields} />;
    case 'json':
      return (
        <RawJson
          title={l10n.t('Message type “{0}”, shown as received', contentType)}
          value={raw === undefined ? content : receivedContent(raw)}
        />
      );
  }
}

function cardTitle(contentType: string): string {
  if (contentType === 'a2ui') return l10n.t("Interactive card, which can't be used here");
  const name = kindName(contentType);
  return name === contentType ? l10n.t('Message type “{0}”', escapeAllInvisible(name)) : name;
}

function TextView({ part: { kind, text }, message: { content }, openImage }: PartProps<TextPart>): JSX.Element {
  const loadImages = openImage !== undefined;
  switch (kind) {
    case 'plain':
      return <PlainText content={content} text={text} />;
    case 'markdown':
      return <MarkdownContent content={content} text={text} loadImages={loadImages} />;
    case 'html':
      return <HtmlContent content={content} text={hideMarks(text)} loadImages={loadImages} />;
    case 'source':
      return (
        <Truncated owner={content} text={text}>
          {(start) => <pre dir="auto">{escapeAllInvisible(start)}</pre>}
        </Truncated>
      );
  }
}

function Form({ fields }: Pick<Extract<Part, { kind: 'fields' }>, 'fields'>) {
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

/** Holds the open state of values that can't be keys of a WeakMap. */
const NO_OWNER = {};

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? '';
  } catch {
    // The value is nested too deeply for JSON.
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
