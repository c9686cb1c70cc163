/** Plain values of the stub of `vscode`. */
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

/** The library that VS Code publishes its own class in. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

export class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
}

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: vscode.Event<T> = (listener, thisArgument, disposables) => {
    const bound = (value: T) => listener.call(thisArgument, value);
    this.#listeners.add(bound);
    const disposable = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // Fails the test, but still notifies the other listeners.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class MarkdownString {
  value: string;
  supportThemeIcons: boolean;
  isTrusted: boolean | undefined;
  supportHtml: boolean | undefined;

  constructor(value = '', supportThemeIcons = false) {
    [this.value, this.supportThemeIcons] = [value, supportThemeIcons];
  }
}

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    [this.id, this.color] = [id, color];
  }
}

export class TabInputText {
  readonly uri: URI;
  constructor(uri: URI) {
    this.uri = uri;
  }
}

export class TabInputWebview {
  readonly viewType: string;
  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export class TreeItem {
  label: string;
  collapsibleState: number;
  constructor(label: string, collapsibleState: number = TreeItemCollapsibleState.None) {
    [this.label, this.collapsibleState] = [label, collapsibleState];
  }
}

export class DataTransferItem {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  async asString(): Promise<string> {
    return typeof this.value === 'string' ? this.value : JSON.stringify(this.value);
  }
}

export class DataTransfer extends Map<string, DataTransferItem> {}

export class CancellationError extends Error {}

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: unknown[];
  constructor(content: unknown[]) {
    this.content = content;
  }
}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(message: string, code = 'Unknown') {
    super(message);
    this.code = code;
  }
  static FileNotFound(path: string): FileSystemError {
    return new FileSystemError(path, 'FileNotFound');
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const UIKind = { Desktop: 1, Web: 2 };
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const QuickPickItemKind = { Separator: -1 };
export const QuickInputButtons = { Back: { iconPath: new ThemeIcon('arrow-left'), tooltip: 'Back' } };
export class RelativePattern {
  readonly baseUri: URI;
  readonly pattern: string;

  constructor(base: URI, pattern: string) {
    this.baseUri = base;
    this.pattern = pattern;
  }
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const ConfigurationTarget = { Global: 1, Workspace: 2 };
export const ProgressLocation = { Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const StatusBarAlignment = { Left: 1 };
