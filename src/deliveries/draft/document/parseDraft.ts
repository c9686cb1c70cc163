/** Parses drafts, and reports their problems. */
import { escapeCode, markdownVariables } from '../../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../../markup/messageTemplate.ts';
import { textOf } from '../../../markup/template.ts';
import { l10n } from '../../../presentation/shown.ts';
import type { Outgoing } from '../../../service/message.ts';
import { type ChatBlock, NO_BLOCK, UNREADABLE_BLOCK } from './chatBlock.ts';
import { findFrontMatter, readFrontMatter } from './frontMatter.ts';
import type { ContentType } from './keys.ts';
import { findMisplacedBlock, type MisplacedBlock, moveFix } from './misplacedBlock.ts';
import type { NamedChats } from './namedChats.ts';
import { inDocumentOrder, type Problem, type ReportProblem, replaceFix, type TextRange } from './problem.ts';
import { htmlProblems, markdownProblems } from './textProblems.ts';
import { type DraftVariable, strayBracesIn, variablesIn, wideVariablesIn } from './variables.ts';

export interface ParsedDraft extends ChatBlock {
  /** What would be sent; undefined if there is an error. */
  message: Outgoing | undefined;
  /** What can be shown of the message, even if there is an error. */
  shown: Outgoing | undefined;
  /** Whether the message has variables, so that each recipient gets a message of their own. */
  isTemplate: boolean;
  /** In document order. */
  variables: DraftVariable[];
  /** Whether the document has a `chat:` block, even an invalid or a misplaced one. */
  hasBlock: boolean;
  /** The text after the front matter. */
  body: TextRange;
  /** In document order. */
  problems: Problem[];
}

interface ParseOptions {
  /** Whether front matter is sent, except the `chat:` block, which never is. */
  keepFrontMatter: boolean;
  /** Whether the text has no variables: braces are sent as they are. */
  isVerbatim?: boolean;
  /** The type to send as, whatever the document says. */
  type?: ContentType | undefined;
  /** The names of all audiences. */
  audiences(): readonly string[];
}

/** The chats that a draft names: those that get the message, then those of each rule. */
export const namedIn = (draft: ParsedDraft): NamedChats[] =>
  [draft, ...Object.values(draft.namedBy)].filter((one) => one !== undefined);

const TEXT_PROBLEMS = { markdown: markdownProblems, html: htmlProblems, text: () => [] };

/** Parses a document with YAML front matter, whose `chat:` block says how it is sent (contract 2.7, 2.8, 4.5). */
export function parseDraft(
  text: string,
  { keepFrontMatter, isVerbatim = false, type: chosenType, audiences }: ParseOptions,
): ParsedDraft {
  const problems: Problem[] = [];
  const report: ReportProblem = ({ start, end }, text, { severity = 'error', fixes = [], notIn } = {}) => {
    problems.push({ severity, text, start, end, ...(fixes.length > 0 && { fixes }), ...(notIn && { notIn }) });
  };

  const found = findFrontMatter(text);
  const read = found && readFrontMatter(text, found, audiences, report);
  // If this isn't front matter, the text begins with a thematic break.
  const frontMatter = read && found;
  const own = read?.block ?? NO_BLOCK;
  const type = chosenType ?? own.type;
  const block = { ...own, type: type ?? 'markdown' };
  const body = { start: read?.bodyStart ?? frontMatter?.end ?? 0, end: text.length };
  const isEmpty = textOf(text.slice(body.start)) === '';
  let misplaced: MisplacedBlock | undefined;
  const isGuess = read?.bodyStart !== undefined;
  if (!isGuess && (type === 'markdown' || type === 'text' || type === 'html')) {
    if (isEmpty && !block.unread.has('type')) report(body, emptyText(text.slice(body.start)), { notIn: 'newDocument' });
    misplaced = findMisplacedBlock(text, body.start);
    if (misplaced && read?.hasBlock) report(misplaced.place, secondBlockText());
    else if (misplaced) {
      const fix = problems.length === 0 ? moveFix(text, misplaced, frontMatter) : undefined;
      report(misplaced.place, misplacedText(), { fixes: fix ? [fix] : [] });
    }
    problems.push(...TEXT_PROBLEMS[type](text, body.start));
  } else if (!isGuess && type && !isEmpty) {
    report(body, l10n.t("The document's text isn't sent when the type is {0}.", type), { severity: 'warning' });
  }

  if (!isVerbatim && type === 'markdown') {
    const stray = l10n.t("These braces aren't a variable, so they're sent as they are.");
    if (text.includes('{{', body.start))
      for (const place of strayBracesIn(text, body)) report(place, stray, { severity: 'warning' });
    if (text.includes('｛', body.start))
      for (const { written, ...place } of wideVariablesIn(text, body))
        report(place, stray, { severity: 'warning', fixes: [replaceFix(place, written)] });
  }

  const prefix = keepFrontMatter && read ? read.otherText : '';
  const canSend = problems.every(({ severity }) => severity !== 'error');
  // Most texts have no variables, and finding code takes time.
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
    ...block,
    isTemplate,
    message: canSend ? shown : undefined,
    shown,
    // Variables in comments aren't in the message.
    variables: variables.filter(
      ({ name, start }) => start >= body.start || !template || template.variables.includes(name),
    ),
    hasBlock: read?.hasBlock === true || misplaced !== undefined,
    unread: misplaced ? UNREADABLE_BLOCK.unread : block.unread,
    body,
    problems: inDocumentOrder(problems),
  };
}

const emptyText = (text: string) =>
  text.trim() === '' ? l10n.t('The message is empty.') : l10n.t('The message has only invisible characters.');

const misplacedText = () =>
  l10n.t(
    "This chat: block would be sent as text. Move it to YAML front matter that begins with --- on the first line, or into a code block if it's an example.",
  );

const secondBlockText = () =>
  l10n.t(
    "This second chat: block would be sent as text. Merge it into the first one, or move it into a code block if it's an example.",
  );

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
