/** The `chat:` block: how a document is sent, by whom and to whom. */
import type { ParsedNode } from 'yaml';
import { isIdentifier } from '../../service/fields.ts';
import type { OutgoingButton } from '../../service/message.ts';
import type { Chat } from '../../service/model.ts';
import { readButtons } from './buttons.ts';
import { BLOCK_KEYS, meantBy, NEEDED, TYPES, type Type } from './keys.ts';
import type { Place, Report } from './problem.ts';
import { addressOf, type Field, fieldsOf, fieldText, isEmpty, itemsOf, placeOf, textOf } from './yamlFields.ts';

export interface ChatBlock {
  /** Undefined where it cannot be told. */
  type: Type | undefined;
  bot?: { id: string } & Place;
  recipients: (Chat & Place)[];
  audiences: ({ name: string } & Place)[];
  imageKey?: string | undefined;
  fileName?: string | undefined;
  fileUrl?: string | undefined;
  buttons: OutgoingButton[][];
}

/** Reads the block; all that is wrong in it is reported. `knowsAudience` says whether a list of that name is there. */
export function readChatBlock(node: ParsedNode, knowsAudience: (name: string) => boolean, report: Report): ChatBlock {
  const nothing: ChatBlock = { type: 'markdown', recipients: [], audiences: [], buttons: [] };
  if (isEmpty(node) && !node.tag) return nothing;
  const fields = fieldsOf(node, 'chat', BLOCK_KEYS, report);
  if (!fields) return nothing;

  const type = fields.type ? readType(fields.type, report) : 'markdown';
  const isId = (text: string, place: Place) => {
    if (!isIdentifier(text)) report('notIdentifier', place);
    return isIdentifier(text);
  };
  const written = fieldText(fields.bot, report)?.trim();
  const bot = written !== undefined && fields.bot ? { id: written, ...placeOf(fields.bot.value) } : undefined;
  const recipients = (
    [
      ['group', fields.groups],
      ['user', fields.people],
    ] as const
  ).flatMap(([type, field]) =>
    namesIn(field, report).flatMap(({ name, ...place }) => (isId(name, place) ? [{ type, id: name, ...place }] : [])),
  );
  const audiences = namesIn(fields.audiences, report);
  for (const { name, ...place } of audiences) if (!knowsAudience(name)) report('unknownAudience', place, [name]);

  const imageKey = fieldText(fields.imageKey, report);
  const fileName = fieldText(fields.fileName, report);
  const fileUrl = addressOf(fields.fileUrl, report);
  for (const [of, keys] of type ? Object.entries(NEEDED) : []) {
    for (const key of keys) {
      const field = fields[key];
      if (of === type && !field) report('missing', placeOf(fields.type?.value ?? node), [key, `type: ${type}`]);
      if (of !== type && field) report('unused', placeOf(field.key), [key, `type: ${type}`], { severity: 'warning' });
    }
  }
  const buttons = readButtons(fields.buttons, report);
  return {
    type,
    ...(bot && isId(bot.id, bot) && { bot }),
    recipients,
    audiences,
    imageKey,
    fileName,
    fileUrl,
    buttons,
  };
}

/** IDs or names, each once, without the blanks around them. */
function namesIn(field: Field | undefined, report: Report): ({ name: string } & Place)[] {
  const names = new Map<string, { name: string } & Place>();
  let before: Place | undefined;
  for (const item of field ? itemsOf(field, report) : []) {
    const place = placeOf(item);
    const name = field && textOf(item, field.key.source, placeOf(field.key), report)?.trim();
    if (name !== undefined && names.has(name)) {
      const edits = before ? [{ start: before.end, end: place.end, text: '' }] : [];
      report('duplicate', place, [name], { severity: 'warning', fixes: [{ code: 'remove', args: [], edits }] });
    } else if (name !== undefined) {
      names.set(name, { name, ...place });
    }
    before = place;
  }
  return [...names.values()];
}

function readType(field: Field, report: Report): Type | undefined {
  const text = fieldText(field, report)?.trim();
  const type = TYPES.find((one) => one === text);
  if (type || text === undefined) return type;
  const fixes = meantBy(text, TYPES).map((meant) => ({
    code: 'replace' as const,
    args: [meant],
    edits: [{ ...placeOf(field.value), text: meant }],
  }));
  report('unknownType', placeOf(field.value), [text], { fixes });
  return undefined;
}
