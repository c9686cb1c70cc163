/** The chats that a map names: in the block, the recipients; in a rule such as `except:`, whom it is about. */
import { isScalar, isSeq, type ParsedNode } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { idInCell } from '../../../markup/listedId.ts';
import { parseIds } from '../../../markup/pastedIds.ts';
import { audienceNamed } from '../../../platform/audiences.ts';
import { chatKindOf, idProblemText, invalidIdText } from '../../../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { isIdentifier } from '../../../service/fields.ts';
import type { Chat } from '../../../service/model.ts';
import { type ChatsKey, type ChatsRule, KINDS, suggestionsFor } from './keys.ts';
import { type Fix, type ReportProblem, replaceFix, type TextRange } from './problem.ts';
import { type Field, type Fields, isBlank, rangeOf, readList, readText, readTextField, toYaml } from './yamlFields.ts';

/** What a file lists: the recipients, or the chats of a rule. */
export type FileRole = 'recipients' | ChatsRule;

/** A file that lists chats, as a document names it. */
export interface NamedFile extends TextRange {
  role: FileRole;
  /** The path, relative to the document. */
  path: string;
  /** Whether the recipients are people or groups if the file doesn't say so. */
  kind: Chat['kind'] | undefined;
  /** Whether the document says what the recipients are, even if that can't be read. */
  saysKind: boolean;
  /** Where its key begins, and whether that is in a map in braces. */
  key: { at: number; isInBraces: boolean };
}

export interface NamedChats {
  /** In document order, without duplicates. */
  recipients: (Chat & TextRange)[];
  /** In document order, without duplicates. */
  audiences: ({ name: string } & TextRange)[];
  /** The file that lists more chats, with values for the variables if these are recipients. */
  recipientFile?: NamedFile | undefined;
}

/** Whether the items of a list are in brackets, where several can replace one. */
const isInline = (field: Field | undefined) => isSeq(field?.value) && field.value.flow === true;

/** Reads what the fields of a map name: of the block, or of a rule. */
export function readNamedChats(
  fields: Fields<ChatsKey>,
  audienceNames: () => readonly string[],
  report: ReportProblem,
  { role = 'recipients' as FileRole, mayHaveFile = false, isInBraces = false } = {},
): NamedChats {
  const recipients = (
    [
      ['group', fields.groups],
      ['user', fields.people],
    ] as const
  ).flatMap(([of, field]) =>
    namesIn(field, role, report, {
      itemsIn: spacedIds,
      read: (text, node) => readId(text, node, report, isInline(field)),
    }).map(({ name, node }) => ({ kind: of, id: name, ...rangeOf(node) })),
  );
  const listed = namesIn(fields.audiences, role, report);
  const known = new Set(listed.length > 0 ? audienceNames() : []);
  const nameInSettings = audienceNamed(known);
  const audiences = listed.map(({ name, node }) => ({ name: nameInSettings(name), ...rangeOf(node) }));
  for (const { name, ...place } of audiences)
    if (!known.has(name))
      report(place, l10n.t("Audience {0} isn't in your settings.", excerpt(name)), {
        fixes: audienceFixes(name, place, known, audiences),
      });

  const kind = fields.kind && readKind(fields.kind, report);
  const path = readTextField(fields.recipients, report)?.trim();
  if (fields.kind && !fields.recipients && !mayHaveFile)
    report(rangeOf(fields.kind.key), l10n.t('kind has no effect without recipients.'), { severity: 'warning' });
  if (path === undefined || !fields.recipients) return { recipients, audiences, recipientFile: undefined };
  const key = { at: fields.recipients.key.range[0], isInBraces };
  const saysKind = fields.kind !== undefined;
  const recipientFile = { role, path, kind, saysKind, key, ...rangeOf(fields.recipients.value) };
  return { recipients, audiences, recipientFile };
}

/**
 * The ID in the text of a value, read as in a file: it may be a number that a spreadsheet has changed, or several IDs with
 * Chinese commas between. A text that isn't clearly one ID is reported, and so is text beside an ID without quotation
 * marks. `isListed` is whether several can stand in its place.
 */
export function readId(text: string, node: ParsedNode, report: ReportProblem, isListed = false): string | undefined {
  const place = rangeOf(node);
  const isQuoted = isScalar(node) && node.type !== 'PLAIN';
  const found = idInCell(text);
  if ('id' in found) {
    const { id } = found;
    if (isQuoted || id === text) return id;
    report(place, notAnIdText(text), { fixes: [replaceFix(place, id, toYaml(id))] });
    return undefined;
  }
  const isWord = isIdentifier(text);
  if (found.problem !== 'malformed' && found.problem !== 'several') report(place, idProblemText(found.problem, text));
  else if (isQuoted ? !isWord : isWord && found.problem === 'malformed') report(place, invalidIdText());
  else if (isWord) {
    const ids = parseIds(text).map(toYaml).join(', ');
    report(place, notOneIdText(text), { fixes: isListed ? [replaceFix(place, ids)] : [] });
  } else {
    const { text: said, fixes } = notIdentifier(text, place, isListed);
    report(place, said, { fixes });
  }
  return undefined;
}

/** What is said of a text that can't be an ID, such as two IDs with a space between, or an ID with a name after it. */
function notIdentifier(text: string, place: TextRange, isListed: boolean): { text: ShownText; fixes: Fix[] } {
  const [id, ...others] = parseIds(text).filter((one) => /\d/.test(one));
  if (id !== undefined && others.length === 0 && /\d{5}/.test(id) && isIdentifier(id))
    return { text: notAnIdText(text), fixes: [replaceFix(place, id, toYaml(id))] };
  const all = isListed ? spacedIds(text) : [];
  if (all.length === 0) return { text: invalidIdText(), fixes: [] };
  return { text: notOneIdText(text), fixes: [replaceFix(place, all.map(toYaml).join(', '))] };
}

/** The IDs in a text with spaces or line breaks between them; none if other words are among them, such as names. */
function spacedIds(text: string): readonly string[] {
  const ids = parseIds(text);
  return ids.every((id) => /\d/.test(id) && isIdentifier(id)) ? ids : [];
}

const notAnIdText = (text: string) => l10n.t("{0} isn't an ID.", excerpt(text, 60));

const notOneIdText = (text: string) =>
  l10n.t("{0} isn't one ID. Put a plain comma and a space between IDs.", excerpt(text, 60));

interface ItemReading {
  /** Finds the items in a text that separates them by white space alone. */
  itemsIn?: (text: string) => readonly string[];
  /** Returns what an item means; undefined if it has reported that the item means nothing. */
  read?: (text: string, node: ParsedNode) => string | undefined;
}

/** The IDs or names in a field, trimmed and without duplicates. */
function namesIn(
  field: Field | undefined,
  role: FileRole,
  report: ReportProblem,
  { itemsIn, read = (text) => text }: ItemReading = {},
): { name: string; node: ParsedNode }[] {
  if (!field) return [];
  const { key, value } = field;
  const names = new Map<string, { name: string; node: ParsedNode }>();
  const items = readList(field, report, itemsIn);
  for (const [index, item] of items.entries()) {
    const place = rangeOf(item);
    if (isBlank(item)) {
      const where = place.end > place.start ? place : (dashOf(value, index) ?? place);
      report(where, l10n.t('An entry of {0} is empty.', key.source));
      continue;
    }
    const text = readText(item, key.source, place, report)?.trim();
    const name = text === undefined ? undefined : read(text, item);
    if (name !== undefined && names.has(name)) {
      const previous = items[index - 1];
      const fixes = previous ? removeFixes(previous, item, isInline(field)) : [];
      const text =
        role === 'recipients'
          ? l10n.t('{0} is listed twice. Only one message is sent.', excerpt(name))
          : l10n.t('{0} is listed twice.', excerpt(name));
      report(place, text, { severity: 'warning', fixes });
    } else if (name !== undefined) {
      names.set(name, { name, node: item });
    }
  }
  return [...names.values()];
}

/** The dash of an item in a list of several lines: an empty one has no other place that can be seen. */
function dashOf({ srcToken }: ParsedNode, index: number): TextRange | undefined {
  const tokens = srcToken?.type === 'block-seq' ? srcToken.items[index]?.start : undefined;
  const dash = tokens?.find(({ type }) => type === 'seq-item-ind');
  return dash && { start: dash.offset, end: dash.offset + dash.source.length };
}

/**
 * Removes an item of a list, with the comment beside it: often a name. There's no fix if the comment of another item would
 * be lost.
 */
function removeFixes(previous: ParsedNode, item: ParsedNode, isInline: boolean): Fix[] {
  if (item.commentBefore || (isInline && (item.comment || previous.comment))) return [];
  // A line ends after its comment and its line break.
  const [start, end] = isInline ? [rangeOf(previous).end, rangeOf(item).end] : [previous.range[2], item.range[2]];
  return [{ title: l10n.t('Remove from the list'), edits: [{ start, end, text: '' }] }];
}

/** Names an audience that exists, and isn't listed yet. */
function audienceFixes(
  name: string,
  place: TextRange,
  known: ReadonlySet<string>,
  listed: readonly { name: string }[],
): Fix[] {
  const others = [...known].filter((one) => listed.every((other) => other.name !== one));
  return suggestionsFor(name, others).map((one) => replaceFix(place, one, toYaml(one)));
}

function readKind(field: Field, report: ReportProblem): Chat['kind'] | undefined {
  const text = readTextField(field, report);
  const kind = text === undefined ? undefined : chatKindOf(text);
  if (text === undefined || kind) return kind;
  const place = rangeOf(field.value);
  const meant = suggestionsFor(text.trim(), KINDS);
  const fixes = (meant.length > 0 ? meant : KINDS).map((one) => replaceFix(place, one));
  report(place, l10n.t('Unknown kind {0}. Use person or group.', excerpt(text, 60)), { fixes });
  return kind;
}
