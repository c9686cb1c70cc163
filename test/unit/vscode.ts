/**
 * A stub of `vscode` for tests without an editor: values, settings and files, and prompts that a test answers.
 * `test/vscode` tests what VS Code itself does. Loading this module replaces `vscode` from then on.
 */
import { readFileSync, type Stats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { root } from '../host/places.ts';

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context);
  },
});

// Values

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

  appendMarkdown(value: string): this {
    this.value += value;
    return this;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    [this.line, this.character] = [line, character];
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    [this.start, this.end] = [new Position(startLine, startCharacter), new Position(endLine, endCharacter)];
  }

  contains({ start, end }: Range): boolean {
    const isOrdered = (one: Position, other: Position) =>
      one.line < other.line || (one.line === other.line && one.character <= other.character);
    return isOrdered(this.start, start) && isOrdered(end, this.end);
  }
}

export class InlayHint {
  readonly position: Position;
  readonly label: string;
  constructor(position: Position, label: string) {
    [this.position, this.label] = [position, label];
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
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
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
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };

// Settings

type Values = Record<string, unknown>;
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
type Section = { properties: Record<string, { default?: unknown }> };
const sections: Section[] = manifest.contributes.configuration;
const properties = sections.flatMap((section) => Object.entries(section.properties));
const defaults = Object.fromEntries(properties.map(([name, { default: value }]) => [name, value]));
const layers: { user: Values; workspace: Values } = { user: {}, workspace: {} };
const settingsChanged = new EventEmitter<vscode.ConfigurationChangeEvent>();

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The effective value of a setting in two scopes: objects are merged. */
function merged(weak: unknown, strong: unknown): unknown {
  if (strong === undefined) return weak;
  if (!isObject(weak) || !isObject(strong)) return strong;
  const names = new Set([...Object.keys(weak), ...Object.keys(strong)]);
  return Object.fromEntries([...names].map((name) => [name, merged(weak[name], strong[name])]));
}

function getConfiguration(section?: string) {
  const nameOf = (name: string) => (section ? `${section}.${name}` : name);
  return {
    get: (name: string) => {
      const full = nameOf(name);
      return structuredClone(merged(merged(defaults[full], layers.user[full]), layers.workspace[full]));
    },
    inspect: (name: string) => {
      const full = nameOf(name);
      const values = {
        defaultValue: defaults[full],
        globalValue: layers.user[full],
        workspaceValue: layers.workspace[full],
      };
      return { key: full, ...structuredClone(values) };
    },
    update: async (name: string, value: unknown, target?: number | boolean) => {
      const full = nameOf(name);
      if (!(full in defaults)) throw new Error(`${full} is not a registered configuration.`);
      const layer = target === true || target === ConfigurationTarget.Global ? layers.user : layers.workspace;
      // Like VS Code, which writes a file.
      await setImmediate();
      if (isDeepStrictEqual(layer[full], value)) return;
      if (value === undefined) delete layer[full];
      else layer[full] = JSON.parse(JSON.stringify(value));
      settingsChanged.fire({ affectsConfiguration: (part) => full === part || full.startsWith(`${part}.`) });
    },
  };
}

// Files

const providers = new Map<string, vscode.FileSystemProvider>();

/** Files on disk, or those of the provider for another scheme. */
function filesOf({ scheme }: URI): Pick<vscode.FileSystem, keyof typeof disk> {
  return (providers.get(scheme) as Pick<vscode.FileSystem, keyof typeof disk> | undefined) ?? disk;
}

const notFound = (error: unknown): never => {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  throw isMissing ? FileSystemError.FileNotFound(error.message) : error;
};

/** Neither a file nor a folder: a device, a pipe, a socket. */
const typeOf = (found: Stats) =>
  found.isDirectory() ? FileType.Directory : found.isFile() ? FileType.File : FileType.Unknown;

const disk = {
  readFile: async ({ fsPath }: URI): Promise<Uint8Array> => readFile(fsPath).catch(notFound),
  writeFile: async ({ fsPath }: URI, bytes: Uint8Array) => {
    await mkdir(dirname(fsPath), { recursive: true });
    await writeFile(fsPath, bytes);
  },
  createDirectory: async ({ fsPath }: URI) => void (await mkdir(fsPath, { recursive: true })),
  readDirectory: async ({ fsPath }: URI): Promise<[string, vscode.FileType][]> =>
    (await readdir(fsPath, { withFileTypes: true }).catch(notFound)).map((entry) => [
      entry.name,
      entry.isDirectory() ? FileType.Directory : FileType.File,
    ]),
  stat: async ({ fsPath }: URI) => {
    const found = await stat(fsPath).catch(notFound);
    const isLink = (await lstat(fsPath)).isSymbolicLink();
    const type = typeOf(found) | (isLink ? FileType.SymbolicLink : 0);
    return { type, ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
  },
  delete: async ({ fsPath }: URI, options: { recursive?: boolean } = {}) => rm(fsPath, options).catch(notFound),
  rename: async (from: URI, to: URI, options: { overwrite?: boolean } = {}) => {
    if (!options.overwrite && (await stat(to.fsPath).catch(() => undefined))) throw new Error('FileExists');
    await rename(from.fsPath, to.fsPath).catch(notFound);
  },
};

const never = new EventEmitter<never>().event;

export const workspace = {
  getConfiguration,
  onDidChangeConfiguration: settingsChanged.event,
  isTrusted: true,
  workspaceFolders: undefined,
  getWorkspaceFolder: (uri: URI) => {
    const folders: readonly { uri: URI }[] = workspace.workspaceFolders ?? [];
    return folders.find(({ uri: folder }) => `${uri.with({ query: '', fragment: '' })}/`.startsWith(`${folder}/`));
  },
  onDidGrantWorkspaceTrust: never,
  onDidChangeWorkspaceFolders: never,
  textDocuments: [],
  onDidOpenTextDocument: never,
  onDidChangeTextDocument: never,
  onDidCloseTextDocument: never,
  onDidSaveTextDocument: never,
  createFileSystemWatcher: () => ({ onDidChange: never, onDidCreate: never, onDidDelete: never, dispose: () => {} }),
  openTextDocument: async (what: URI | { language: string; content: string }) => {
    if (!(what instanceof URI)) return { languageId: what.language, getText: () => what.content };
    const text = Buffer.from(await filesOf(what).readFile(what)).toString();
    return { uri: what, languageId: 'markdown', getText: () => text };
  },
  registerFileSystemProvider: (scheme: string, provider: vscode.FileSystemProvider) => {
    providers.set(scheme, provider);
    return new Disposable(() => providers.delete(scheme));
  },
  registerTextDocumentContentProvider: () => new Disposable(() => {}),
  fs: {
    readFile: async (uri: URI) => filesOf(uri).readFile(uri),
    writeFile: async (uri: URI, bytes: Uint8Array) => filesOf(uri).writeFile(uri, bytes),
    createDirectory: async (uri: URI) => filesOf(uri).createDirectory(uri),
    readDirectory: async (uri: URI) => filesOf(uri).readDirectory(uri),
    stat: async (uri: URI) => filesOf(uri).stat(uri),
    delete: async (uri: URI, options?: { recursive?: boolean }) => filesOf(uri).delete(uri, options),
    rename: async (from: URI, to: URI, options?: { overwrite?: boolean }) => filesOf(from).rename(from, to, options),
    isWritableFileSystem: (scheme: string) => scheme === 'file' || providers.has(scheme),
  },
};

// Messages and prompts

class QuickPick {
  title: string | undefined;
  placeholder: string | undefined;
  items: readonly unknown[] = [];
  selectedItems: readonly unknown[] = [];
  activeItems: readonly unknown[] = [];
  buttons: readonly unknown[] = [];
  readonly onDidAccept = never;
  readonly onDidHide = never;
  readonly onDidTriggerButton = never;
  readonly onDidTriggerItemButton = never;
  readonly onDidChangeSelection = never;
  show(): void {}
  hide(): void {}
  dispose(): void {}
}

const nothing = (): void => {};
const noAnswer = async (): Promise<undefined> => undefined;
const noResource = () => new Disposable(nothing);

/** Tests replace these by answers: see `answers.ts`. */
export const window = {
  state: { focused: true, active: true },
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [] },
  onDidChangeWindowState: never,
  showInformationMessage: noAnswer,
  showWarningMessage: noAnswer,
  showErrorMessage: noAnswer,
  showQuickPick: noAnswer,
  showInputBox: noAnswer,
  showOpenDialog: noAnswer,
  showSaveDialog: noAnswer,
  showTextDocument: noAnswer,
  createQuickPick: () => new QuickPick(),
  createInputBox: noAnswer,
  createWebviewPanel: noAnswer,
  createTreeView: () => ({ selection: [], visible: false, onDidChangeVisibility: never, dispose: nothing }),
  createStatusBarItem: () => ({ show: nothing, hide: nothing, dispose: nothing }),
  createOutputChannel: () => ({ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }),
  registerFileDecorationProvider: noResource,
  withProgress: async (_: unknown, task: (progress: object, token: object) => unknown) =>
    task({ report: nothing }, new CancellationTokenSource().token),
};

let clipboard = '';

export const env = {
  language: 'en',
  uriScheme: 'vscode',
  clipboard: {
    readText: async () => clipboard,
    writeText: async (text: string) => {
      clipboard = text;
    },
  },
};

const registered = new Map<string, (...args: unknown[]) => unknown>();
export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    registered.set(name, run);
    return new Disposable(() => void registered.delete(name));
  },
  executeCommand: async (name: string, ...args: unknown[]) => registered.get(name)?.(...args),
};

export const l10n = {
  /** Replaces placeholders by number or by name. */
  t: (text: string, ...values: unknown[]): string => {
    const [first] = values;
    const all = (isObject(first) ? first : values) as Values;
    return text.replace(/\{([^}]+)\}/g, (placeholder, name) => String(all[name] ?? placeholder));
  },
};
