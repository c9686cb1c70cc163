/** The `chat:` block: what a document is sent as and with which buttons, the bot that sends it, and its recipients. */
import * as v from 'valibot';
import { isMap, isScalar, isSeq, type ParsedNode, type YAMLSeq } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { DeliveryId } from '../../../platform/commandArguments.ts';
import { l10n } from '../../../presentation/shown.ts';
import type { OutgoingButton } from '../../../service/message.ts';
import {
  ACTION_KEYS,
  BLOCK_KEYS,
  type BlockKey,
  BUTTON_KEYS,
  byRule,
  CHATS_KEYS,
  type ChatsRule,
  CONTENT_TYPES,
  type ContentType,
  EFFECT_KEYS,
  isBlockKey,
  REQUIRED_KEYS,
  suggestionsFor,
} from './keys.ts';
import { type NamedChats, readId, readNamedChats } from './namedChats.ts';
import { type Fix, type ReportProblem, replaceFix, type TextRange } from './problem.ts';
import { readWhere, type Where } from './where.ts';
import {
  type Field,
  isEmptyNode,
  keysExpected,
  keysOf,
  missingText,
  rangeOf,
  readList,
  readMap,
  readTextField,
  readUrlField,
  unusedText,
} from './yamlFields.ts';

export interface ChatBlock extends NamedChats {
  /** The content type; undefined if the block names an unknown one. */
  type: ContentType | undefined;
  bot?: ({ id: string } & TextRange) | undefined;
  /** Which rows of the recipient file are picked. */
  where?: Where | undefined;
  /** The chats below each rule, with the place of its key. */
  namedBy: Readonly<Record<ChatsRule, (NamedChats & TextRange) | undefined>>;
  imageKey?: string | undefined;
  fileName?: string | undefined;
  fileUrl?: string | undefined;
  buttons: OutgoingButton[][];
  /** The ID of the delivery that the document reminds of. */
  follows?: string | undefined;
  /** Keys that the document may have, but not what it says there: the value is wrong, or another key stands for this one. */
  unread: ReadonlySet<BlockKey>;
}

export const NO_BLOCK: ChatBlock = {
  type: 'markdown',
  recipients: [],
  audiences: [],
  namedBy: byRule(() => undefined),
  buttons: [],
  unread: new Set(),
};
export const UNREADABLE_BLOCK: ChatBlock = { ...NO_BLOCK, unread: new Set(BLOCK_KEYS) };

/** Reads the block and reports its problems. `audienceNames` are the audiences in the settings. */
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
      .filter((key) => !isBlockKey(key))
      .flatMap((key) => suggestionsFor(key, BLOCK_KEYS))
      .filter((key) => !fields[key]),
  );

  const type = fields.type ? readType(fields.type, report) : 'markdown';
  const botText = readTextField(fields.bot, report)?.trim();
  const botId = botText !== undefined && fields.bot ? readId(botText, fields.bot.value, report) : undefined;
  const bot = botId !== undefined && fields.bot ? { id: botId, ...rangeOf(fields.bot.value) } : undefined;
  const chats = readNamedChats(fields, audienceNames, report, {
    mayHaveFile: unread.has('recipients'),
    isInBraces: isInBraces(node),
  });
  const where = fields.where && readWhere(fields.where.value, rangeOf(fields.where.key), report);
  if (fields.where && !fields.recipients && !unread.has('recipients'))
    report(rangeOf(fields.where.key), missingText('recipients', 'where'));
  const namedBy = byRule((rule) => fields[rule] && readRule(rule, fields[rule], node, audienceNames, report));

  const imageKey = readTextField(fields.imageKey, report);
  const fileName = readTextField(fields.fileName, report);
  const fileUrl = readUrlField(fields.fileUrl, report);
  const buttons = readButtons(fields.buttons, report);
  const followed = readTextField(fields.follows, report)?.trim();
  const follows = v.is(DeliveryId, followed) ? followed : undefined;
  if (fields.follows && followed !== undefined && !follows)
    report(rangeOf(fields.follows.value), l10n.t("This isn't the ID of a delivery, so it's ignored."), {
      severity: 'warning',
    });
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
    bot,
    ...chats,
    where,
    namedBy,
    imageKey,
    fileName,
    fileUrl,
    buttons,
    follows,
    unread,
  };
}

/** The chats below a rule such as `except:`. */
function readRule(
  role: ChatsRule,
  { key, value }: Field,
  block: ParsedNode,
  audienceNames: () => readonly string[],
  report: ReportProblem,
): (NamedChats & TextRange) | undefined {
  if (isSeq(value) && value.tag === undefined) {
    const fixes = keyFixes(value, block, audienceNames());
    report(rangeOf(value), keysExpected(role, CHATS_KEYS), { fixes });
    return undefined;
  }
  if (!isEmptyNode(value)) {
    const fields = readMap(value, role, CHATS_KEYS, report);
    const options = { role, isInBraces: isInBraces(value) || isInBraces(block) };
    return fields && { ...rangeOf(key), ...readNamedChats(fields, audienceNames, report, options) };
  }
  const text = l10n.t('{0} has no keys. Indent those that belong to it further than {0} itself.', role);
  // The keys that follow may have lost their indentation.
  const items = isMap(block) && !block.flow ? block.items : [];
  const after = items.slice(items.findIndex((item) => item.key === key) + 1);
  const end = after.findIndex(({ key }) => !isScalar(key) || !CHATS_KEYS.some((one) => one === key.source));
  const lost = end < 0 ? after : after.slice(0, end);
  // A list of several lines would have to be indented, too.
  const isSimple = lost.every(({ value }) => isScalar(value) || (isSeq(value) && value.flow));
  const edits = lost.map(({ key: { range } }) => ({ start: range[0], end: range[0], text: '  ' }));
  const fixes = edits.length > 0 && isSimple ? [{ title: l10n.t('Indent below {0}:', role), edits }] : [];
  report(rangeOf(key), text, { fixes });
  return undefined;
}

/** Puts a list under a key for what it may list. A list without indentation would have to be indented, so it gets no fix. */
function keyFixes(list: YAMLSeq.Parsed, block: ParsedNode, audienceNames: readonly string[]): Fix[] {
  const indent = indentOf(list);
  if (!list.items.every(isScalar) || (!list.flow && indent <= indentOf(block))) return [];
  const areAudiences = list.items.every((one) => isScalar(one) && audienceNames.includes(one.source));
  const { start, end } = rangeOf(list);
  return (areAudiences ? ['audiences'] : ['people', 'groups']).map((key) => ({
    title: l10n.t('Put below {0}:', key),
    edits: list.flow
      ? [
          { start, end: start, text: `{ ${key}: ` },
          { start: end, end, text: ' }' },
        ]
      : [{ start, end: start, text: `${key}:\n${' '.repeat(indent)}` }],
  }));
}

const indentOf = ({ srcToken }: ParsedNode) => (srcToken && 'indent' in srcToken ? srcToken.indent : 0);

const isInBraces = (node: ParsedNode | undefined) => isMap(node) && node.flow === true;

/** Whether any of these places is in a field. */
function hasAny(places: readonly TextRange[], { key, value }: Field): boolean {
  const { end } = rangeOf(value);
  return places.some(({ start }) => start >= key.range[0] && start <= end);
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

/** Rows of buttons (contract 2.8). A flat list is one row, as in received messages. */
function readButtons(field: Field | undefined, report: ReportProblem): OutgoingButton[][] {
  const items = field ? readList(field, report) : [];
  const rows = items.some(isSeq) ? items.map((item) => (isSeq(item) ? item.items : [item])) : [items];
  return rows.map((row) => row.flatMap((node) => readButton(node, report) ?? [])).filter(({ length }) => length > 0);
}

function readButton(node: ParsedNode, report: ReportProblem): OutgoingButton | undefined {
  const names = keysOf(node);
  // Without `actionType`, `url` and `value` are unknown keys.
  const actionKeys = names.includes('actionType') ? ACTION_KEYS : [];
  const known: unknown[] = [...BUTTON_KEYS, ...actionKeys];
  const isComplete = names.every((name) => known.includes(name));
  const fields = readMap(node, 'buttons', BUTTON_KEYS, report, actionKeys);
  if (!fields) return undefined;
  const { text: label, actionType } = fields;
  if (!label && isComplete) report(rangeOf(node), l10n.t('The button has no text.'));
  const text = readTextField(label, report);
  const effects = [...EFFECT_KEYS, 'actionType' as const].flatMap((name) => fields[name] ?? []);
  const [effect, second] = effects;
  if (second) report(rangeOf(second.key), l10n.t('A button can do only one thing.'));
  else if (!effect && isComplete)
    report(rangeOf(node), l10n.t('The button does nothing. Add opens, copies, or reports.'));
  const action = actionType ? readAction(actionType, fields, report) : readEffect(fields, report);
  return text === undefined || !action || second ? undefined : { text, ...action };
}

type Action = Omit<OutgoingButton, 'text'>;

function readEffect(
  fields: { [K in (typeof EFFECT_KEYS)[number]]?: Field },
  report: ReportProblem,
): Action | undefined {
  const { opens, copies, reports } = fields;
  const url = readUrlField(opens, report);
  if (url !== undefined) return { actionType: 1, url };
  const value = readTextField(copies ?? reports, report);
  return value === undefined ? undefined : { actionType: copies ? 2 : 3, value };
}

/** A button with the contract's own keys. An undocumented action type is sent as written. */
function readAction(
  field: Field,
  { url, value }: { url?: Field; value?: Field },
  report: ReportProblem,
): Action | undefined {
  const text = readTextField(field, report)?.trim();
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    const unknown = l10n.t('Unknown action type {0}. Use 1 to open a URL, 2 to copy, or 3 to report.', excerpt(text));
    report(rangeOf(field.value), unknown);
    return undefined;
  }
  const actionType = Number(text);
  const isKnown = actionType >= 1 && actionType <= 3;
  if (!isKnown) {
    report(rangeOf(field.value), l10n.t('Action type {0} might not do anything.', text), { severity: 'warning' });
    const urlText = readTextField(url, report);
    const valueText = readTextField(value, report);
    return {
      actionType,
      ...(urlText !== undefined && { url: urlText }),
      ...(valueText !== undefined && { value: valueText }),
    };
  }
  const [required, unused] = actionType === 1 ? [url, value] : [value, url];
  const written = `actionType: ${text}`;
  if (unused) report(rangeOf(unused.key), unusedText(unused.key.source, written), { severity: 'warning' });
  if (!required) {
    report(rangeOf(field.value), missingText(actionType === 1 ? 'url' : 'value', written));
    return undefined;
  }
  const target = actionType === 1 ? readUrlField(required, report) : readTextField(required, report);
  if (target === undefined) return undefined;
  return { actionType, ...(actionType === 1 ? { url: target } : { value: target }) };
}
