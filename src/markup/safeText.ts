/**
 * Text made for one place, where what others wrote could do harm: reverse or hide what is around it, become a link, markup
 * or a formula. What shows or writes a text takes only that kind, and a plain string isn't one. Each kind is made by what
 * escapes for its place; the linter forbids claiming it anywhere else.
 */

declare const madeFor: unique symbol;
type MadeFor<Place extends string> = (string & { readonly [madeFor]: Place }) | '';

/** Text on the screen: invisible characters are escaped. */
export type ShownText = MadeFor<'the screen'>;

/** Text where VS Code shows `$(name)` as an icon: in lists, in the status bar and in lenses. */
export type IconText = MadeFor<'the screen, with icons'>;

/** Markdown of a card or a hover. */
export type CardMarkdown = MadeFor<'a card'>;

/** Markdown of a document: a draft, an export, a report. */
export type DocumentMarkdown = MadeFor<'a document'>;

/** HTML of a message, or of an export. */
export type Html = MadeFor<'HTML'>;

/** JSON, which is data. */
export type Json = MadeFor<'JSON'>;

/** Lines of CSV. */
export type CsvText = MadeFor<'a spreadsheet'>;

/** A row for an agent: what others wrote in it does nothing, and can't pass for another row. */
export type AgentRow = MadeFor<'an agent'>;

/** A template tag that puts texts of one kind together. The text between them is our own. */
const tagFor =
  <T extends string>() =>
  (ours: TemplateStringsArray, ...inserted: readonly (T | number)[]): T =>
    String.raw({ raw: ours }, ...inserted) as T;

/** Joins the texts of one kind that aren't empty. */
const joinerFor =
  <T extends string>() =>
  (texts: readonly (T | false | 0 | undefined)[], between: T | '' | ' ' | ' · ' | '\n' | '\n\n' | '  \n'): T =>
    texts.filter(Boolean).join(between) as T;

export const shownText = tagFor<ShownText>();
export const cardMarkdown = tagFor<CardMarkdown>();
export const documentMarkdown = tagFor<DocumentMarkdown>();
export const html = tagFor<Html>();

export const joinIconTexts = joinerFor<IconText>();
export const joinCard = joinerFor<CardMarkdown>();
export const joinDocument = joinerFor<DocumentMarkdown>();
export const joinHtml = joinerFor<Html>();
