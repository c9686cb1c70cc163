/** Finds the front matter of a Markdown text, reads the `chat:` block in it, and knows how a fix is written there. */
import { isMap, isScalar, type ParsedNode, type Scalar, visit } from 'yaml';
import { withoutBlanks } from '../../../presentation/recipientCsv.ts';
import { l10n } from '../../../presentation/shown.ts';
import { type ChatBlock, NO_BLOCK, readChatBlock, UNREADABLE_BLOCK } from './chatBlock.ts';
import {
  reportCommented,
  reportOutside,
  reportWideColons,
  reportWithoutBlock,
  spacesFix,
  unquotedVariable,
  wideColonsIn,
} from './frontMatterMistakes.ts';
import { BLOCK_KEYS, type BlockKey, isBlockKey, suggestionsFor } from './keys.ts';
import { parseYaml } from './parseYaml.ts';
import { type Fix, type ReportProblem, renameFix, startOfLine, type TextRange } from './problem.ts';
import {
  duplicateKeyText,
  isEmptyNode,
  keysOf,
  rangeOf,
  reportUnquoted,
  unknownKeyText,
  unsupportedText,
} from './yamlFields.ts';

export interface FrontMatter extends TextRange {
  /** The text between the two marker lines, or the rest of the text if the closing one is missing. */
  yaml: TextRange;
  isClosed: boolean;
}

/** A line of three dashes or dots, and a blank line after it. */
const CLOSING = /(?:^|\n)(---|\.\.\.)[ \t]*(?:\r?\n(?:[ \t]*(?:\r?\n|$))?|$)/g;

/** The front matter at the start of a text, with one blank line after it; undefined if the first line isn't `---`. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = /^\uFEFF?---[ \t]*(?:\r?\n|$)/.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const start = opening.startsWith('\uFEFF') ? 1 : 0;
  const open = opening.length;
  // The search begins at the end of the first line, so that the second line can be the closing one.
  CLOSING.lastIndex = text[open - 1] === '\n' ? open - 1 : open;
  const closing = CLOSING.exec(text);
  if (!closing) return { start, end: text.length, yaml: { start: open, end: text.length }, isClosed: false };
  const end = Math.max(open, closing.index + 1);
  return { start, end: closing.index + closing[0].length, yaml: { start: open, end }, isClosed: true };
}

interface ParsedFrontMatter {
  hasBlock: boolean;
  block?: ChatBlock;
  /** The front matter without the block; empty if nothing else is in it. */
  otherText: string;
  /** Where the text seems to begin if nothing ends the front matter. */
  bodyStart?: number;
}

/** Reads front matter; undefined if the text between the marker lines isn't front matter. */
export function readFrontMatter(
  text: string,
  front: FrontMatter,
  audiences: () => readonly string[],
  report: ReportProblem,
): ParsedFrontMatter | undefined {
  const { start, end } = front.yaml;
  const marker = { start: front.start, end: front.start + 3 };
  const whole = text.slice(front.start, front.end);
  /** Reads what it can of valid YAML, without reporting further problems: they may follow from the first one. */
  const readAnyway = (yaml: string, unread: readonly BlockKey[]): ChatBlock => {
    const parsed = parseYaml(yaml, start);
    const root = 'root' in parsed && isMap(parsed.root) ? parsed.root : undefined;
    const value = root?.items.find(isBlock)?.value;
    if (!value) return UNREADABLE_BLOCK;
    const block = readChatBlock(value, audiences, () => {});
    return { ...block, unread: new Set([...block.unread, ...unread]) };
  };
  if (!front.isClosed) {
    // The end of the front matter is unknown: the block is sought up to the first blank line.
    const [beginning = ''] = text.slice(start).split(/(?:^|\n)[ \t\r]*\n/, 1);
    if (!looksLikeBlock(beginning)) return undefined;
    // The end replaces a line that was meant to close the front matter, or comes after the last line that can be in it.
    const own = beginning.slice(0, endOfYaml(beginning));
    const almost = CLOSING_LINE.exec(beginning.slice(own.length));
    const at = start + (almost ? own.length : own.trimEnd().length);
    const edit = { start: at, end: at + (almost?.[0].length ?? 0), text: almost ? '---' : '\n---' };
    const bodyStart = edit.end + (/^\s*\n/.exec(text.slice(edit.end))?.[0].length ?? 0);
    const fixes: Fix[] = [{ title: l10n.t('Close the front matter'), edits: [edit] }];
    report(marker, unclosedText(), { fixes });
    return { hasBlock: true, block: readAnyway(text.slice(0, at), BLOCK_KEYS), otherText: '', bodyStart };
  }
  // YAML reads the opening dashes as a document marker. Parsing from there keeps offsets those of the whole text.
  const parsed = parseYaml(text.slice(0, end), start);
  if ('error' in parsed) {
    if (parsed.at === undefined) {
      report(marker, parsed.error);
      return { hasBlock: true, block: UNREADABLE_BLOCK, otherText: '' };
    }
    const at = Math.max(start, Math.min(parsed.at, end - 1));
    const line = startOfLine(text, at);
    const unquoted = unquotedVariable(text, line);
    const wide = wideColonsIn(text, start, end);
    if (wide.length > 0) reportWideColons(wide, report);
    else if (unquoted) reportUnquoted(unquoted, report, text.slice(unquoted.start, unquoted.end));
    else {
      const spaces = spacesFix(text.slice(0, end), start, parsed.error);
      report({ start: at, end: at + 1 }, parsed.error, { fixes: spaces ? [spaces] : [] });
    }
    const block = readAnyway(withoutLine(text.slice(0, end), line), keysIn(text.slice(line)));
    return { hasBlock: looksLikeBlock(text.slice(start, end)), block, otherText: '' };
  }
  const { root } = parsed;
  if (!root || isEmptyNode(root)) return { hasBlock: false, otherText: '' };
  if (!isMap(root)) {
    // Without any plain colon, YAML takes a block for a text.
    const wide = looksLikeBlock(text.slice(start, end)) ? wideColonsIn(text, start, end) : [];
    if (wide.length < 2) return undefined;
    reportWideColons(wide, report);
    return { hasBlock: true, block: UNREADABLE_BLOCK, otherText: '' };
  }
  const at = root.items.findIndex(isBlock);
  const entry = root.items[at];
  if (!entry) {
    const similar = root.items.find(({ key, value }) => isScalar(key) && isSimilarKey(key.source) && isBlockMap(value));
    if (!similar) {
      const outside = root.flow ? [] : reportWithoutBlock(text, root.items, front.yaml, report);
      const block = { ...NO_BLOCK, unread: new Set(outside) };
      return outside.length > 0 ? { hasBlock: true, block, otherText: '' } : { hasBlock: false, otherText: whole };
    }
    const place = rangeOf(similar.key);
    const written = isScalar(similar.key) ? similar.key.source : '';
    const said = written === withoutBlanks(written) ? unknownKeyText(written) : blanksText('chat');
    report(place, said, { fixes: [renameFix(place, 'chat')] });
    const block = similar.value ? readChatBlock(similar.value, audiences, () => {}) : UNREADABLE_BLOCK;
    return { hasBlock: true, block, otherText: '' };
  }
  // A block in braces can't be removed from the rest.
  if (root.flow) report(rangeOf(entry.key), unsupportedText());
  for (const { key } of root.items.slice(at + 1).filter(isBlock)) report(rangeOf(key), duplicateKeyText('chat'));
  const found: Parameters<ReportProblem>[] = [];
  const own = entry.value ? readChatBlock(entry.value, audiences, (...one) => found.push(one)) : NO_BLOCK;
  const isWrong = found.some(([, , more]) => more?.severity !== 'warning');
  const wide = isWrong ? wideColonsIn(text, start, end) : [];
  if (wide.length > 0) reportWideColons(wide, report);
  else for (const one of found) report(...one);
  if (entry.value && text.slice(start, end).includes('{{')) reportCommented(text, entry.value, report);
  const outside = root.flow ? [] : reportOutside(text.slice(0, end), root.items, at, report);
  const block = { ...own, unread: new Set([...own.unread, ...outside]) };
  const next = root.items[at + 1]?.key.range[0];
  const before = text.slice(start, startOfLine(text, entry.key.range[0]));
  const after = text.slice(next === undefined ? end : startOfLine(text, next), end);
  const otherText =
    root.items.length > 1 ? text.slice(front.start, start) + before + after + text.slice(end, front.end) : '';
  return { hasBlock: true, block, otherText };
}

/** A line that is meant to close front matter. */
const CLOSING_LINE =
  /^[\p{Zs}\t\u200B]*(?:[-–—－](?:[ \t]?[-–—－])+|[-–—－]+|\*{3,}|_{3,}|={3,}|\+{3,}|\.{3}|`{3,})[\p{Zs}\t\u200B]*(?=\r?(?:\n|$))/u;

/** The end of the first lines that can be in front matter: the text may follow without a blank line. */
function endOfYaml(lines: string): number {
  const block = Math.max(0, lines.search(BLOCK));
  let at = 0;
  let end = block;
  let mayBeList = false;
  let isList = false;
  for (const whole of lines.split('\n')) {
    // Above the block, such a line may also be in a longer value.
    if (CLOSING_LINE.test(whole) && (at >= block || /^\S/.test(whole))) return at;
    const line = whole.slice(Math.max(0, block - at));
    at += whole.length + 1;
    if (at <= block) continue;
    // A line with a number sign may be a heading.
    if (line.startsWith('#')) continue;
    const [isField, value = ''] = FIELD.exec(line) ?? [];
    isList = line.startsWith('- ') ? mayBeList : isList && /^\s/.test(line);
    if (isField === undefined && !isList && !/^[\s}\]]/.test(line)) break;
    mayBeList = isList || (isField !== undefined && value.trim() === '');
    end = Math.min(at, lines.length);
  }
  return end;
}

/** A key of the front matter itself, and its value. */
const FIELD = /^["']?(?:[\p{L}\p{N}_-]+["']?[ \t]*:(?=\s|$)|\w+["']?[ \t]*：)(.*)/u;

const unclosedText = () =>
  l10n.t("The front matter isn't closed. Add a line with ---, or use *** if you want a horizontal rule.");

const isBlock = ({ key }: { key: ParsedNode }) => isScalar(key) && key.source === 'chat';

/** Whether a key may stand for `chat`, also with blanks that YAML takes for a part of it. */
const isSimilarKey = (key: string) => /^chats?$/i.test(withoutBlanks(key));
const isBlockMap = (value: ParsedNode | null) => value !== null && keysOf(value).some(isBlockKey);

const blanksText = (key: string) =>
  l10n.t("The key {0} would be ignored, because blanks or invisible characters beside it aren't plain spaces.", key);

/** Whether invalid YAML seems to contain the block. */
const looksLikeBlock = (yaml: string) => BLOCK.test(yaml);
const BLOCK = /(?<=^|[\n{])["']?chat["']?[ \t]*[:：]/;

/** The keys that the first line may be about. */
function keysIn(text: string): readonly BlockKey[] {
  const word = /^[ \t]*["']?(\w{1,20})/.exec(text)?.[1] ?? '';
  const known = BLOCK_KEYS.filter((key) => key === word);
  const meant = known.length > 0 ? known : suggestionsFor(word, BLOCK_KEYS);
  return meant.length > 0 ? meant : BLOCK_KEYS;
}

/** A text with spaces in place of the line that starts at an offset, so that other offsets stay. */
const withoutLine = (text: string, line: number) =>
  text.slice(0, line) + text.slice(line).replace(/^.*/, ({ length }) => ' '.repeat(length));

/**
 * Writes pieces of values at offsets of a document; undefined for a piece that can't be written there, because a fix that
 * forgets the quotation marks around it would break the YAML. Below the front matter, a piece is written as it is.
 */
export function pieceWriter(text: string): (piece: string, at: number) => string | undefined {
  let values: Scalar.Parsed[] | undefined;
  return (piece, at) => {
    // Most documents have nothing to fix.
    values ??= scalarsIn(text);
    const value = values.find(({ range: [start, end] }) => start <= at && at < end);
    switch (value?.type) {
      case 'QUOTE_DOUBLE':
        return piece.replace(/["\\]/g, '\\$&');
      case 'QUOTE_SINGLE':
        return piece.replaceAll("'", "''");
      case 'PLAIN':
        return /(?:^|\s)#|:(?:\s|$)/.test(piece) ? undefined : piece;
      default:
        return piece;
    }
  };
}

function scalarsIn(text: string): Scalar.Parsed[] {
  const found: Scalar.Parsed[] = [];
  const front = findFrontMatter(text);
  if (!front?.isClosed) return found;
  const parsed = parseYaml(text.slice(0, front.yaml.end), front.yaml.start);
  if ('error' in parsed || !parsed.root) return found;
  visit(parsed.root, {
    Node: (_, node) => {
      if (isScalar(node)) found.push(node as Scalar.Parsed);
    },
  });
  return found;
}
