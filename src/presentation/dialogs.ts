/**
 * Wraps the notifications, inputs and pickers of VS Code, and escapes untrusted text in them. VS Code renders
 * `[label](address)` as a link in notifications, prompts and progress, even if it runs a command, and `$(name)` as an
 * icon in lists. The linter forbids calling these functions of `window` anywhere else.
 */
import {
  type CancellationToken,
  env,
  type InputBox,
  type InputBoxOptions,
  InputBoxValidationSeverity,
  l10n,
  ProgressLocation,
  type QuickInput,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  window,
} from 'vscode';
import { endNames, endOfRightToLeft, excerpt, keepCounts, visibleText } from '../markup/escapeInvisible.ts';

declare const isSafe: unique symbol;

/** In UTF-16 units. VS Code cuts notifications off there, too. */
const MAX_MESSAGE = 1_000;
const MAX_LABEL = 500;
/** Of a dialog's text, which has several lines. */
const MAX_DETAIL = 10_000;

const COPIED_MS = 3_000;

/** List text with icons escaped. */
type SafeLabel = string & { readonly [isSafe]: true };

export interface ListItem extends QuickPickItem {
  label: SafeLabel;
  description?: SafeLabel;
  detail?: SafeLabel;
}

/** Reports progress; `increment` is in percent. */
export type ReportProgress = (step: { message?: string; increment?: number }) => void;

/** Shows a notification. Resolves to the chosen action, or undefined if dismissed. */
export const showInfo = (message: string, ...actions: string[]) =>
  window.showInformationMessage(messageText(message), ...actions);

/** Shows a warning. Resolves to the chosen action, or undefined if dismissed. */
export const showWarning = (message: string, ...actions: string[]) =>
  window.showWarningMessage(messageText(message), ...actions);

/** Shows an error. Resolves to the chosen action, or undefined if dismissed. */
export const showFailure = (message: string, ...actions: string[]) =>
  window.showErrorMessage(messageText(message), ...actions);

/** Asks in a modal dialog. Enter chooses the first action. */
export const askModal = (question: string, detail: string, ...actions: string[]) =>
  window.showWarningMessage(
    shownText(question, MAX_MESSAGE),
    { modal: true, detail: shownText(detail, MAX_DETAIL) },
    ...actions,
  );

/** Asks for text. `validateInput` says why it can't be used, `noteFor` what it means if it can. */
export function askInput({
  validateInput,
  noteFor,
  ...options
}: Omit<InputBoxOptions, 'validateInput'> & {
  validateInput?(text: string): string | undefined;
  noteFor?(text: string): string | undefined;
}) {
  return window.showInputBox({
    ...shownOptions(options),
    ...(validateInput && {
      validateInput: (text) => {
        const problem = validateInput(text);
        if (problem !== undefined) return messageText(problem);
        const note = noteFor?.(text);
        return note === undefined
          ? undefined
          : { message: messageText(note), severity: InputBoxValidationSeverity.Info };
      },
    }),
  });
}

interface CheckedInput {
  title: string;
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  /** Whether what was typed may be a secret, and is hidden. */
  hides?(text: string): boolean;
  /** Why the text can't be used, or undefined. */
  validate(text: string): string | undefined;
  /** What speaks against using the text, and what Enter does then, or undefined. Never rejects. */
  check(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Asks for text and checks it when the user presses Enter. If the check has a warning, it's shown below the input, and
 * Enter accepts the same text. Resolves to undefined if the user cancels.
 */
export function askCheckedInput({ hides, validate, check, ...options }: CheckedInput): Promise<string | undefined> {
  const input = window.createInputBox();
  Object.assign(input, shownOptions(options), { ignoreFocusOut: true });
  let abort = new AbortController();
  /** The text whose warning is shown. */
  let warned: string | undefined;
  const show = (text: string | undefined, severity: InputBoxValidationSeverity) => {
    input.validationMessage = text && { message: messageText(text), severity };
  };
  const stopCheck = () => {
    abort.abort();
    input.busy = false;
    warned = undefined;
  };
  const isAccepted = async (text: string): Promise<boolean> => {
    const problem = validate(text);
    if (problem !== undefined) {
      show(problem, InputBoxValidationSeverity.Error);
      return false;
    }
    if (text === warned) return true;
    stopCheck();
    abort = new AbortController();
    const { signal } = abort;
    input.busy = true;
    show(l10n.t('Checking…'), InputBoxValidationSeverity.Info);
    const warning = await check(text, signal);
    if (signal.aborted) return false;
    input.busy = false;
    if (warning === undefined) return true;
    warned = text;
    show(warning, InputBoxValidationSeverity.Warning);
    return false;
  };
  return new Promise<string | undefined>((resolve) => {
    input.onDidChangeValue((text) => {
      stopCheck();
      if (hides) input.password = hides(text);
      show(validate(text), InputBoxValidationSeverity.Error);
    });
    input.onDidAccept(async () => {
      const text = input.value;
      if (input.busy || !(await isAccepted(text))) return;
      resolve(text);
      input.hide();
    });
    input.onDidHide(() => {
      stopCheck();
      input.dispose();
      resolve(undefined);
    });
    input.show();
  });
}

/** A warning about text that can be used anyway. */
export const orUseAnyway = (warning: string) => l10n.t('{0} Press Enter to use it anyway.', warning);

/** Creates an input box, for callers that react while the user types. */
export const createInput = (): Omit<InputBox, 'prompt' | 'validationMessage'> => window.createInputBox();

/** Lets the user pick one item. */
export const pickOne = <T extends ListItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: Omit<QuickPickOptions, 'canPickMany'>,
) => window.showQuickPick(items, shownOptions(options));

/** Lets the user pick any number of items. */
export const pickMany = <T extends ListItem>(items: readonly T[], options: Omit<QuickPickOptions, 'canPickMany'>) =>
  window.showQuickPick(items, { ...shownOptions(options), canPickMany: true });

export const createPicker = <T extends ListItem>(): QuickPick<T> => window.createQuickPick<T>();

/**
 * Shows a picker or an input box until one of the listeners that `listen` adds chooses something, or the user closes it:
 * resolves to `closed` then.
 */
export async function showUntilChosen<T>(
  input: Pick<QuickInput, 'onDidHide' | 'show' | 'dispose'>,
  closed: T,
  listen: (choose: (chosen: T) => void) => void,
): Promise<T> {
  try {
    return await new Promise<T>((resolve) => {
      listen(resolve);
      input.onDidHide(() => resolve(closed));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

/** Shows a cancelable progress notification while `run` is pending. */
export function showProgress<T>(
  title: string,
  run: (report: ReportProgress, token: CancellationToken) => Thenable<T>,
): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title: messageText(title), cancellable: true };
  return window.withProgress(options, (progress, token) => {
    const report: ReportProgress = ({ message, ...step }) =>
      progress.report({ ...step, ...(message !== undefined && { message: messageText(message) }) });
    return run(report, token);
  });
}

/** An AbortSignal for a CancellationToken. */
export function signalOf(token: CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  else token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

/** Reports how much is done, which is handed in from 0 to 1. */
export function reportShare(report: ReportProgress): (done: number) => void {
  let percent = 0;
  return (done) => {
    const increment = Math.floor(done * 100) - percent;
    percent += increment;
    if (increment > 0) report({ increment });
  };
}

/** Copies a text, and says so for a moment in the status bar: nothing else shows that it worked. */
export async function copyText(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('Copied'), COPIED_MS);
}

/** Escapes text for a list, with an optional icon before it. */
export function safeLabel(text: string, icon?: string): SafeLabel {
  const label = excerpt(text, MAX_LABEL).replaceAll('$(', '\\$(');
  return `${icon === undefined ? '' : `$(${icon}) `}${label}${endOfRightToLeft(label)}` as SafeLabel;
}

/** A heading between the items of a list. */
export const separator = (label: string) => ({ label: safeLabel(label), kind: QuickPickItemKind.Separator });

/** Options of a prompt or a list with what they show escaped. What the user edits stays as it is. */
function shownOptions<T extends { title?: string; prompt?: string; placeHolder?: string; placeholder?: string }>(
  options: T,
): T {
  const shown = (['title', 'prompt', 'placeHolder', 'placeholder'] as const).flatMap((name) => {
    const text = options[name];
    return text === undefined ? [] : [[name, messageText(text)]];
  });
  return { ...options, ...Object.fromEntries(shown) };
}

/** Text for a notification, a prompt, a title or progress. */
export const messageText = (text: string) => withoutLinks(shownText(text, MAX_MESSAGE));

const shownText = (text: string, length: number) => keepCounts(endNames(visibleText(text, length)));

/** Breaks links with a zero-width space, for text that VS Code searches for links. */
export const withoutLinks = (text: string) => text.replaceAll('](', ']\u200b(');
