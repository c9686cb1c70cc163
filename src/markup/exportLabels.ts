/** What an exported chat says beside its messages, in the person's language; `{0}` is filled in already. */
export interface ExportLabels {
  /** For the document, such as `zh-cn`. */
  language: string;
  bot: string;
  unknownTime: string;
  unreadable: string;
  /** Before an entry that is written as it came because of its length. */
  long: string;
  image: string;
  file: string;
  video: string;
  audio: string;
  expression: string;
  post: string;
  form: string;
  expired: string;
  htmlSource: string;
  message(id: string): string;
  replyTo(id: string): string;
  command(name: string): string;
  otherKind(contentType: string): string;
  opens(address: string): string;
  copies(value: string): string;
  reports(value: string): string;
  unknownAction(actionType: string | number): string;
}

/** What stands at the head of an exported chat: its name, and facts about the export. */
export interface ExportHeading {
  title: string;
  facts: readonly { label: string; value: string }[];
}
