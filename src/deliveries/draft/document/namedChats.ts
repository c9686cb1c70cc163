/** The chats that a map names: those who get the message, and those under `except:`, who don't. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { chatKindOf, invalidIdText } from '../../../presentation/recipientCsv.ts';
import { isIdentifier } from '../../../service/fields.ts';
import type { Chat } from '../../../service/model.ts';
import { type CHATS_KEYS, suggestionsFor } from './keys.ts';
import { type Fix, type ReportProblem, replaceFix, type TextRange } from './problem.ts';
import { type Field, type Fields, rangeOf, readList, readText, readTextField, toYaml } from './yamlFields.ts';

/** A file of recipients, as a document names it. */
export interface NamedFile extends TextRange {
  /** Relative to the document. */
  path: string;
  /** What the recipients are if the file doesn't say so. */
  kind: Chat['kind'] | undefined;
}

export interface NamedChats {
  recipients: (Chat & TextRange)[];
  audiences: ({ name: string } & TextRange)[];
  recipientFile?: NamedFile | undefined;
}

/** What the fields of a map name. `isExcept` is whether they are those who don't get the message. */
export function readNamedChats(
  fields: Fields<(typeof CHATS_KEYS)[number]>,
  audienceNames: () => readonly string[],
  report: ReportProblem,
  { isExcept = false, mayHaveFile = false } = {},
): NamedChats {
  const recipients = (
    [
      ['group', fields.groups],
      ['user', fields.people],
    ] as const
  ).flatMap(([of, field]) =>
    namesIn(field, isExcept, report).flatMap(({ name, ...place }) =>
      isId(name, place, report) ? [{ kind: of, id: name, ...place }] : [],
    ),
  );
  const listed = namesIn(fields.audiences, isExcept, report);
  const known = new Set(listed.length > 0 ? audienceNames() : []);
  // As they are called in the settings: an umlaut may be one character, or a letter and two dots.
  const inSettings = new Map([...known].map((name) => [name.normalize('NFC'), name]));
  const audiences = listed.map((one) => ({ ...one, name: inSettings.get(one.name.normalize('NFC')) ?? one.name }));
  for (const { name, ...place } of audiences)
    if (!known.has(name))
      report(place, l10n.t("Audience {0} isn't in your settings.", excerpt(name)), {
        fixes: audienceFixes(name, place, known, audiences),
      });

  const kind = fields.kind && readKind(fields.kind, report);
  const path = readTextField(fields.recipients, report)?.trim();
  if (fields.kind && !fields.recipients && !mayHaveFile)
    report(rangeOf(fields.kind.key), l10n.t('kind has no effect without recipients.'), { severity: 'warning' });
  const recipientFile =
    path !== undefined && fields.recipients ? { path, kind, ...rangeOf(fields.recipients.value) } : undefined;
  return { recipients, audiences, recipientFile };
}

/** Whether a text is an ID, which is reported if it isn't. */
export function isId(text: string, place: TextRange, report: ReportProblem): boolean {
  if (isIdentifier(text)) return true;
  report(place, invalidIdText());
  return false;
}

/** IDs or names, trimmed and without duplicates. */
function namesIn(field: Field | undefined, isExcept: boolean, report: ReportProblem): ({ name: string } & TextRange)[] {
  const names = new Map<string, { name: string } & TextRange>();
  let previous: TextRange | undefined;
  for (const item of field ? readList(field, report) : []) {
    const place = rangeOf(item);
    const name = field && readText(item, field.key.source, rangeOf(field.key), report)?.trim();
    if (name !== undefined && names.has(name)) {
      const edits = previous ? [{ start: previous.end, end: place.end, text: '' }] : [];
      const fixes = [{ title: l10n.t('Remove from the list'), edits }];
      const text = isExcept
        ? l10n.t('{0} is listed twice.', excerpt(name))
        : l10n.t('{0} is listed twice. Only one message is sent.', excerpt(name));
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
