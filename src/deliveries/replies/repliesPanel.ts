/** The panels with the replies to deliveries: one for each delivery. They read only what somebody asks for. */
import PQueue from 'p-queue';
import * as v from 'valibot';
import { env, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import { DeliveryId } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import { type Handlers, openPage, type WebviewPage } from '../../platform/webviewPage.ts';
import { nameInTab, namesAt } from '../../presentation/describe.ts';
import { errorText } from '../../presentation/errorText.ts';
import { showError } from '../../presentation/showError.ts';
import { FromRepliesPage, type RepliesAction, type RepliesQuery, type ToRepliesPage } from '../../protocol/replies.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { headingOf, originOf } from '../outbox/deliveryTexts.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { type ReachedRecipient, reachedRecipients } from './reachedRecipients.ts';
import { openReminder, type ReminderHost } from './reminder.ts';
import {
  countReplies,
  REPLY_STATES,
  type ReplyCounts,
  ReplyList,
  repliesCsv,
  replyStateOf,
  uncountedText,
} from './replyList.ts';
import { ReplyRun, type RunHost } from './replyRun.ts';
import type { ReplyStore } from './replyStore.ts';

type RepliesHost = RunHost & ReminderHost & Pick<Host, 'workspaceMemento'>;

type Controller = Pick<OutboxController, 'outbox' | 'reported'>;

/** A chat is read many times a second; the page is filled at most this often (milliseconds). */
const UPDATE_INTERVAL = 1_000;

/** How often everything is read again while the page is seen, if somebody wants that (milliseconds). */
const WATCH_INTERVAL = 60_000;

export class RepliesPanels {
  readonly #viewType: string;
  readonly #host: RepliesHost;
  readonly #controller: Controller;
  readonly #store: ReplyStore;
  readonly #clock: Pick<Clock, 'after' | 'wall'>;
  readonly #panels: OpenPanels<RepliesPanel>;

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(
    viewType: string,
    host: RepliesHost,
    controller: Controller,
    store: ReplyStore,
    clock: Pick<Clock, 'after' | 'wall'> = systemClock,
  ) {
    this.#viewType = viewType;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#host = host;
    this.#controller = controller;
    this.#store = store;
    this.#clock = clock;
  }

  /** Shows the replies to a delivery, and reads what is new. */
  async find(id: string): Promise<void> {
    // One that can't be read, or isn't there, says so without a panel.
    await this.#controller.reported(id);
    const shown = await this.#panels.find(id);
    shown?.reveal();
    const panel =
      shown ?? this.#add(window.createWebviewPanel(this.#viewType, l10n.t('Replies'), ViewColumn.Active), id);
    await panel.find();
  }

  /** Restores a panel after VS Code has reloaded. It reads nothing by itself. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = v.safeParse(v.object({ delivery: DeliveryId }), state);
    if (saved.success && !this.#panels.get(saved.output.delivery)) this.#add(panel, saved.output.delivery);
    else panel.dispose();
  }

  #add(panel: WebviewPanel, id: string): RepliesPanel {
    const added = new RepliesPanel(panel, id, this.#host, this.#controller, this.#store, this.#clock);
    this.#panels.add(id, panel, added);
    return added;
  }
}

interface Shown {
  readonly entry: Awaited<ReturnType<Controller['reported']>>;
  readonly reached: readonly ReachedRecipient[];
  readonly run: ReplyRun;
}

class RepliesPanel {
  readonly #panel: WebviewPanel;
  readonly #id: string;
  readonly #host: RepliesHost;
  readonly #controller: Controller;
  readonly #store: ReplyStore;
  readonly #clock: Pick<Clock, 'after' | 'wall'>;
  readonly #page: WebviewPage<ToRepliesPage>;
  /** What the page gets is made in the order in which it asked, so that rows follow their list. */
  readonly #work = new PQueue({ concurrency: 1 });
  readonly #updating: Timer;
  readonly #watching: Timer;
  #isWatched = false;
  #isClosed = false;
  #run: ReplyRun | undefined;
  #counts: ReplyCounts | undefined;
  #list: ReplyList | undefined;
  /** The number of the list that the page asked for last. */
  #asked = 0;

  constructor(
    panel: WebviewPanel,
    id: string,
    host: RepliesHost,
    controller: Controller,
    store: ReplyStore,
    clock: Pick<Clock, 'after' | 'wall'>,
  ) {
    this.#panel = panel;
    this.#id = id;
    this.#host = host;
    this.#controller = controller;
    this.#store = store;
    this.#clock = clock;
    this.#updating = new Timer(() => void this.#update(), clock);
    this.#watching = new Timer(() => void this.#findAgain(), clock);
    this.#page = openPage(panel, host, {
      page: 'replies',
      schema: FromRepliesPage,
      contents: () => ({ data: { delivery: id } }),
      fill: () => this.#update(),
      handlers: this.#handlers,
      fail: showError,
      emptied: () => {
        this.#list = undefined;
      },
      closed: () => {
        this.#isClosed = true;
        this.#run?.cancel();
        this.#updating.stop();
        this.#watching.stop();
      },
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Reads what is new. Resolves when that has ended. */
  async find(): Promise<void> {
    try {
      const { reached, run } = await this.#open();
      // Nobody could cancel it any more.
      if (!this.#isClosed) await run.start(reached);
    } catch (error) {
      this.#fail(error);
    }
    await this.#update();
  }

  /** The delivery as it is now: it may have reached more than before. */
  async #open(): Promise<Shown> {
    const entry = await this.#controller.reported(this.#id);
    const all = await this.#controller.outbox.all();
    const known = await namesAt(this.#host.connection, entry.status.delivery.service);
    const reached = await reachedRecipients(entry.status, [this.#id, ...entry.resends], all, known);
    this.#run ??= new ReplyRun(entry.status, this.#store, this.#host, this.#clock, () => {
      if (!this.#isClosed) this.#updating.start(UPDATE_INTERVAL);
    });
    await this.#run.load();
    return { entry, reached, run: this.#run };
  }

  async #update(): Promise<void> {
    // A hidden one has no page. It's filled when it's shown.
    if (!this.#isClosed && this.#panel.visible) await this.#work.add(() => this.#show());
  }

  async #show(): Promise<void> {
    try {
      const { entry, reached, run } = await this.#open();
      const { delivery } = entry.status;
      const counts = await countReplies(reached, run, delivery);
      if (this.#isClosed) return;
      this.#counts = counts;
      const { error, ...state } = run.state;
      const heading = headingOf(delivery);
      this.#panel.title = titleOf(nameInTab(heading));
      this.#post({
        type: 'summary',
        title: titleOf(heading),
        origin: originOf(entry.status),
        total: counts.answers,
        run: state,
        counts: REPLY_STATES.map((one) => ({ state: one, count: counts.states[one] })),
        poll: counts.poll.answers(),
        uncounted: uncountedText(counts.poll),
        error: error === undefined ? '' : errorText(error),
        isWatched: this.#isWatched,
        ...(run.record.doneAt !== undefined && { doneAt: run.record.doneAt }),
      });
      const list = this.#list;
      const rows = (await list?.changed()) ?? [];
      if (list && rows.length > 0) this.#post({ type: 'changed', list: list.number, rows });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown, list?: number): void {
    this.#post({ type: 'failed', text: errorText(error), ...(list !== undefined && { list }) });
  }

  readonly #handlers: Handlers<FromRepliesPage> = {
    retry: () => this.#update(),
    list: (wanted) => {
      this.#asked = wanted.list;
      return this.#work.add(() => this.#showList(wanted).catch((error) => this.#fail(error, wanted.list)));
    },
    more: ({ list }) =>
      this.#work.add(async () => {
        if (this.#list?.number === list) this.#post({ type: 'more', list, rows: await this.#list.more() });
      }),
    act: ({ action }) => this.#act(action),
    openChat: async ({ chat: { kind, id }, msgId }) => {
      const { entry, reached } = await this.#open();
      const { service, bot } = entry.status.delivery;
      const sent = reached.find(({ recipient }) => recipient.kind === kind && recipient.id === id);
      return this.#host.commands.run('openMessage', {
        kind,
        id,
        service,
        botId: bot.id,
        msgId: msgId ?? sent?.msgId,
      });
    },
  };

  async #showList({ list, query }: { list: number; query: RepliesQuery }): Promise<void> {
    const { reached, run } = await this.#open();
    const poll = this.#counts?.poll;
    if (!poll || list !== this.#asked) return;
    const found = await ReplyList.find(list, { reached, run, poll }, query, () => list === this.#asked);
    if (!found) return;
    this.#list = found;
    this.#post({ type: 'list', list, total: found.total, rows: await found.more() });
  }

  async #act(action: RepliesAction): Promise<void> {
    switch (action) {
      case 'find':
        return this.find();
      case 'pause':
        return this.#run?.pause();
      case 'resume':
        await this.#run?.resume();
        return this.#update();
      case 'cancel':
        return this.#run?.cancel();
      case 'watch':
      case 'unwatch':
        this.#isWatched = action === 'watch';
        if (this.#isWatched) this.#watching.start(WATCH_INTERVAL);
        else this.#watching.stop();
        return this.#update();
      case 'openReport':
        return this.#host.commands.run('openReport', this.#id);
      case 'copyCsv': {
        const { reached, run } = await this.#open();
        await env.clipboard.writeText(await repliesCsv(reached, run));
        return this.#post({ type: 'copied' });
      }
      case 'remindUnanswered':
      case 'remindAnswered': {
        const { entry, reached, run } = await this.#open();
        const state = action === 'remindAnswered' ? 'answered' : 'unanswered';
        const chosen = reached.map(({ recipient }) => recipient).filter((one) => replyStateOf(one, run) === state);
        return openReminder(entry.status.delivery, chosen, this.#host);
      }
    }
  }

  /** Nobody sees a hidden page, or one of a window in the background. */
  async #findAgain(): Promise<void> {
    if (!this.#isWatched || this.#isClosed) return;
    this.#watching.start(WATCH_INTERVAL);
    if (this.#panel.visible && window.state.focused && this.#run?.state.is === 'idle') await this.find();
  }

  #post(message: ToRepliesPage): void {
    void this.#page.post(message);
  }
}

const titleOf = (heading: string) => l10n.t('Replies to “{0}”', heading);
