/** A draft: a document about to be sent, read with all that is wrong in it. */
import { isMap, isScalar, parseDocument } from 'yaml';
import type { Outgoing } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { type ChatBlock, readChatBlock } from './chatBlock.ts';
import { type FrontMatter, findFrontMatter } from './frontMatter.ts';
import { htmlLocalImages, markdownLocalImages } from './localImages.ts';
import type { Fix, Problem, ReportProblem, TextRange } from './problem.ts';
import { isEmptyNode, rangeOf } from './yamlFields.ts';

export type { Problem } from './problem.ts';

export interface ParsedDraft {
  /** What would be sent; undefined where an error stands in the way: nothing is ever half applied. */
  message: Outgoing | undefined;
  bot: ({ id: string } & TextRange) | undefined;
  /** As written, in this order, each once. */
  recipients: (Chat & TextRange)[];
  /** As written, each once. */
  audiences: ({ name: string } & TextRange)[];
  /** Whether the document says how it is sent, however badly. */
  hasBlock: boolean;
  /** The message of the text kinds, without front matter. */
  body: TextRange;
  /** In the order of their places. */
  problems: Problem[];
}

export interface ParseOptions {
  /** Front matter of others is part of the message; the `chat:` block never is. */
  keepFrontMatter: boolean;
  /** The chats of a named list; undefined where there is none. */
  audience(name: string): readonly Chat[] | undefined;
}

const LOCAL_IMAGES = { markdown: markdownLocalImages, html: htmlLocalImages, text: () => [] };

/** Scalars keep their text as written (`007`), whatever their tag. Duplicate keys are left to the readers to report. */
const YAML_OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false } as const;
/** Replace messages that the parser writes for programmers. */
const YAML_ERRORS: Record<string, string> = {
  MULTIPLE_DOCS: 'a second document begins',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
};

/** The parser can't pause; this many values take it about 40 ms. */
const MAX_VALUES = 3_000;

const NO_BLOCK: ChatBlock = { type: 'markdown', recipients: [], audiences: [], buttons: [] };

/** Reads a document with YAML front matter, whose `chat:` block says how it is sent (contract 2.7, 2.8, 4.5). */
export function parseDraft(text: string, { keepFrontMatter, audience }: ParseOptions): ParsedDraft {
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
  const read = found && readFrontMatter(text, found, (name) => audience(name) !== undefined, report);
  // Else the text begins with a rule.
  const front = read && found;
  const block = read?.block ?? NO_BLOCK;
  const body = { start: front?.end ?? 0, end: text.length };
  const { type } = block;
  const isEmpty = text.slice(body.start).trim() === '';
  if (front?.isClosed !== false && (type === 'markdown' || type === 'text' || type === 'html')) {
    if (isEmpty) report('emptyBody', body);
    for (const { url: address, ...place } of LOCAL_IMAGES[type](text, body.start)) {
      report('localPicture', place, [address], { severity: 'warning' });
    }
  } else if (type && !isEmpty) {
    report('unusedBody', body, [type], { severity: 'warning' });
  }

  const kept = keepFrontMatter && read ? read.otherText : '';
  const canSend = problems.every(({ severity }) => severity !== 'error');
  return {
    message: canSend ? messageOf(block, kept + text.slice(body.start)) : undefined,
    bot: block.bot,
    recipients: block.recipients,
    audiences: block.audiences,
    hasBlock: read?.hasBlock ?? false,
    body,
    problems: problems.toSorted((one, other) => one.start - other.start || one.end - other.end),
  };
}

interface ParsedFrontMatter {
  hasBlock: boolean;
  block?: ChatBlock;
  /** The front matter without the block; empty where nothing else is in it. */
  otherText: string;
}

/** Undefined where what stands between the lines of dashes is no front matter. */
function readFrontMatter(
  text: string,
  front: FrontMatter,
  knowsAudience: (name: string) => boolean,
  report: ReportProblem,
): ParsedFrontMatter | undefined {
  const { start, end } = front.yaml;
  const whole = text.slice(front.start, front.end);
  if (!front.isClosed) {
    // Where it should have ended is not known: a block is looked for up to the first blank line.
    const [beginning = ''] = text.slice(start).split(/(?:^|\n)[ \t\r]*\n/, 1);
    if (!looksLikeBlock(beginning)) return undefined;
    const at = start + beginning.trimEnd().length;
    const fixes: Fix[] = [{ code: 'close', args: [], edits: [{ start: at, end: at, text: '\n---' }] }];
    report('unclosed', { start: front.start, end: front.start + 3 }, [], { fixes });
    return { hasBlock: true, otherText: '' };
  }
  if (countValues(text.slice(start, end)) > MAX_VALUES) {
    report('tooLong', { start: front.start, end: front.start + 3 }, [MAX_VALUES.toLocaleString('en')]);
    return { hasBlock: true, otherText: '' };
  }
  // YAML reads the opening dashes as a document marker. Parsing from there keeps offsets those of the whole text.
  const { contents: root, errors } = parseDocument(text.slice(0, end), YAML_OPTIONS);
  const [error] = errors;
  if (error) {
    const at = Math.max(start, Math.min(error.pos[0], end - 1));
    report('yaml', { start: at, end: at + 1 }, [YAML_ERRORS[error.code] ?? error.message]);
    return { hasBlock: looksLikeBlock(text.slice(start, end)), otherText: '' };
  }
  if (!root || isEmptyNode(root)) return { hasBlock: false, otherText: '' };
  if (!isMap(root)) return undefined;
  const isBlock = ({ key }: (typeof root.items)[number]) => isScalar(key) && key.source === 'chat';
  const at = root.items.findIndex(isBlock);
  const entry = root.items[at];
  if (!entry) return { hasBlock: false, otherText: whole };
  // It could not be cut out of what others wrote around it.
  if (root.flow) report('unsupported', rangeOf(entry.key));
  for (const { key } of root.items.slice(at + 1).filter(isBlock)) report('duplicateKey', rangeOf(key), ['chat']);
  const block = entry.value ? readChatBlock(entry.value, knowsAudience, report) : NO_BLOCK;
  const next = root.items[at + 1]?.key.range[0];
  const before = text.slice(start, startOfLine(text, entry.key.range[0]));
  const after = text.slice(next === undefined ? end : startOfLine(text, next), end);
  const others =
    root.items.length > 1 ? text.slice(front.start, start) + before + after + text.slice(end, front.end) : '';
  return { hasBlock: true, block, otherText: others };
}

/** An upper bound of the values in YAML, by the characters that separate them. */
const countValues = (yaml: string) => yaml.match(/[\n,:[{]/g)?.length ?? 0;

/** Whether YAML that cannot be read seems to have the block. */
const looksLikeBlock = (yaml: string) => /(?:^|[\n{])["']?chat["']?[ \t]*:/.test(yaml);

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
