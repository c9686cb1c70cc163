/** Parses front matter. The work is bounded, whatever the text is: the parser can't pause. */
import { Composer, CST, type ErrorCode, Lexer, type ParsedNode, Parser } from 'yaml';
import { excerpt } from '../../../markup/escapeInvisible.ts';

/** Scalars keep their text as written (`007`). We report duplicate keys ourselves. */
const OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false } as const;

/** The first time, it takes about 40 ms to parse this many values; a third of that once the parser is warm. */
export const MAX_VALUES = 2_000;
/** A value in a line of its own, with a comment, has eight. What isn't YAML may have many more of them than values. */
const MAX_LEXEMES = 8 * MAX_VALUES;
/** Maps and lists within each other. The parser calls itself for each. */
const MAX_DEPTH = 100;

/** A code of the parser's, or one of our own. */
export type YamlErrorCode = ErrorCode | 'TOO_DEEP';

export type ParsedYaml =
  /** `root` is null in an empty document. */
  | { root: ParsedNode | null }
  | { isTooLong: true }
  /** What is wrong at an offset: the parser's code and its English message for programmers. */
  | { error: YamlErrorCode; message: string; at: number };

/** Parses one YAML document, whose values begin at an offset of the text. Never throws. */
export function parseYaml(text: string, start: number): ParsedYaml {
  if (countValues(text.slice(start)) > MAX_VALUES) return { isTooLong: true };
  const parser = new Parser();
  const composer = new Composer<ParsedNode>(OPTIONS);
  const documents = [];
  let [lexemes, values] = [0, 0];
  let isValid = true;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes++;
    // A text, an alias, an anchor or a tag.
    if (lexeme === CST.SCALAR || /^["'*&!]/.test(lexeme)) values++;
    if (lexemes > MAX_LEXEMES || values > MAX_VALUES) return { isTooLong: true };
    for (const token of parser.next(lexeme)) {
      // One error is enough, and errors take long.
      isValid &&= token.type !== 'error';
      documents.push(...composer.next(token));
    }
    if (parser.stack.length > MAX_DEPTH) return { error: 'TOO_DEEP', message: '', at: parser.offset - 1 };
    if (!isValid || documents.length > 1) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));

  const [document, second] = documents;
  const [error] = document?.errors ?? [];
  if (error) return { error: error.code, message: excerpt(error.message), at: error.pos[0] };
  if (second) return { error: 'MULTIPLE_DOCS', message: '', at: second.range[0] };
  return { root: document?.contents ?? null };
}

/** An upper bound of the values in valid YAML, by the characters that separate them. */
const countValues = (yaml: string) => yaml.match(/[\n,:[{]/g)?.length ?? 0;
