/** Problems in a draft: where they are, what they say, and what fixes them. */
import type { TextDocument } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import type { ChatsRule } from './keys.ts';

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** The first line of the front matter, for problems that have no place of their own. */
export const TOP: TextRange = { start: 0, end: 3 };

/** Where the line of an offset begins. */
export const startOfLine = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1;

interface Edit extends TextRange {
  /** What to write. With `isSnippet`, `$1` is where the user types next. */
  text: string;
  isSnippet?: true;
}

export interface Fix {
  title: ShownText;
  edits: Edit[];
  /** Set if the fix saves the document instead of editing it. */
  saves?: true;
}

export interface Problem extends TextRange {
  /** An error prevents sending. A hint is only shown in the editor. */
  severity: 'error' | 'warning' | 'hint';
  /** The problem, in one sentence or two. */
  text: ShownText;
  /** The line in a file that the text names, from 1. */
  line?: number;
  /** The rule that names that file. Missing for the file of recipients. */
  rule?: ChatsRule;
  fixes?: Fix[];
  /** Where the problem isn't shown: in a document that was never saved, or beside the plan of a delivery, which says the same. */
  notIn?: 'newDocument' | 'plan';
}

export type ReportProblem = (
  place: TextRange,
  text: ShownText,
  more?: { severity?: 'error' | 'warning'; fixes?: Fix[]; notIn?: Problem['notIn'] },
) => void;

/** The problems that are listed and counted everywhere: a hint is only shown in the editor. */
export const countedProblems = <P extends Pick<Problem, 'severity'>>(problems: readonly P[]) =>
  problems.filter((one): one is P & { severity: 'error' | 'warning' } => one.severity !== 'hint');

/** The problems that are shown while a document is written: that a new document is empty is said once it's saved or sent. */
export const problemsWhileWriting = (problems: readonly Problem[], { uri: { scheme } }: Pick<TextDocument, 'uri'>) =>
  problems.filter(({ notIn }) => notIn !== 'newDocument' || scheme !== 'untitled');

export const inDocumentOrder = (problems: readonly Problem[]) =>
  problems.toSorted((one, other) => one.start - other.start || one.end - other.end);

/** Writes a name in place of another one, as `text`. */
export const renameFix = (place: TextRange, name: string, text = name): Fix => ({
  title: l10n.t('Rename to {0}', excerpt(name, 60)),
  edits: [{ start: place.start, end: place.end, text }],
});

/** Writes a value in place of another one, as `text`. */
export const replaceFix = (place: TextRange, value: string, text = value): Fix => ({
  title: l10n.t('Replace with {0}', excerpt(value, 60)),
  edits: [{ start: place.start, end: place.end, text }],
});
