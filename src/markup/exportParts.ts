/** What the HTML and Markdown exports of a chat share: their labels, and parts of a message. */
import type { Button, Message } from '../service/message.ts';
import { formatFileSize } from './media.ts';
import { buttonAddress, knownType, mediaOf, type NamedType, readableText, unnamedMentions } from './messageContent.ts';

/** The labels of an exported chat in the user's language. */
export interface ExportLabels {
  /** The language of the document, such as `zh-cn`. */
  language: string;
  bot: string;
  unknownTime: string;
  unreadable: string;
  /** Introduces an entry that is exported as JSON because it's too long. */
  long: string;
  /** Content types, as they introduce a message. */
  kinds: Record<NamedType, string>;
  expired: string;
  htmlSource: string;
  reply: string;
  /** Quotes a message that isn't known. */
  replyToEarlier: string;
  replyTo(name: string): string;
  /** What somebody says. */
  says(name: string, text: string): string;
  /** `zone` is the name of the time zone. */
  timesIn(offset: string, zone: string): string;
  timesFromHere(offset: string): string;
  command(name: string): string;
  /** Names whom a message mentions, if its text doesn't. */
  mentions(ids: string): string;
  /** A type without a name of its own. */
  otherType(contentType: string): string;
  /** Introduces JSON. */
  otherKind(contentType: string): string;
  opens(address: string): string;
  copies(value: string): string;
  reports(value: string): string;
  unknownAction(actionType: string | number): string;
}

/** The heading of an exported chat: its name, and facts about the export. */
export interface ExportHeading {
  title: string;
  facts: readonly string[];
}

/** More than any handwritten text of 100,000 characters has. Parsing more would block the extension host. */
const MAX_MARKS = 6_000;

/** Whether Markdown takes no time to parse; otherwise it's exported as source. */
export const isFastToRender = (markdown: string) => (markdown.match(/[\n*_~`[!<&|]|:\/\//g)?.length ?? 0) <= MAX_MARKS;

/** The effect of a click on a button. */
export function effectOf(button: Button, labels: ExportLabels): string {
  switch (button.actionType) {
    case 1:
      return labels.opens(buttonAddress(button));
    case 2:
      return labels.copies(button.value);
    case 3:
      return labels.reports(button.value);
    default: {
      const effect = labels.unknownAction(button.actionType ?? '?');
      return [effect, button.url, button.value].filter(Boolean).join(' · ');
    }
  }
}

/** What is below the content of a message: whom it mentions without naming them, and its note. */
export function notesOf({ content }: Message, labels: ExportLabels): string[] {
  const mentioned = unnamedMentions(content).join(', ');
  return [mentioned && labels.mentions(mentioned), readableText(content.tip ?? '')].filter(Boolean);
}

/** The kind, duration and size of a message, and whether it has expired. `now` is Unix ms. */
export function captionOf(message: Message, labels: ExportLabels, now: number): string {
  const { duration = '', isExpired = false } = mediaOf(message, now) ?? {};
  const size = formatFileSize(message.content.fileSize, labels.language);
  return [kindLabel(message, labels), duration, size, isExpired && labels.expired].filter(Boolean).join(' · ');
}

/** The content types that need no name, because their text says what they are. */
const UNNAMED = ['text', 'markdown', 'html', 'tip'];

/** The translated name of a content type; undefined if it has or needs none. */
export const kindName = (contentType: string, { kinds }: ExportLabels): string | undefined =>
  Object.hasOwn(kinds, contentType) && !UNNAMED.includes(contentType) ? kinds[contentType as NamedType] : undefined;

function kindLabel(message: Message, labels: ExportLabels): string {
  switch (knownType(message)) {
    case 'text':
    case 'markdown':
    case 'tip':
      return '';
    case 'html':
      return labels.htmlSource;
    case undefined:
      return labels.otherKind(message.contentType);
    default:
      return kindName(message.contentType, labels) ?? labels.otherType(message.contentType);
  }
}
