/** A draft of selected text. */
import { l10n, type TextEditor, window, workspace } from 'vscode';
import { codeExcerpts } from '../../markup/codeExcerpts.ts';
import { escapeCode } from '../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
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
  const problems = markdownProblems(text, 0).map((problem) => problem.text);
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

/** In the order of the document. */
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
