/** A draft of selected text, or of selected source code. */
import { type TextEditor, window, workspace } from 'vscode';
import { codeBlock, codeSpan } from '../../markup/escapeMarkdown.ts';
import { escapeCode } from '../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { findMisplacedBlock } from './document/misplacedBlock.ts';
import { markdownProblems } from './document/textProblems.ts';
import { bracesText, type Draft } from './draftReader.ts';
import { NO_RULES } from './leaveOut.ts';
import { DIRECTORY_VARIABLES } from './recipients/recipientTable.ts';
import { unknownVariableText } from './recipients/variableText.ts';

/**
 * The selected text as Markdown, or as code blocks if it is source code. It has no address, so that another selection
 * isn't taken for an edited one. @throws UserFacingError if nothing is selected, or a `chat:` block
 */
export function selectionDraft(): Draft {
  const editor = window.activeTextEditor;
  const text = editor && (isText(editor) ? selectedText(editor) : selectedCode(editor));
  if (!editor || !text?.trim()) throw new UserFacingError(l10n.t('Nothing is selected.'));
  if (isText(editor) && findMisplacedBlock(text, 0))
    throw new UserFacingError(l10n.t("The selection includes a chat: block, which isn't part of a message."));
  const name = l10n.t('selection of {0}', fileName(editor.document.uri));
  const problems: ShownText[] = markdownProblems(text, 0).map((problem) => problem.text);
  if (editor.document.languageId === 'plaintext' && text.includes('{{'))
    problems.push(...bracesText({ contentType: 'markdown', content: { text: escapeCode(text) } }));
  return { name, ...messageOf(text, editor.document.languageId === 'markdown'), chats: [], rules: NO_RULES, problems };
}

/** @throws UserFacingError if a variable isn't known: without the document, there is no file of recipients */
function messageOf(text: string, mayVary: boolean): Pick<Draft, 'message' | 'variables'> {
  const message = { contentType: 'markdown' as const, content: { text } };
  if (!mayVary || !text.includes('{{')) return { message };
  const written = { ...message, content: { text: escapeCode(text) } };
  const template = new MessageTemplate(written);
  const unknown = template.variables.find((name) => !DIRECTORY_VARIABLES.includes(name));
  if (unknown !== undefined) throw new UserFacingError(unknownVariableText(unknown));
  const { variables } = template;
  return variables.length > 0 ? { message: written, variables } : { message: template.render(() => '') };
}

const isText = ({ document: { languageId } }: TextEditor) => languageId === 'markdown' || languageId === 'plaintext';

/** The selections in the order of the document. */
const selectedIn = ({ selections }: TextEditor) =>
  selections.filter(({ isEmpty }) => !isEmpty).toSorted((a, b) => a.start.compareTo(b.start));

const selectedText = (editor: TextEditor) =>
  selectedIn(editor)
    .map((selection) => editor.document.getText(selection))
    .join('\n');

function selectedCode(editor: TextEditor): string {
  const { document } = editor;
  const { uri, languageId, isUntitled } = document;
  // An absolute path would say more than recipients need to know.
  const path = workspace.getWorkspaceFolder(uri) ? workspace.asRelativePath(uri) : fileName(uri);
  const excerpts = selectedIn(editor).map(({ start, end }) => {
    const lines = Array.from({ length: end.line - start.line + 1 }, (_, at) => document.lineAt(start.line + at).text);
    return { lines, start: start.character, end: end.character };
  });
  return codeExcerpts(isUntitled ? '' : path, languageId, excerpts);
}

/** An excerpt with its whole lines. It begins at a character of the first line and ends before a character of the last. */
interface Excerpt {
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
