/** Problems in a draft: where they are, and what fixes them. */

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

type ProblemCode =
  /** Invalid YAML. Argument: the parser's message. */
  | 'yaml'
  /** The front matter has too many values. Argument: the limit. */
  | 'tooLong'
  | 'unclosed'
  /** Aliases and tags aren't allowed in the block. */
  | 'unsupported'
  | 'mapExpected'
  | 'listExpected'
  | 'textExpected'
  | 'unknownKey'
  | 'duplicateKey'
  | 'emptyValue'
  /** Not an ID: it contains white space or invisible characters. */
  | 'notIdentifier'
  | 'duplicate'
  | 'unknownAudience'
  /** Looked up before and not found. Arguments: its kind and ID. */
  | 'unknownRecipient'
  | 'unknownType'
  /** A required key is missing. Arguments: the key, and what requires it. */
  | 'missing'
  /** A key has no effect. Arguments: the key, and what ignores it. */
  | 'unused'
  | 'notAddress'
  | 'noText'
  | 'noEffect'
  | 'twoEffects'
  | 'unknownAction'
  | 'undocumentedAction'
  | 'emptyBody'
  | 'unusedBody'
  | 'localPicture';

interface Edit extends TextRange {
  text: string;
}

/** Edits that fix a problem. `args` holds the word that they insert, if any. */
export interface Fix {
  code: 'rename' | 'replace' | 'remove' | 'list' | 'close';
  args: string[];
  edits: Edit[];
}

export interface Problem extends TextRange {
  code: ProblemCode;
  /** An error prevents sending. */
  severity: 'error' | 'warning';
  /** Arguments of the message. */
  args: string[];
  fixes?: Fix[];
}

export type ReportProblem = (
  code: ProblemCode,
  place: TextRange,
  args?: string[],
  more?: { severity?: 'warning'; fixes?: Fix[] },
) => void;
