/** Opens watched chats: the next one with new messages, or one that the user picks. */
import { env } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { KIND_ICONS, nameOrId, otherName } from '../presentation/describe.ts';
import { listItem, pickOne, showInfo } from '../presentation/dialogs.ts';
import { errorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { chatKey } from '../service/model.ts';
import { unreadText } from './nodeItems.ts';
import { sortRows } from './rowOrder.ts';
import type { WatchedChat, Watcher } from './watch/watcher.ts';

interface NamedChat extends WatchedChat {
  readonly id: string;
  readonly title: ShownText;
}

export class WatchedChats {
  readonly #host: Pick<Host, 'access' | 'commands'>;
  readonly #watcher: Watcher;
  /** The key of the chat that was opened last, so that a chat that stays unread doesn't keep the user from the others. */
  #last: string | undefined;

  constructor(host: Pick<Host, 'access' | 'commands'>, watcher: Watcher) {
    this.#host = host;
    this.#watcher = watcher;
  }

  /** Opens the history of the next chat with new messages, by name. */
  async openNextUnread(): Promise<void> {
    const service = await this.#host.access.openService();
    const chats = service && (await this.#chats(service));
    if (!chats) return;
    const last = chats.findIndex(({ chat }) => chatKey(chat) === this.#last);
    const unread = chats.filter(({ state }) => state.unread > 0);
    const next = unread.find((one) => chats.indexOf(one) > last) ?? unread[0];
    if (next) return this.#open(next);
    const text = chats.some(({ state }) => state.error)
      ? l10n.t("No new messages, but some of the chats you watch can't be checked.")
      : l10n.t('No new messages in the chats you watch.');
    const show = l10n.t('Show Watched Chats…');
    if ((await showInfo(text, show)) === show) await this.showWatched();
  }

  /** Shows all watched chats, those with new messages first, and opens the history of the one that the user picks. */
  async showWatched(): Promise<void> {
    const service = await this.#host.access.openService();
    const chats = service && (await this.#chats(service));
    if (!chats) return;
    const items = chats
      .toSorted((a, b) => Number(b.state.unread > 0) - Number(a.state.unread > 0))
      .map((watched) => {
        const { chat, id, state, title } = watched;
        const watching = l10n.t('Watching as {0}', nameOrId(service.directory, 'bot', state.botId));
        return listItem({
          icon: state.error ? 'warning' : KIND_ICONS[chat.kind],
          label: title,
          description: joinPhrases(unreadText(state), otherName(service.directory, chat.kind, id), title !== id && id),
          detail: joinPhrases(state.error !== undefined && errorText(state.error), watching),
          watched,
        });
      });
    const options = { title: l10n.t('Watched Chats'), matchOnDescription: true, matchOnDetail: true };
    const picked = await pickOne(items, options);
    if (picked) await this.#open(picked.watched);
  }

  /** The watched chats by name; undefined, after a message, if there are none. */
  async #chats(service: Service): Promise<NamedChat[] | undefined> {
    const watched = await this.#watcher.watched(service);
    if (watched.length === 0) {
      void showInfo(
        l10n.t(
          "You aren't watching any chats. To start, select “Watch for New Messages” in a chat's menu in the sidebar.",
        ),
      );
      return undefined;
    }
    const named = watched.map(({ chat, state }): NamedChat => {
      const title = nameOrId(service.directory, chat.kind, chat.id);
      return { chat, state, id: chat.id, title };
    });
    return sortRows(named, 'name', env.language);
  }

  async #open({ chat, state }: NamedChat): Promise<void> {
    this.#last = chatKey(chat);
    await this.#host.commands.run('openHistory', { kind: chat.kind, id: chat.id, botId: state.botId });
  }
}
