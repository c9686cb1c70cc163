/**
 * A stub of `vscode` for tests without an editor: values, settings, files and documents, and prompts that a test answers.
 * `test/vscode` tests what VS Code itself does. Loading this module replaces `vscode` from then on.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import type { URI } from 'vscode-uri';
import { root } from '../host/places.ts';
import {
  activated,
  applyEdit,
  changed,
  closed,
  openDocuments,
  opened,
  openTextDocument,
  saved,
  scrolled,
  shownEditors,
  showTextDocument,
  willSave,
} from './vscode-editors.ts';
import { createFileSystemWatcher, fs, registerFileSystemProvider } from './vscode-files.ts';
import { CancellationTokenSource, ConfigurationTarget, Disposable, EventEmitter } from './vscode-values.ts';

export { languages } from './vscode-editors.ts';
export * from './vscode-text.ts';
export * from './vscode-values.ts';

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context);
  },
});

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
  textDocuments: openDocuments,
  onDidOpenTextDocument: opened.event,
  onDidChangeTextDocument: changed.event,
  onDidCloseTextDocument: closed.event,
  onDidSaveTextDocument: saved.event,
  onWillSaveTextDocument: willSave.event,
  openTextDocument,
  applyEdit,
  asRelativePath: (uri: URI) => {
    const folder = workspace.getWorkspaceFolder(uri);
    return folder ? uri.path.slice(folder.uri.path.length + 1) : uri.path;
  },
  createFileSystemWatcher,
  registerFileSystemProvider,
  registerTextDocumentContentProvider: () => new Disposable(() => {}),
  fs,
};

// Messages and prompts

const nothing = (): void => {};
const noAnswer = async (): Promise<undefined> => undefined;
const noResource = () => new Disposable(nothing);

/** Tests replace these by answers: see `answers.ts`. */
export const window = {
  state: { focused: true, active: true },
  get activeTextEditor() {
    return shownEditors().at(-1);
  },
  get visibleTextEditors() {
    return shownEditors();
  },
  onDidChangeActiveTextEditor: activated.event,
  onDidChangeTextEditorSelection: never,
  onDidChangeTextEditorVisibleRanges: scrolled.event,
  tabGroups: { all: [], onDidChangeTabs: never, close: async () => true },
  onDidChangeWindowState: never,
  showInformationMessage: noAnswer,
  showWarningMessage: noAnswer,
  showErrorMessage: noAnswer,
  showQuickPick: noAnswer,
  showInputBox: noAnswer,
  showOpenDialog: noAnswer,
  showSaveDialog: noAnswer,
  showTextDocument,
  setStatusBarMessage: noResource,
  createQuickPick: noAnswer,
  createInputBox: noAnswer,
  createWebviewPanel: noAnswer,
  registerUriHandler: noResource,
  registerWebviewPanelSerializer: noResource,
  createTreeView: () => ({
    selection: [],
    visible: false,
    onDidChangeSelection: never,
    onDidChangeVisibility: never,
    dispose: nothing,
  }),
  createStatusBarItem: () => ({ show: nothing, hide: nothing, dispose: nothing }),
  createOutputChannel: () => ({ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }),
  registerFileDecorationProvider: noResource,
  registerTerminalLinkProvider: noResource,
  withProgress: async (_: unknown, task: (progress: object, token: object) => unknown) =>
    task({ report: nothing }, new CancellationTokenSource().token),
};

let clipboard = '';

export const env = {
  language: 'en',
  uriScheme: 'vscode',
  uiKind: 1,
  clipboard: {
    readText: async () => clipboard,
    writeText: async (text: string) => {
      clipboard = text;
    },
  },
};

/** As in a window without a remote side. */
export const extensions = { getExtension: () => undefined };

const registered = new Map<string, (...args: unknown[]) => unknown>();
export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    registered.set(name, run);
    return new Disposable(() => void registered.delete(name));
  },
  executeCommand: async (name: string, ...args: unknown[]) => registered.get(name)?.(...args),
};

export const l10n = {
  /** In English, there is none. */
  bundle: undefined as Record<string, string> | undefined,
  /** Replaces placeholders by number or by name. */
  t: (text: string, ...values: unknown[]): string => {
    const [first] = values;
    const all = (isObject(first) ? first : values) as Values;
    return text.replace(/\{([^}]+)\}/g, (placeholder, name) => String(all[name] ?? placeholder));
  },
};
