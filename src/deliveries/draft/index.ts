/** Registers the language features for drafts, and their preview. */
import { type Disposable, window } from 'vscode';
import type { ResourceArgument } from '../../platform/commandArguments.ts';
import { defer, once, restorePanels } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { type Chat, isChat } from '../../service/model.ts';
import type { DraftOpener, MessageEdits } from '../contract.ts';
import { registerEditing } from './editing/index.ts';

type Lazy = Pick<typeof import('./draftReader.ts'), 'DraftReader'> &
  Pick<typeof import('./editing/createEditing.ts'), 'createEditing'> &
  Pick<typeof import('./newDraft.ts'), 'openNewDraft' | 'openPersonalDraft' | 'openWrittenDraft'> &
  Pick<typeof import('./preview/previewController.ts'), 'PreviewController'>;

const PREVIEW_VIEW = 'botChats.preview';

export function registerDrafts(host: ActivationHost, edits: MessageEdits, load: Load<Lazy>) {
  /** One for all, so that a file of recipients is read once. */
  const reader = once(async () => {
    const { DraftReader, stored } = await load();
    return new DraftReader({ ...host, ...stored });
  });
  const previews = once(async () => {
    const { PreviewController, stored } = await load();
    return new PreviewController(PREVIEW_VIEW, { ...host, ...stored, edits }, await reader());
  });
  const drafts: DraftOpener = {
    open: async (draft) => {
      const { openWrittenDraft, stored } = await load();
      return openWrittenDraft(draft, { ...host, ...stored }, await reader());
    },
  };
  const disposables: Disposable[] = [
    host.commands.register('newMessage', async (clicked, selected) => {
      const resources = selected && selected.length > 0 ? selected : clicked ? [clicked] : [];
      const { openNewDraft } = await load();
      await openNewDraft(host, resources.flatMap(chatOf), clicked?.botId);
    }),
    host.commands.register('newMessageAsBot', async (bot) => {
      const { openNewDraft } = await load();
      await openNewDraft(host, [], bot?.id);
    }),
    host.commands.register('newMessageFromFile', async (file) => {
      const { openPersonalDraft, stored } = await load();
      await openPersonalDraft({ ...host, ...stored }, await reader(), file);
    }),
    defer(() => registerEditing(host, edits, reader, load)),
    host.commands.register('preview', async (file) => {
      await (await previews()).open(file ?? window.activeTextEditor?.document.uri);
    }),
    restorePanels(PREVIEW_VIEW, previews, host.commands),
    { dispose: () => void reader.loaded?.then(({ files }) => files.dispose()) },
  ];
  return { disposables, drafts, reader };
}

const chatOf = ({ kind, id }: ResourceArgument): Chat[] => [{ kind, id }].filter(isChat);
