/** The `chat:` block: what a document is sent as, the bot that sends it, and its recipients. */
import { l10n } from 'vscode';
import type { ParsedNode } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { chatKindOf, invalidIdText } from '../../../presentation/recipientCsv.ts';
import { isIdentifier } from '../../../service/fields.ts';
import type { OutgoingButton } from '../../../service/message.ts';
import type { Chat } from '../../../service/model.ts';
import { readButtons } from './buttons.ts';
import { BLOCK_KEYS, type BlockKey, CONTENT_TYPES, type ContentType, REQUIRED_KEYS, suggestionsFor } from './keys.ts';
import { type Fix, type ReportProblem, replaceFix, type TextRange } from './problem.ts';
import {
  type Field,
  isEmptyNode,
  keysOf,
  missingText,
  rangeOf,
  readList,
  readMap,
  readText,
  readTextField,
  readUrlField,
  toYaml,
  unusedText,
} from './yamlFields.ts';

/** A file of recipients, as the block names it. */
export interface NamedFile extends TextRange {
  /** Relative to the document. */
  path: string;
  /** What the recipients are if the file doesn't say so. */
  kind: Chat['kind'] | undefined;
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
  /** Keys that the document may have, but not what it says there: the value is wrong, or another key stands for this one. */
  unread: ReadonlySet<BlockKey>;
}

export const NO_BLOCK: ChatBlock = {
  type: 'markdown',
  recipients: [],
  audiences: [],
  buttons: [],
  unread: new Set(),
};
export const UNREADABLE_BLOCK: ChatBlock = { ...NO_BLOCK, unread: new Set(BLOCK_KEYS) };

/** Reads the block and reports its problems. `audienceNames` are those in the settings. */
export function readChatBlock(
  node: ParsedNode,
  audienceNames: () => readonly string[],
  reportProblem: ReportProblem,
): ChatBlock {
  if (isEmptyNode(node) && !node.tag) return NO_BLOCK;
  const errors: TextRange[] = [];
  const report: ReportProblem = (place, text, more) => {
    if (more?.severity !== 'warning') errors.push(place);
    reportProblem(place, text, more);
  };
  const fields = readMap(node, 'chat', BLOCK_KEYS, report);
  if (!fields) return UNREADABLE_BLOCK;
  const unread = new Set(
    keysOf(node)
      .filter((key) => !BLOCK_KEYS.some((known) => known === key))
      .flatMap((key) => suggestionsFor(key, BLOCK_KEYS))
      .filter((key) => !fields[key]),
  );

  const type = fields.type ? readType(fields.type, report) : 'markdown';
  const isId = (text: string, place: TextRange) => {
    if (isIdentifier(text)) return true;
    report(place, invalidIdText());
    return false;
  };
  const botId = readTextField(fields.bot, report)?.trim();
  const named = botId !== undefined && fields.bot ? { id: botId, ...rangeOf(fields.bot.value) } : undefined;
  const bot = named && isId(named.id, named) ? named : undefined;
  const recipients = (
    [
      ['group', fields.groups],
      ['user', fields.people],
    ] as const
  ).flatMap(([of, field]) =>
    namesIn(field, report).flatMap(({ name, ...place }) =>
      isId(name, place) ? [{ kind: of, id: name, ...place }] : [],
    ),
  );
  const audiences = namesIn(fields.audiences, report);
  const known = new Set(audiences.length > 0 ? audienceNames() : []);
  for (const { name, ...place } of audiences)
    if (!known.has(name))
      report(place, l10n.t("Audience {0} isn't in your settings.", excerpt(name)), {
        fixes: audienceFixes(name, place, known, audiences),
      });

  const kind = fields.kind && readKind(fields.kind, report);
  const path = readTextField(fields.recipients, report)?.trim();
  if (fields.kind && !fields.recipients && !unread.has('recipients'))
    report(rangeOf(fields.kind.key), l10n.t('kind has no effect without recipients.'), { severity: 'warning' });
  const recipientFile =
    path !== undefined && fields.recipients ? { path, kind, ...rangeOf(fields.recipients.value) } : undefined;

  const imageKey = readTextField(fields.imageKey, report);
  const fileName = readTextField(fields.fileName, report);
  const fileUrl = readUrlField(fields.fileUrl, report);
  const buttons = readButtons(fields.buttons, report);
  for (const key of BLOCK_KEYS) if (fields[key] && hasAny(errors, fields[key])) unread.add(key);
  for (const [requiring, keys] of type ? Object.entries(REQUIRED_KEYS) : []) {
    for (const key of keys) {
      const field = fields[key];
      if (requiring === type && !field && !unread.has(key))
        report(rangeOf(fields.type?.value ?? node), missingText(key, `type: ${type}`));
      if (requiring !== type && field && !unread.has('type'))
        report(rangeOf(field.key), unusedText(key, `type: ${type}`), { severity: 'warning' });
    }
  }
  return {
    type,
    ...(bot && { bot }),
    recipients,
    audiences,
    recipientFile,
    imageKey,
    fileName,
    fileUrl,
    buttons,
    unread,
  };
}

/** Whether any of these places is in a field. */
function hasAny(places: readonly TextRange[], { key, value }: Field): boolean {
  const { end } = rangeOf(value);
  return places.some(({ start }) => start >= key.range[0] && start <= end);
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
      const fixes = [{ title: l10n.t('Remove from the list'), edits }];
      const text = l10n.t('{0} is listed twice. Only one message is sent.', excerpt(name));
      report(place, text, { severity: 'warning', fixes });
    } else if (name !== undefined) {
      names.set(name, { name, ...place });
    }
    previous = place;
  }
  return [...names.values()];
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
  if (text !== undefined && !kind)
    report(rangeOf(field.value), l10n.t('Unknown kind {0}. Use person or group.', excerpt(text, 60)));
  return kind;
}

function readType(field: Field, report: ReportProblem): ContentType | undefined {
  const text = readTextField(field, report)?.trim();
  const type = CONTENT_TYPES.find((one) => one === text);
  if (type || text === undefined) return type;
  const place = rangeOf(field.value);
  const fixes = suggestionsFor(text, CONTENT_TYPES).map((one) => replaceFix(place, one));
  report(place, l10n.t('Unknown type {0}. Use markdown, text, html, image, or file.', excerpt(text)), { fixes });
  return undefined;
}
