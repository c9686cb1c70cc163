/** Parses drafts, and reports their problems. */
import { isMap, isScalar, type ParsedNode } from 'yaml';
import { escapeCode, markdownVariables } from '../../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../../markup/messageTemplate.ts';
import type { Outgoing } from '../../../service/message.ts';
import type { Chat } from '../../../service/model.ts';
import { type ChatBlock, type NamedFile, NO_BLOCK, readChatBlock, UNREADABLE_BLOCK } from './chatBlock.ts';
import { type FrontMatter, findFrontMatter } from './frontMatter.ts';
import { BLOCK_KEYS, type BlockKey, type ContentType, suggestionsFor } from './keys.ts';
import { htmlLocalImages, markdownLocalImages } from './localImages.ts';
import { findMisplacedBlock, type MisplacedBlock, moveFix } from './misplacedBlock.ts';
import { MAX_VALUES, parseYaml } from './parseYaml.ts';
import type { Fix, Problem, ReportProblem, TextRange } from './problem.ts';
import { type DraftVariable, strayBracesIn, variablesIn } from './variables.ts';
import { isEmptyNode, keysOf, quoteFix, rangeOf } from './yamlFields.ts';

export type { Problem } from './problem.ts';

export interface ParsedDraft {
  /** What would be sent; undefined if there is an error. */
  message: Outgoing | undefined;
  /** What can be shown of the message, even if there is an error. */
  shown: Outgoing | undefined;
  /** Whether the message has variables, so that each recipient gets a message of their own. */
  isTemplate: boolean;
  /** In document order. */
  variables: DraftVariable[];
  /** The file that lists recipients, with values for the variables. */
  recipientFile: NamedFile | undefined;
  bot: ({ id: string } & TextRange) | undefined;
  /** In document order, without duplicates. */
  recipients: (Chat & TextRange)[];
  /** In document order, without duplicates. */
  audiences: ({ name: string } & TextRange)[];
  /** Whether the document has a `chat:` block, even an invalid or a misplaced one. */
  hasBlock: boolean;
  /** Keys of the block of which isn't known what the document says: no problem may follow from what it lacks. */
  unread: ReadonlySet<BlockKey>;
  /** The text after the front matter. */
  body: TextRange;
  /** In document order. */
  problems: Problem[];
}

export interface ParseOptions {
  /** Whether front matter is sent, except the `chat:` block, which never is. */
  keepFrontMatter: boolean;
  /** Whether there are no variables in it: braces are sent as they are. */
  isVerbatim?: boolean;
  /** Sent as this type, whatever the document says. */
  type?: ContentType | undefined;
  /** The names of all audiences. */
  audiences(): readonly string[];
}

const LOCAL_IMAGES = { markdown: markdownLocalImages, html: htmlLocalImages, text: () => [] };

/** Parses a document with YAML front matter, whose `chat:` block says how it is sent (contract 2.7, 2.8, 4.5). */
export function parseDraft(
  text: string,
  { keepFrontMatter, isVerbatim = false, type: chosenType, audiences }: ParseOptions,
): ParsedDraft {
  const problems: Problem[] = [];
  const report: ReportProblem = (code, { start, end }, args = [], { severity, fixes = [] } = {}) => {
    problems.push({
      code,
      severity: severity ?? 'error',
      start,
      end,
      args,
      ...(fixes.length > 0 && { fixes }),
    });
  };

  const found = findFrontMatter(text);
  const read = found && readFrontMatter(text, found, audiences, report);
  // If this isn't front matter, the text begins with a thematic break.
  const frontMatter = read && found;
  const own = read?.block ?? NO_BLOCK;
  const type = chosenType ?? own.type;
  const block = { ...own, type: type ?? 'markdown' };
  const body = { start: read?.bodyStart ?? frontMatter?.end ?? 0, end: text.length };
  const isEmpty = text.slice(body.start).trim() === '';
  let misplaced: MisplacedBlock | undefined;
  const isGuess = read?.bodyStart !== undefined;
  if (!isGuess && (type === 'markdown' || type === 'text' || type === 'html')) {
    if (isEmpty && !block.unread.has('type')) report('emptyBody', body);
    misplaced = findMisplacedBlock(text, body.start);
    if (misplaced && read?.hasBlock) report('secondBlock', misplaced.place);
    else if (misplaced) {
      const fix = problems.length === 0 ? moveFix(text, misplaced, frontMatter) : undefined;
      report('misplaced', misplaced.place, [], { fixes: fix ? [fix] : [] });
    }
    for (const { url: address, ...place } of LOCAL_IMAGES[type](text, body.start)) {
      report('localPicture', place, [address], { severity: 'warning' });
    }
  } else if (!isGuess && type && !isEmpty) {
    report('unusedBody', body, [type], { severity: 'warning' });
  }

  if (!isVerbatim && type === 'markdown' && text.includes('{{', body.start)) {
    for (const place of strayBracesIn(text, body)) report('strayBraces', place, [], { severity: 'warning' });
  }

  const prefix = keepFrontMatter && read ? read.otherText : '';
  const canSend = problems.every(({ severity }) => severity !== 'error');
  // Most texts have none, and finding code takes time.
  const mayVary = !isVerbatim && text.includes('{{');
  const bodyText = text.slice(body.start);
  const inMarkdown = mayVary && block.type === 'markdown' ? markdownVariables(bodyText) : undefined;
  const content = prefix + (inMarkdown ? escapeCode(bodyText, inMarkdown) : bodyText);
  const written = messageOf(block, content);
  const template = mayVary && written ? new MessageTemplate(written) : undefined;
  const isTemplate = template !== undefined && template.variables.length > 0;
  const front = read?.hasBlock || prefix ? { start: 0, end: body.start } : { start: 0, end: 0 };
  const variables = mayVary ? [...variablesIn(text, front), ...variablesIn(text, body, inMarkdown)] : [];
  const shown = template && !isTemplate ? template.render(() => '') : written;
  return {
    isTemplate,
    message: canSend ? shown : undefined,
    shown,
    // Those in comments aren't in the message.
    variables: variables.filter(
      ({ name, start }) => start >= body.start || !template || template.variables.includes(name),
    ),
    recipientFile: block.recipientFile,
    bot: block.bot,
    recipients: block.recipients,
    audiences: block.audiences,
    hasBlock: read?.hasBlock === true || misplaced !== undefined,
    unread: misplaced ? UNREADABLE_BLOCK.unread : block.unread,
    body,
    problems: problems.toSorted((one, other) => one.start - other.start || one.end - other.end),
  };
}

interface ParsedFrontMatter {
  hasBlock: boolean;
  block?: ChatBlock;
  /** The front matter without the block; empty if nothing else is in it. */
  otherText: string;
  /** Where the text seems to begin if nothing ends the front matter. */
  bodyStart?: number;
}

/** Undefined if the text between the marker lines isn't front matter. */
function readFrontMatter(
  text: string,
  front: FrontMatter,
  audiences: () => readonly string[],
  report: ReportProblem,
): ParsedFrontMatter | undefined {
  const { start, end } = front.yaml;
  const whole = text.slice(front.start, front.end);
  /** What can be read of valid YAML nevertheless, without problems: they may follow from the one that is reported. */
  const readAnyway = (yaml: string, unread: readonly BlockKey[]): ChatBlock => {
    const parsed = parseYaml(yaml, start);
    const root = 'root' in parsed && isMap(parsed.root) ? parsed.root : undefined;
    const value = root?.items.find(isBlock)?.value;
    if (!value) return UNREADABLE_BLOCK;
    const block = readChatBlock(value, audiences, () => {});
    return { ...block, unread: new Set([...block.unread, ...unread]) };
  };
  if (!front.isClosed) {
    // Its end is unknown: look for a block up to the first blank line.
    const [beginning = ''] = text.slice(start).split(/(?:^|\n)[ \t\r]*\n/, 1);
    if (!looksLikeBlock(beginning)) return undefined;
    // Instead of a line that was meant to close it, or after the last one.
    const almost = /^[ \t]*[-–—]{2,}[ \t]*$/m.exec(beginning);
    const at = start + (almost?.index ?? beginning.trimEnd().length);
    const edit = { start: at, end: at + (almost?.[0].length ?? 0), text: almost ? '---' : '\n---' };
    const bodyStart = edit.end + (/^\s*\n/.exec(text.slice(edit.end))?.[0].length ?? 0);
    const fixes: Fix[] = [{ code: 'close', args: [], edits: [edit] }];
    report('unclosed', { start: front.start, end: front.start + 3 }, [], { fixes });
    return { hasBlock: true, block: readAnyway(text.slice(0, at), BLOCK_KEYS), otherText: '', bodyStart };
  }
  // YAML reads the opening dashes as a document marker. Parsing from there keeps offsets those of the whole text.
  const parsed = parseYaml(text.slice(0, end), start);
  if ('isTooLong' in parsed) {
    report('tooLong', { start: front.start, end: front.start + 3 }, [MAX_VALUES.toLocaleString('en')]);
    return { hasBlock: true, block: UNREADABLE_BLOCK, otherText: '' };
  }
  if ('error' in parsed) {
    const at = Math.max(start, Math.min(parsed.at, end - 1));
    const line = startOfLine(text, at);
    const unquoted = unquotedVariable(text, line);
    if (unquoted) report('unquotedVariable', unquoted, [], { fixes: [quoteFix(unquoted)] });
    else report('yaml', { start: at, end: at + 1 }, [parsed.error, ...(parsed.message ? [parsed.message] : [])]);
    const block = readAnyway(withoutLine(text.slice(0, end), line), keysIn(text.slice(line)));
    return { hasBlock: looksLikeBlock(text.slice(start, end)), block, otherText: '' };
  }
  const { root } = parsed;
  if (!root || isEmptyNode(root)) return { hasBlock: false, otherText: '' };
  if (!isMap(root)) return undefined;
  const at = root.items.findIndex(isBlock);
  const entry = root.items[at];
  if (!entry) {
    const similar = root.items.find(({ key, value }) => isScalar(key) && isSimilarKey(key.source) && isBlockMap(value));
    if (!similar) return { hasBlock: false, otherText: whole };
    const place = rangeOf(similar.key);
    const fixes: Fix[] = [{ code: 'rename', args: ['chat'], edits: [{ ...place, text: 'chat' }] }];
    report('unknownKey', place, [text.slice(place.start, place.end)], { fixes });
    const block = similar.value ? readChatBlock(similar.value, audiences, () => {}) : UNREADABLE_BLOCK;
    return { hasBlock: true, block, otherText: '' };
  }
  // A block in braces can't be removed from the rest.
  if (root.flow) report('unsupported', rangeOf(entry.key));
  for (const { key } of root.items.slice(at + 1).filter(isBlock)) report('duplicateKey', rangeOf(key), ['chat']);
  const block = entry.value ? readChatBlock(entry.value, audiences, report) : NO_BLOCK;
  const next = root.items[at + 1]?.key.range[0];
  const before = text.slice(start, startOfLine(text, entry.key.range[0]));
  const after = text.slice(next === undefined ? end : startOfLine(text, next), end);
  const otherText =
    root.items.length > 1 ? text.slice(front.start, start) + before + after + text.slice(end, front.end) : '';
  return { hasBlock: true, block, otherText };
}

const isBlock = ({ key }: { key: ParsedNode }) => isScalar(key) && key.source === 'chat';

/** Whether a key may stand for that of the block, and a value be a block. */
const isSimilarKey = (key: string) => /^chats?$/i.test(key);
const isBlockMap = (value: ParsedNode | null) =>
  value !== null && keysOf(value).some((key) => BLOCK_KEYS.some((known) => known === key));

/** Whether invalid YAML seems to contain the block. */
const looksLikeBlock = (yaml: string) => /(?:^|[\n{])["']?chat["']?[ \t]*[:：]/.test(yaml);

/** A value in the line at an offset that begins with a variable: YAML takes its braces for a map. */
function unquotedVariable(text: string, line: number): TextRange | undefined {
  const [content = ''] = text.slice(line).split(/\r?\n/, 1);
  const before = /[:-][ \t]+(?=\{\{)/.exec(content);
  return before ? { start: line + before.index + before[0].length, end: line + content.trimEnd().length } : undefined;
}

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

const startOfLine = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1;

function messageOf(block: ChatBlock, text: string): Outgoing | undefined {
  const { type, imageKey, fileName, fileUrl } = block;
  const buttons = block.buttons.length > 0 ? { buttons: block.buttons } : {};
  if (type === 'image')
    return imageKey === undefined ? undefined : { contentType: type, content: { imageKey, ...buttons } };
  if (type === 'file') {
    if (fileName === undefined || fileUrl === undefined) return undefined;
    return { contentType: type, content: { fileName, fileUrl, ...buttons } };
  }
  return type && { contentType: type, content: { text, ...buttons } };
}
