/** The list of activity as VS Code shows it, its filter, and the way through it by keyboard. */
import { commands, type EventEmitter } from 'vscode';
import type { Directory } from '../../directory/directory.ts';
import type { ShownView } from '../../platform/defer.ts';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { nameOrId } from '../../presentation/describe.ts';
import { listItem, messageText, pickOne, showInfo } from '../../presentation/dialogs.ts';
import { entriesText, formatCount, joinSentences } from '../../presentation/formats.ts';
import { l10n, type Row, type ShownText } from '../../presentation/shown.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { Timer } from '../../service/clock.ts';
import { isSame } from '../../service/model.ts';
import type { Watcher } from '../watch/watcher.ts';
import { type Activity, keyOf, type ShownItem } from './activity.ts';
import { type AlertWords, MAX_WORD, MAX_WORDS } from './activityRules.ts';
import { type ActivityFilter, activityTreeItem, FILTERS, filterText, isShown } from './activityTexts.ts';

/** How long a new name waits for others, in milliseconds. */
const REPAINT_DELAY = 500;

type ViewHost = Pick<Host, 'commands' | 'connection'>;

/** The item that was opened or selected last, which may be listed no more, and the keys of the items that were below it. */
interface Current {
  readonly item: ShownItem;
  readonly below: ReadonlySet<string>;
}

export class ActivityView {
  readonly #host: ViewHost;
  readonly #activity: Activity;
  readonly #watcher: Pick<Watcher, 'watched'>;
  readonly #view: ShownView<ShownItem>;
  readonly #changed: EventEmitter<undefined>;
  readonly #repaint = new Timer(() => this.repaint());
  #filter: ActivityFilter = 'all';
  #names: Directory | undefined;
  #stopFollowing = () => {};
  #current: Current | undefined;

  /** `changed` makes VS Code repaint the list. */
  constructor(
    host: ViewHost,
    activity: Activity,
    watcher: Pick<Watcher, 'watched'>,
    view: ShownView<ShownItem>,
    changed: EventEmitter<undefined>,
  ) {
    this.#host = host;
    this.#activity = activity;
    this.#watcher = watcher;
    this.#view = view;
    this.#changed = changed;
  }

  getTreeItem(item: ShownItem): Row {
    return activityTreeItem(item, this.#names ? nameOrId(this.#names, item.kind, item.id) : item.id);
  }

  /** Items have neither parents nor children. */
  getParent(): undefined {}

  /** The messages to list. Makes no request. */
  async getChildren(item?: ShownItem): Promise<ShownItem[]> {
    if (item) return [];
    const service = await this.#host.connection.open().catch(() => undefined);
    const watched = service ? await this.#watcher.watched(service) : [];
    void commands.executeCommand('setContext', 'botChats.isWatching', watched.length > 0);
    if (service) this.#follow(service);
    this.#showCount();
    this.#view.message = problemsText(this.#activity.words);
    return this.#items;
  }

  repaint(): void {
    this.#showCount();
    this.#changed.fire(undefined);
  }

  /** The user has selected an item. */
  select(item: ShownItem | undefined): void {
    if (!item) return;
    const items = this.#items;
    const at = items.findIndex((one) => keyOf(one) === keyOf(item));
    this.#current = { item, below: new Set(items.slice(at + 1).map(keyOf)) };
  }

  nextActivity(): Promise<void> {
    return this.#step(1);
  }

  previousActivity(): Promise<void> {
    return this.#step(-1);
  }

  /** Opens the history at the next item of the list (1), or the previous one (-1). After the end comes the beginning. */
  async #step(by: 1 | -1): Promise<void> {
    await this.getChildren();
    const items = this.#items;
    const item = neighbour(items, this.#current, by) ?? items.at(by > 0 ? 0 : -1);
    if (!item) return void showInfo(l10n.t('Nothing needs you in the chats you watch.'));
    if (this.#view.visible) await this.#view.reveal(item, { select: true, focus: false });
    await this.open(item);
  }

  /** Opens the history of a message, at it. */
  async open(item: ShownItem): Promise<void> {
    this.select(item);
    const { service, kind, id, botId, msgId } = item;
    await this.#host.commands.run('openMessage', { service, kind, id, botId, msgId });
  }

  /** Marks a message of the list as read, unless it was read meanwhile. */
  async markRead(item: (BotChat & { readonly msgId: string }) | undefined): Promise<void> {
    const found = item && this.#items.find((one) => one.isUnread && keyOf(one) === keyOf(item));
    if (found) await this.#activity.markRead(found);
  }

  async filterActivity(): Promise<void> {
    const items = FILTERS.map((filter) =>
      listItem({
        filter,
        icon: filter === this.#filter ? 'check' : undefined,
        label: filterText(filter),
        description: formatCount(this.#activity.items.filter((item) => isShown(item, filter)).length),
      }),
    );
    const picked = await pickOne(items, { title: l10n.t('Show in Activity') });
    if (!picked) return;
    this.#filter = picked.filter;
    this.repaint();
  }

  dispose(): void {
    this.#repaint.stop();
    this.#stopFollowing();
  }

  /** Counts messages in the title, which alone is visible while the view is collapsed. A badge would be added to the icon's. */
  #showCount(): void {
    const { length } = this.#items;
    this.#view.title = length > 0 ? l10n.t('Activity ({0})', formatCount(length)) : l10n.t('Activity');
    this.#view.description = this.#filter === 'all' ? '' : filterText(this.#filter);
  }

  get #items(): ShownItem[] {
    return this.#activity.items.filter((item) => isShown(item, this.#filter));
  }

  /** Shows names when they are known, also if they're looked up later for another reason. */
  #follow(service: Service): void {
    if (this.#names === service.directory) return;
    this.#stopFollowing();
    this.#names = service.directory;
    this.#stopFollowing = service.directory.onDidChange((kind, id) => {
      if (this.#items.some((item) => isSame(item, { kind, id }))) this.#repaint.start(REPAINT_DELAY);
    });
  }
}

/** The item after (1) or before (-1) another one, which may be listed no more; undefined beyond the ends. */
function neighbour(items: readonly ShownItem[], current: Current | undefined, by: 1 | -1): ShownItem | undefined {
  if (!current) return undefined;
  const { item, below } = current;
  const at = items.findIndex((one) => keyOf(one) === keyOf(item));
  if (at >= 0) return items[at + by];
  // Messages of the same moment stay in the order in which they were listed.
  const isOlder = (one: ShownItem) =>
    one.sendTime < item.sendTime || (one.sendTime === item.sendTime && below.has(keyOf(one)));
  const older = items.filter(isOlder).length;
  return items[items.length - older + (by > 0 ? 0 : -1)];
}

/** Why some entries of the setting aren't looked for; empty if all are. */
function problemsText({ unusable, isCut }: AlertWords): ShownText {
  const setting = 'botChats.watching.words';
  const bad = l10n.t(
    "Can't look for: {0}. Each entry of {1} needs a letter, a digit or an emoji, and has up to {2} characters.",
    entriesText(unusable),
    setting,
    formatCount(MAX_WORD),
  );
  const cut = l10n.t('Only the first {0} words of {1} are looked for.', formatCount(MAX_WORDS), setting);
  return messageText(joinSentences(unusable.length > 0 && bad, isCut && cut));
}
