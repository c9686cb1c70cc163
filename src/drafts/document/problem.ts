/** What is wrong in a document about to be sent, where it stands, and what would mend it. */

/** Offsets in UTF-16 units, the end not included. */
export interface TextRange {
  start: number;
  end: number;
}

type ProblemCode =
  /** The front matter is no YAML: what the parser says of it. */
  | 'yaml'
  /** The front matter has more values than the parser may be given: the limit. */
  | 'tooLong'
  | 'unclosed'
  /** An alias or a tag where the block has none. */
  | 'unsupported'
  | 'mapExpected'
  | 'listExpected'
  | 'textExpected'
  | 'unknownKey'
  | 'duplicateKey'
  | 'emptyValue'
  /** No ID, for it holds white space or what nobody sees. */
  | 'notIdentifier'
  | 'duplicate'
  | 'unknownAudience'
  /** Looked up before, and not found: its kind and ID. */
  | 'unknownRecipient'
  | 'unknownType'
  /** A key that a type needs: the key and the type. */
  | 'missing'
  /** A key that is of no use: the key and what it is of no use to. */
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

/** Edits that mend a problem, and what they do: `args` holds the word that they write, where there is one. */
export interface Fix {
  code: 'rename' | 'replace' | 'remove' | 'list' | 'close';
  args: string[];
  edits: Edit[];
}

export interface Problem extends TextRange {
  code: ProblemCode;
  /** An error stands in the way of sending. */
  severity: 'error' | 'warning';
  /** What the words name. */
  args: string[];
  fixes?: Fix[];
}

export type ReportProblem = (
  code: ProblemCode,
  place: TextRange,
  args?: string[],
  more?: { severity?: 'warning'; fixes?: Fix[] },
) => void;
