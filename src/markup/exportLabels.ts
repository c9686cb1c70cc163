import type { NamedType } from './messageContent.ts';

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
  /** Whom a message mentions, if its text doesn't say. */
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
