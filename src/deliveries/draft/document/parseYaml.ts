/** Parses front matter. The work is bounded, whatever the text is: the parser can't pause, which blocks the extension host. */
import { Composer, CST, Lexer, type ParsedNode, Parser, type YAMLParseError } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';

/** Scalars keep their text as written (`007`). We report duplicate keys ourselves. Tokens know indents and dashes. */
const OPTIONS = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  keepSourceTokens: true,
} as const;

/** The most values that are parsed. The first time, this many take about 40 ms; a third of that once the parser is warm. */
const MAX_VALUES = 2_000;
/**
 * The most lexemes. A value in a line of its own, with a comment, has eight. Text that isn't YAML may have many more than
 * values.
 */
const MAX_LEXEMES = 8 * MAX_VALUES;
/** How many maps and lists may be within each other: the parser calls itself for each. */
const MAX_DEPTH = 100;

type ParsedYaml =
  /** `root` is null in an empty document. */
  | { root: ParsedNode | null }
  /** What is wrong at an offset, in one sentence; without an offset if it's wrong as a whole. */
  | { error: ShownText; at: number | undefined };

/** Parses one YAML document, whose values begin at an offset of the text. Never throws. */
export function parseYaml(text: string, start: number): ParsedYaml {
  if (countValues(text.slice(start)) > MAX_VALUES) return tooLong();
  const parser = new Parser();
  const composer = new Composer<ParsedNode>(OPTIONS);
  const documents = [];
  let lexemes = 0;
  let values = 0;
  let isValid = true;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes++;
    // The lexeme is a text, an alias, an anchor or a tag.
    if (lexeme === CST.SCALAR || /^["'*&!]/.test(lexeme)) values++;
    if (lexemes > MAX_LEXEMES || values > MAX_VALUES) return tooLong();
    for (const token of parser.next(lexeme)) {
      // One error is enough, and errors take long.
      isValid &&= token.type !== 'error';
      documents.push(...composer.next(token));
    }
    if (parser.stack.length > MAX_DEPTH) return { error: tooDeepText(), at: parser.offset - 1 };
    if (!isValid || documents.length > 1) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));

  const [document, second] = documents;
  const [error] = document?.errors ?? [];
  if (error) return { error: errorText(error), at: error.pos[0] };
  if (second) return { error: secondDocumentText(), at: second.range[0] };
  return { root: document?.contents ?? null };
}

/** An upper bound of the values in valid YAML, by the characters that separate them. */
const countValues = (yaml: string) => yaml.match(/[\n,:[{]/g)?.length ?? 0;

const tooLong = () => ({
  error: l10n.t(
    'The front matter has more than {0} values. Move long lists of recipients to an audience or a CSV file.',
    MAX_VALUES.toLocaleString('en'),
  ),
  at: undefined,
});

const tooDeepText = () => l10n.t('The front matter is nested too deeply.');
const secondDocumentText = () => l10n.t("The front matter isn't valid YAML: a second document begins here.");

/** Why front matter isn't valid. The parser's messages are English and for programmers, so frequent ones are replaced. */
function errorText({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): ShownText {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return secondDocumentText();
    case 'TAB_AS_INDENT':
      return l10n.t("The front matter isn't valid YAML: indent lines with spaces instead of tabs.");
    case 'BAD_INDENT':
      return l10n.t(
        "The front matter isn't valid YAML: a bracket or brace isn't closed, or a line isn't indented like the others.",
      );
    case 'BLOCK_AS_IMPLICIT_KEY':
      return l10n.t(
        "The front matter isn't valid YAML: a value with a colon needs quotes, or a line isn't indented like the others.",
      );
    case 'BAD_SCALAR_START':
    case 'BAD_ALIAS':
    case 'TAG_RESOLVE_FAILED':
      return l10n.t(
        "The front matter isn't valid YAML: put quotes around a value that begins with a special character.",
      );
    case 'MULTILINE_IMPLICIT_KEY':
      return l10n.t(
        "The front matter isn't valid YAML: the key in this line has no colon, or a value in brackets begins with a dash.",
      );
    case 'BAD_DQ_ESCAPE':
      return l10n.t(
        "The front matter isn't valid YAML: in double quotation marks, write two backslashes instead of one.",
      );
    case 'MISSING_CHAR':
      return l10n.t("The front matter isn't valid YAML: a colon, comma, space, or quotation mark is missing.");
    case 'UNEXPECTED_TOKEN':
      return l10n.t(
        "The front matter isn't valid YAML: this character isn't expected here. Put quotes around text that contains it.",
      );
    default:
      return l10n.t("The front matter isn't valid YAML: {0}.", excerpt(message));
  }
}
