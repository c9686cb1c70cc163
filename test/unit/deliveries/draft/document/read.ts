import { type ParsedDraft, parseDraft } from '../../../../../src/deliveries/draft/document/parseDraft.ts';
import type { Fix } from '../../../../../src/deliveries/draft/document/problem.ts';

/** The audiences in the settings. */
const AUDIENCES = ['customers', 'VIP list'];

/** Parses a document. */
export const read = (text: string, keepFrontMatter = false): ParsedDraft =>
  parseDraft(text, { keepFrontMatter, audiences: () => AUDIENCES });

/** A document with these lines in its chat block. */
export const withBlock = (...lines: string[]) =>
  ['---', 'chat:', ...lines.map((line) => `  ${line}`), '---', '', 'Hi'].join('\n');

/** The problems of a document as lines: where they are, and what they say. */
export const problemsOf = (text: string): string[] =>
  read(text).problems.map(({ text: said, start, end, severity }) =>
    [severity === 'warning' && 'warning', `<${text.slice(start, end)}>`, said].filter(Boolean).join(' '),
  );

/** The text after applying a fix of its only problem. */
export function fixed(text: string, which = 0): string {
  return applied(text, read(text).problems[0]?.fixes?.[which]);
}

/** The text after applying a fix. */
export const applied = (text: string, { edits }: Pick<Fix, 'edits'> = { edits: [] }) =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
