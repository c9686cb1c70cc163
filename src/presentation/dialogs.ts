/**
 * Wraps the notifications, inputs and pickers of VS Code, which take only text that was made to be shown. VS Code renders
 * `[label](address)` as a link in notifications, prompts and progress, even if it runs a command, and `$(name)` as an
 * icon in lists: neither comes through. The linter forbids calling these functions of `window` anywhere else.
 */
import {
  type CancellationToken,
  env,
  type InputBox,
  type InputBoxOptions,
  InputBoxValidationSeverity,
  ProgressLocation,
  type QuickInput,
  type QuickInputButton,
  QuickInputButtons,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  type QuickPickOptions,
  window,
} from 'vscode';
import { endNames, keepCounts, shortenShown } from '../markup/escapeInvisible.ts';
import type { IconText } from '../markup/safeText.ts';
import { iconText, l10n, type ShownText } from './shown.ts';

/** How much of a message is shown (UTF-16 units). VS Code cuts notifications off there, too. */
const MAX_MESSAGE = 1_000;
/** How much of a dialog's text is shown (UTF-16 units): it may have several lines. */
const MAX_DETAIL = 10_000;

const COPIED_MS = 3_000;

export interface ShownButton extends QuickInputButton {
  readonly tooltip: ShownText;
}

/** A button that goes back to the list or question before. */
export const backButton = () => QuickInputButtons.Back as ShownButton;

export interface ListItem extends QuickPickItem {
  label: IconText;
  description?: IconText;
  detail?: IconText;
  buttons?: readonly ShownButton[];
}

interface ShownOptions {
  title?: ShownText;
  prompt?: ShownText;
  placeHolder?: ShownText;
  placeholder?: ShownText;
}

/** Options of VS Code whose texts were made to be shown. */
type Shown<Options> = Omit<Options, keyof ShownOptions> & ShownOptions;

interface ShownTexts {
  title: ShownText | undefined;
  placeholder: ShownText | undefined;
  buttons: readonly ShownButton[];
}
type Unshown<Input> = Omit<Input, keyof ShownTexts | 'prompt' | 'validationMessage'>;

export interface ShownPicker<T extends ListItem> extends Unshown<QuickPick<T>>, ShownTexts {}

/** Reports progress; `increment` is in percent. */
export type ReportProgress = (step: { message?: ShownText; increment?: number }) => void;

/** Shows a notification. Resolves to the chosen action, or undefined if dismissed. */
export const showInfo = (message: ShownText, ...actions: ShownText[]) =>
  window.showInformationMessage(messageText(message), ...actions);

/** Shows a warning. Resolves to the chosen action, or undefined if dismissed. */
export const showWarning = (message: ShownText, ...actions: ShownText[]) =>
  window.showWarningMessage(messageText(message), ...actions);

/** Shows an error. Resolves to the chosen action, or undefined if dismissed. */
export const showFailure = (message: ShownText, ...actions: ShownText[]) =>
  window.showErrorMessage(messageText(message), ...actions);

/** Asks in a modal dialog. Enter chooses the first action. */
export const askModal = (question: ShownText, detail: ShownText, ...actions: ShownText[]) =>
  window.showWarningMessage(
    readable(question, MAX_MESSAGE),
    { modal: true, detail: readable(detail, MAX_DETAIL) },
    ...actions,
  );

/** Asks for text. `validateInput` says why a text can't be used, `noteFor` what it means if it can. */
export function askInput({
  validateInput,
  noteFor,
  ...options
}: Shown<Omit<InputBoxOptions, 'validateInput'>> & {
  validateInput?(text: string): ShownText | undefined;
  noteFor?(text: string): ShownText | undefined;
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
  title: ShownText;
  prompt: ShownText;
  value?: string;
  placeholder?: ShownText;
  password?: boolean;
  /** Whether a typed text may be a secret, so that it's hidden. */
  hides?(text: string): boolean;
  /** Why the text can't be used, or undefined. */
  validate(text: string): ShownText | undefined;
  /** What speaks against using the text, and what Enter does then, or undefined. Never rejects. */
  check(text: string, signal: AbortSignal): Promise<ShownText | undefined>;
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
  const show = (text: ShownText | undefined, severity: InputBoxValidationSeverity) => {
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
export const orUseAnyway = (warning: ShownText) => l10n.t('{0} Press Enter to use it anyway.', warning);

/** Creates an input box, for callers that react while the user types. */
export const createInput = () => window.createInputBox() as Unshown<InputBox> & ShownTexts;

/** Lets the user pick one item. */
export const pickOne = <T extends ListItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: Shown<Omit<QuickPickOptions, 'canPickMany'>>,
) => window.showQuickPick(items, shownOptions(options));

/** Lets the user pick any number of items. */
export const pickMany = <T extends ListItem>(
  items: readonly T[],
  options: Shown<Omit<QuickPickOptions, 'canPickMany'>>,
) => window.showQuickPick(items, { ...shownOptions(options), canPickMany: true });

export const createPicker = <T extends ListItem>() => window.createQuickPick<T>() as ShownPicker<T>;

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
  title: ShownText,
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

/** Returns a function that reports how much is done, from 0 to 1. */
export function reportShare(report: ReportProgress): (done: number) => void {
  let percent = 0;
  return (done) => {
    const increment = Math.floor(done * 100) - percent;
    percent += increment;
    if (increment > 0) report({ increment });
  };
}

/** Copies a text, and says so for a moment in the status bar: nothing else shows that copying worked. */
export async function copyText(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage(l10n.t('Copied'), COPIED_MS);
}

interface ItemTexts {
  readonly icon?: string | undefined;
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
}

/** An item of a list, with texts that others may have written, on a line each. */
export function listItem<T extends ItemTexts>({ icon, label, description, detail, ...rest }: T) {
  const item: Pick<ListItem, keyof ListItem & keyof ItemTexts> = { label: iconText(label, icon) };
  if (description !== undefined) item.description = iconText(description);
  if (detail !== undefined) item.detail = iconText(detail);
  return { ...rest, ...item };
}

/** A heading between the items of a list. */
export const separator = (label: ShownText) => ({ label: iconText(label), kind: QuickPickItemKind.Separator });

/** Options of a prompt or a list without links in what they show. What the user edits stays as it is. */
function shownOptions<T extends ShownOptions>(options: T): T {
  const shown = (['title', 'prompt', 'placeHolder', 'placeholder'] as const).flatMap((name) => {
    const text = options[name];
    return text === undefined ? [] : [[name, messageText(text)]];
  });
  return { ...options, ...Object.fromEntries(shown) };
}

/** Text for a notification, a prompt, a title or progress. */
export const messageText = (text: ShownText) => withoutLinks(readable(text, MAX_MESSAGE));

const readable = (text: ShownText, length: number) => keepCounts(endNames(shortenShown(text, length)));

/** Breaks links with a zero-width space, for text that VS Code searches for links. */
export const withoutLinks = (text: ShownText) => text.replaceAll('](', ']\u200b(') as ShownText;

/** A word that is wider than a narrow sidebar. */
const LONG_WORD = /\S{20}(?=\S)/gu;

/** Lets VS Code break long words in the message of a view, which it would cut off. */
export const breakable = (text: ShownText) => text.replace(LONG_WORD, '$&\u200b') as ShownText;
