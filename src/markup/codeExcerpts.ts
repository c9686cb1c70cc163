/** Excerpts of source code as Markdown. */
import { codeBlock, codeSpan } from './escapeMarkdown.ts';

/** Whole lines; the excerpt begins at a character of the first one and ends before a character of the last one. */
export interface Excerpt {
  lines: readonly string[];
  start: number;
  end: number;
}

/** Language IDs of VS Code that highlighters call differently. */
const HIGHLIGHTER_NAMES: Readonly<Record<string, string>> = {
  javascriptreact: 'jsx',
  shellscript: 'sh',
  typescriptreact: 'tsx',
};

/** A code block for each excerpt, below the name of its file, if any. Empty if all excerpts are blank. */
export function codeExcerpts(fileName: string, languageId: string, excerpts: readonly Excerpt[]): string {
  const language = HIGHLIGHTER_NAMES[languageId] ?? (/^[\w+#.-]+$/.test(languageId) ? languageId : '');
  const texts = excerpts.map(withoutIndentation).filter(Boolean);
  if (texts.length === 0) return '';
  return [codeSpan(fileName), ...texts.map((text) => codeBlock(language, text))].filter(Boolean).join('\n\n');
}

/** The text of an excerpt without the indentation that all its lines have, and without blank lines around it. */
function withoutIndentation({ lines, start, end }: Excerpt): string {
  const common = commonIndentation(lines).length;
  const texts = lines.map((line, at) =>
    line.slice(Math.max(common, at === 0 ? start : 0), at === lines.length - 1 ? end : undefined),
  );
  const isFilled = (text: string) => text.trim() !== '';
  const first = texts.findIndex(isFilled);
  return first < 0 ? '' : texts.slice(first, texts.findLastIndex(isFilled) + 1).join('\n');
}

/** The white space that every line begins with, except blank ones. */
function commonIndentation(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const [indentation = ''] = /^[ \t]*/.exec(line) ?? [];
    common ??= indentation;
    let length = 0;
    while (length < common.length && common[length] === indentation[length]) length++;
    common = common.slice(0, length);
  }
  return common ?? '';
}
