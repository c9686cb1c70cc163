/** Parses front matter. The work is bounded, whatever the text is: the parser can't pause. */
import { Composer, CST, Lexer, type ParsedNode, Parser } from 'yaml';
import { excerpt } from '../../markup/escapeInvisible.ts';

/** Scalars keep their text as written (`007`). We report duplicate keys ourselves. */
const OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false } as const;

/** Replaces parser messages that are meant for programmers. */
const MESSAGES: Record<string, string> = { MULTIPLE_DOCS: 'a second document begins' };
const TOO_DEEP = 'it is nested too deeply';

/** The first time, it takes about 40 ms to parse this many values; a third of that once the parser is warm. */
export const MAX_VALUES = 2_000;
/** A value in a line of its own, with a comment, has eight. What isn't YAML may have many more of them than values. */
const MAX_LEXEMES = 8 * MAX_VALUES;
/** Maps and lists within each other. The parser calls itself for each. */
const MAX_DEPTH = 100;

export type ParsedYaml =
  /** `root` is null in an empty document. */
  | { root: ParsedNode | null }
  | { isTooLong: true }
  /** What is wrong, as part of a sentence, and at which offset. */
  | { error: string; at: number };

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
    if (parser.stack.length > MAX_DEPTH) return { error: TOO_DEEP, at: parser.offset - 1 };
    if (!isValid || documents.length > 1) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));

  const [document, second] = documents;
  const [error] = document?.errors ?? [];
  if (error) return { error: MESSAGES[error.code] ?? excerpt(error.message), at: error.pos[0] };
  if (second) return { error: MESSAGES.MULTIPLE_DOCS ?? '', at: second.range[0] };
  return { root: document?.contents ?? null };
}

/** An upper bound of the values in valid YAML, by the characters that separate them. */
const countValues = (yaml: string) => yaml.match(/[\n,:[{]/g)?.length ?? 0;
