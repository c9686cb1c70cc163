/** Problems in a draft: where they are, and what fixes them. */

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

type ProblemCode =
  /** Invalid YAML. Arguments: the parser's code, and its message in English, if any. */
  | 'yaml'
  /** The front matter has too many values. Argument: the limit. */
  | 'tooLong'
  | 'unclosed'
  /** A block that isn't in the front matter. */
  | 'misplaced'
  /** A block in the message, after the one in the front matter. */
  | 'secondBlock'
  /** Aliases and tags aren't allowed in the block. */
  | 'unsupported'
  | 'mapExpected'
  | 'listExpected'
  | 'textExpected'
  | 'unknownKey'
  | 'duplicateKey'
  | 'emptyValue'
  /** Not an ID: it contains white space or invisible characters, or is too long. */
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
  | 'localPicture'
  /** Two braces that begin no variable. */
  | 'strayBraces'
  /** A value begins with a variable, which YAML takes for a map. */
  | 'unquotedVariable'
  /** Neither a group nor a person. Argument: the word. */
  | 'unknownKind'
  /** `kind` without a file of recipients. */
  | 'unusedKind'
  | RecipientProblemCode;

/** Problems with the variables of a draft and the file of its recipients. */
export type RecipientProblemCode =
  /** Arguments: the variable, and `noFile` if the block names no file of recipients. */
  | 'unknownVariable'
  /** A column after a backslash. */
  | 'escapedVariable'
  /** A variable that stays as it is. */
  | 'variableInCode'
  /** Arguments: the variable, for how many recipients, the line of the first, the file, and the marks that stay around it. */
  | 'emptyValues'
  /** Not addresses. Arguments as above, without marks. */
  | 'noAddresses'
  /** Values whose line breaks become spaces. Arguments as above. */
  | 'lineBreaks'
  /** A variable whose links go to several hosts. Arguments: the variable, and the hosts. */
  | 'severalHosts'
  /** A variable where no value can be. Arguments: the variable, and its place. */
  | 'forbiddenPlace'
  /** Arguments of these: the file, and more. */
  | 'unsavedDocument'
  | 'notRelative'
  /** Not a name that a file can have on every computer. */
  | 'badFileName'
  /** Where the file isn't, and should be: see `fileBounds.ts`. */
  | 'outsideWorkspace'
  | 'outsideFolder'
  | 'untrustedFolder'
  | 'outsideLink'
  | 'noFile'
  /** The error. */
  | 'unreadableFile'
  /** The limit in megabytes. */
  | 'fileTooLarge'
  | 'notTextFile'
  | 'otherEncoding'
  | 'noIdColumn'
  | 'noKind'
  /** Both columns. */
  | 'duplicateColumn'
  /** The limit. */
  | 'tooManyRows'
  | 'noRows'
  /** The number of rows with errors, the line of the first, and the code and the arguments of its problem. */
  | 'badRows'
  /** The number of rows, and the line of the first. */
  | 'repeatedRows'
  /** The columns. */
  | 'unusedColumns';

interface Edit extends TextRange {
  /** With `isSnippet`, `$1` is where the user types next. */
  text: string;
  isSnippet?: true;
}

/** Edits that fix a problem. `args` holds the word that they insert, if any. */
export interface Fix {
  code:
    | 'rename'
    | 'replace'
    | 'remove'
    | 'list'
    | 'close'
    | 'move'
    | 'quote'
    | 'keep'
    | 'default'
    | 'kind'
    | 'beside'
    | 'nameFile'
    /** Saves the document instead. */
    | 'save'
    | 'slash';
  args: string[];
  edits: Edit[];
}

export interface Problem extends TextRange {
  code: ProblemCode;
  /** An error prevents sending. A hint is only shown in the editor. */
  severity: 'error' | 'warning' | 'hint';
  /** Arguments of the message. */
  args: string[];
  /** The line in the file of recipients that the message names, from 1. */
  line?: number;
  fixes?: Fix[];
}

/** The problems that are listed and counted everywhere: a hint is only shown in the editor. */
export const countedProblems = <P extends Pick<Problem, 'severity'>>(problems: readonly P[]) =>
  problems.filter((one): one is P & { severity: 'error' | 'warning' } => one.severity !== 'hint');

export type ReportProblem = (
  code: ProblemCode,
  place: TextRange,
  args?: string[],
  more?: { severity?: 'warning'; fixes?: Fix[] },
) => void;
