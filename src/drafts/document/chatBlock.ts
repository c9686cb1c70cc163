/** The `chat:` block: what a document is sent as, the bot that sends it, and its recipients. */
import type { ParsedNode } from 'yaml';
import { chatTypeOf } from '../../markup/recipientCsv.ts';
import { isIdentifier } from '../../service/fields.ts';
import type { OutgoingButton } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { readButtons } from './buttons.ts';
import { BLOCK_KEYS, CONTENT_TYPES, type ContentType, REQUIRED_KEYS, suggestionsFor } from './keys.ts';
import type { ReportProblem, TextRange } from './problem.ts';
import {
  type Field,
  isEmptyNode,
  rangeOf,
  readList,
  readMap,
  readText,
  readTextField,
  readUrlField,
} from './yamlFields.ts';

/** A file of recipients, as the block names it. */
export interface NamedFile extends TextRange {
  /** Relative to the document. */
  path: string;
  /** What the recipients are if the file doesn't say so. */
  kind: Chat['type'] | undefined;
}

export interface ChatBlock {
  /** Undefined if the type in the block is unknown. */
  type: ContentType | undefined;
  bot?: { id: string } & TextRange;
  recipients: (Chat & TextRange)[];
  audiences: ({ name: string } & TextRange)[];
  recipientFile?: NamedFile | undefined;
  imageKey?: string | undefined;
  fileName?: string | undefined;
  fileUrl?: string | undefined;
  buttons: OutgoingButton[][];
}

/** Reads the block and reports its problems. `hasAudience` tells whether an audience has that name. */
export function readChatBlock(
  node: ParsedNode,
  hasAudience: (name: string) => boolean,
  report: ReportProblem,
): ChatBlock {
  const empty: ChatBlock = { type: 'markdown', recipients: [], audiences: [], buttons: [] };
  if (isEmptyNode(node) && !node.tag) return empty;
  const fields = readMap(node, 'chat', BLOCK_KEYS, report);
  if (!fields) return empty;

  const type = fields.type ? readType(fields.type, report) : 'markdown';
  const isId = (text: string, place: TextRange) => {
    if (!isIdentifier(text)) report('notIdentifier', place);
    return isIdentifier(text);
  };
  const botId = readTextField(fields.bot, report)?.trim();
  const bot = botId !== undefined && fields.bot ? { id: botId, ...rangeOf(fields.bot.value) } : undefined;
  const recipients = (
    [
      ['group', fields.groups],
      ['user', fields.people],
    ] as const
  ).flatMap(([type, field]) =>
    namesIn(field, report).flatMap(({ name, ...place }) => (isId(name, place) ? [{ type, id: name, ...place }] : [])),
  );
  const audiences = namesIn(fields.audiences, report);
  for (const { name, ...place } of audiences) if (!hasAudience(name)) report('unknownAudience', place, [name]);

  const kind = fields.kind && readKind(fields.kind, report);
  const path = readTextField(fields.recipients, report)?.trim();
  if (fields.kind && !fields.recipients) report('unusedKind', rangeOf(fields.kind.key), [], { severity: 'warning' });
  const recipientFile =
    path !== undefined && fields.recipients ? { path, kind, ...rangeOf(fields.recipients.value) } : undefined;

  const imageKey = readTextField(fields.imageKey, report);
  const fileName = readTextField(fields.fileName, report);
  const fileUrl = readUrlField(fields.fileUrl, report);
  for (const [requiring, keys] of type ? Object.entries(REQUIRED_KEYS) : []) {
    for (const key of keys) {
      const field = fields[key];
      if (requiring === type && !field) report('missing', rangeOf(fields.type?.value ?? node), [key, `type: ${type}`]);
      if (requiring !== type && field)
        report('unused', rangeOf(field.key), [key, `type: ${type}`], { severity: 'warning' });
    }
  }
  const buttons = readButtons(fields.buttons, report);
  return {
    type,
    ...(bot && isId(bot.id, bot) && { bot }),
    recipients,
    audiences,
    recipientFile,
    imageKey,
    fileName,
    fileUrl,
    buttons,
  };
}

/** IDs or names, trimmed and without duplicates. */
function namesIn(field: Field | undefined, report: ReportProblem): ({ name: string } & TextRange)[] {
  const names = new Map<string, { name: string } & TextRange>();
  let previous: TextRange | undefined;
  for (const item of field ? readList(field, report) : []) {
    const place = rangeOf(item);
    const name = field && readText(item, field.key.source, rangeOf(field.key), report)?.trim();
    if (name !== undefined && names.has(name)) {
      const edits = previous ? [{ start: previous.end, end: place.end, text: '' }] : [];
      report('duplicate', place, [name], { severity: 'warning', fixes: [{ code: 'remove', args: [], edits }] });
    } else if (name !== undefined) {
      names.set(name, { name, ...place });
    }
    previous = place;
  }
  return [...names.values()];
}

function readKind(field: Field, report: ReportProblem): Chat['type'] | undefined {
  const text = readTextField(field, report);
  const kind = text === undefined ? undefined : chatTypeOf(text);
  if (text !== undefined && !kind) report('unknownKind', rangeOf(field.value), [text]);
  return kind;
}

function readType(field: Field, report: ReportProblem): ContentType | undefined {
  const text = readTextField(field, report)?.trim();
  const type = CONTENT_TYPES.find((one) => one === text);
  if (type || text === undefined) return type;
  const fixes = suggestionsFor(text, CONTENT_TYPES).map((suggestion) => ({
    code: 'replace' as const,
    args: [suggestion],
    edits: [{ ...rangeOf(field.value), text: suggestion }],
  }));
  report('unknownType', rangeOf(field.value), [text], { fixes });
  return undefined;
}
