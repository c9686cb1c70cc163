/**
 * The place where the extension runs and keeps its files. The manifest prefers the computer in front of the user, also in
 * remote windows, where VS Code has a place for that: `extensionKind` in package.json.
 */
import { ExtensionKind, env, extensions, UIKind } from 'vscode';
import { isBrowser } from './node.ts';

/** The computer in front of the user, a container that is deleted some day, another computer, or the data of a website. */
export const STORAGE_PLACES = ['here', 'container', 'remote', 'browser'] as const;
export type StoragePlace = (typeof STORAGE_PLACES)[number];

/** What `env.remoteName` says of containers. They are deleted when they are rebuilt, if not before. */
const CONTAINERS = new Set(['dev-container', 'attached-container', 'k8s-container', 'codespaces']);

const EXTENSION = 'bot-chats.bot-chats';

export function storagePlace(): StoragePlace {
  if (isBrowser()) return 'browser';
  const { remoteName } = env;
  if (remoteName !== undefined && CONTAINERS.has(remoteName) && !runsHere()) return 'container';
  // A code server has no local side, and may have no name.
  if (env.uiKind === UIKind.Web) return 'remote';
  return remoteName === undefined || runsHere() ? 'here' : 'remote';
}

const runsHere = () => extensions.getExtension(EXTENSION)?.extensionKind === ExtensionKind.UI;
