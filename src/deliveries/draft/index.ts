/** Drafts: new ones, their preview, and the help in writing them. */
import type { Disposable } from 'vscode';
import { defer, lazy, methodsOf, restorePanels } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import type { MessageEdits } from '../contract.ts';
import { registerEditing } from './editing/index.ts';

const PREVIEW_VIEW = 'botChats.preview';

export function registerDrafts(host: ActivationHost, edits: MessageEdits) {
  const { commands } = host;
  /** One reader for all who show drafts, so that a file of recipients is read once. */
  const reader = lazy(async () => {
    const { DraftReader } = await import('./draftReader.ts');
    return new DraftReader(await wholeHost(host));
  });
  const previews = lazy(async () => {
    const { PreviewController } = await import('./preview/previewController.ts');
    return new PreviewController(PREVIEW_VIEW, { ...(await wholeHost(host)), edits }, await reader());
  });
  const drafts = lazy(async () => {
    const { newDrafts } = await import('./newDraft.ts');
    return newDrafts(await wholeHost(host), await reader());
  });
  const disposables: Disposable[] = [
    ...commands.registerAll(drafts, 'newMessage', 'newMessageAsBot', 'newMessageFromFile'),
    ...commands.registerAll(previews, 'preview'),
    restorePanels(PREVIEW_VIEW, previews, commands),
    defer(() => registerEditing(host, edits, reader)),
    { dispose: () => void reader.loaded?.then(({ files }) => files.dispose()) },
  ];
  return { disposables, drafts: methodsOf(drafts, 'open'), reader };
}
