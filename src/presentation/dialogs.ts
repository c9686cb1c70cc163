/**
 * The doors to what VS Code says and asks. Behind them, names, files and texts of the service are text and nothing else:
 * VS Code takes `[label](address)` for a link in notifications, prompts and progress, even one that runs a command, and
 * `$(name)` for an icon in lists. The linter keeps everybody else from the functions of `window` that are called here.
 */
import {
  type CancellationToken,
  type InputBox,
  type InputBoxOptions,
  ProgressLocation,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  window,
} from 'vscode';

declare const isInert: unique symbol;

/** Text for a list, none of which becomes an icon. */
export type SafeLabel = string & { readonly [isInert]: true };

export interface ListItem extends QuickPickItem {
  label: SafeLabel;
  description?: SafeLabel;
  detail?: SafeLabel;
}

/** How far something is that takes long. */
export type ReportProgress = (step: { message?: string; increment?: number }) => void;

/** Says something; resolves to the answer that was chosen, if one was. */
export const showInfo = (words: string, ...answers: string[]) =>
  window.showInformationMessage(withoutLinks(words), ...answers);

/** The same of what went less well. */
export const showWarning = (words: string, ...answers: string[]) =>
  window.showWarningMessage(withoutLinks(words), ...answers);

/** The same of what failed. */
export const showFailure = (words: string, ...answers: string[]) =>
  window.showErrorMessage(withoutLinks(words), ...answers);

/** Asks before anything else can be done. The first answer is the one that Enter takes. */
export const askModal = (question: string, detail: string, ...answers: string[]) =>
  window.showWarningMessage(question, { modal: true, detail }, ...answers);

/** Asks for a text. */
export function askInput({
  prompt,
  validateInput,
  ...options
}: Omit<InputBoxOptions, 'validateInput'> & { validateInput?(text: string): string | undefined }) {
  return window.showInputBox({
    ...options,
    ...(prompt !== undefined && { prompt: withoutLinks(prompt) }),
    ...(validateInput && {
      validateInput: (text) => {
        const wrong = validateInput(text);
        return wrong === undefined ? undefined : withoutLinks(wrong);
      },
    }),
  });
}

/** A box for a text that is followed while it is typed. */
export const createInput = (): Omit<InputBox, 'prompt' | 'validationMessage'> => window.createInputBox();

/** Lets one of a list be chosen. */
export const pickOne = <T extends ListItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: Omit<QuickPickOptions, 'canPickMany'>,
) => window.showQuickPick(items, options);

/** Lets any number of a list be chosen. */
export const pickMany = <T extends ListItem>(items: readonly T[], options: Omit<QuickPickOptions, 'canPickMany'>) =>
  window.showQuickPick(items, { ...options, canPickMany: true });

export const createPicker = <T extends ListItem>(): QuickPick<T> => window.createQuickPick<T>();

/** Shows that something is going on, and how far it is; it can be cancelled. */
export function showProgress<T>(
  title: string,
  run: (report: ReportProgress, cancellation: CancellationToken) => Thenable<T>,
): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
  return window.withProgress(options, (progress, cancellation) => {
    const report: ReportProgress = ({ message, ...step }) =>
      progress.report({ ...step, ...(message !== undefined && { message: withoutLinks(message) }) });
    return run(report, cancellation);
  });
}

/** Text for a list, behind an icon where one is named. */
export const safeLabel = (words: string, icon?: string) =>
  ((icon === undefined ? '' : `$(${icon}) `) + words.replaceAll('$(', '\\$(')) as SafeLabel;

/** What stands between the items of a list. */
export const separator = (label: string) => ({ label: safeLabel(label), kind: QuickPickItemKind.Separator });

/** Text for a place in which VS Code looks for links. */
export const withoutLinks = (words: string) => words.replaceAll('](', ']\u200b(');
