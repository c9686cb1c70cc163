/** Message history, wired to VS Code: one panel for each chat and the bot that reads it. */

import * as v from 'valibot';
import { type Disposable, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import { attachedBot, type Chat } from '../service/model.ts';
import type { Register } from '../workbench/commands.ts';
import { idsOf, type Service } from '../workbench/connection.ts';
import type { HistoryPanel, PanelNeeds } from './panel.ts';
import type { Place } from './protocol.ts';

const VIEW = 'botChats.history';

/** What a command is given for a chat: a row of the sidebar, or anything else that names one. */
const ChatArgument = v.pipe(
  v.object({ kind: v.picklist(['group', 'user']), id: v.pipe(v.string(), v.nonEmpty()) }),
  v.transform(({ kind, id }): Chat => ({ type: kind, id })),
);

export interface HistoryNeeds extends PanelNeeds {
  openService(): Promise<Service | undefined>;
  /** The bot to read as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string, preferred?: string): Promise<string | undefined>;
}

export function registerHistory(needs: HistoryNeeds, register: Register) {
  const panels = new Map<string, HistoryPanel>();

  async function adopt(panel: WebviewPanel, place: Place): Promise<void> {
    const { HistoryPanel } = await import('./panel.ts');
    const key = keyOf(place);
    panels.set(key, new HistoryPanel(panel, place, needs));
    panel.onDidDispose(() => panels.delete(key));
  }

  async function open(chat: Chat): Promise<void> {
    const service = await needs.openService();
    if (!service) return;
    const title = l10n.t('Read the history as which bot?');
    const botId = await needs.chooseBot(service, title, await botOf(chat, service));
    if (!botId) return;
    const place = { service: service.address, ...chat, botId };
    const shown = panels.get(keyOf(place));
    if (shown) return shown.reveal();
    const { nameOf } = await import('../words/describe.ts');
    const known = service.directory.peek(chat.type, chat.id);
    const name = known ? nameOf(known) : chat.id;
    await adopt(window.createWebviewPanel(VIEW, name, ViewColumn.Active, { enableFindWidget: true }), place);
  }

  const disposables: Disposable[] = [
    register('openHistory', async (argument?: unknown) => {
      const chat = argument === undefined ? await askChat(needs) : v.parse(ChatArgument, argument);
      if (chat) await open(chat);
    }),
    window.registerWebviewPanelSerializer(VIEW, {
      async deserializeWebviewPanel(panel, state) {
        const { Place } = await import('./protocol.ts');
        const place = v.safeParse(Place, state);
        if (place.success) await adopt(panel, place.output);
        else panel.dispose();
      },
    }),
  ];
  /** Shows new messages in the open panels of these chats. */
  const loadNewer = (chats: readonly Chat[]) => {
    for (const panel of panels.values()) {
      if (chats.some(({ type, id }) => type === panel.place.type && id === panel.place.id)) void panel.loadNewer();
    }
  };
  return { disposables, open, loadNewer };
}

const keyOf = ({ service, type, id, botId }: Place) => JSON.stringify([service, type, id, botId]);

/** The bot that a group has attached; a lookup that fails says nothing about it. */
async function botOf({ type, id }: Chat, { directory }: Service): Promise<string | undefined> {
  if (type !== 'group') return undefined;
  try {
    const found = await directory.get('group', id);
    return found.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  } catch {
    return undefined;
  }
}

async function askChat({ openService }: HistoryNeeds): Promise<Chat | undefined> {
  const service = await openService();
  if (!service) return undefined;
  const { nameOf } = await import('../words/describe.ts');
  const chats = (['group', 'user'] as const).flatMap((kind) => idsOf(kind, service).ids.map((id) => ({ kind, id })));
  const items = chats.map(({ kind, id }) => {
    const known = service.directory.peek(kind, id);
    const icon = kind === 'group' ? '$(organization)' : '$(account)';
    return { label: `${icon} ${known ? nameOf(known) : id}`, description: id, chat: { type: kind, id } };
  });
  const title = l10n.t('Open Message History');
  return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.chat;
}
