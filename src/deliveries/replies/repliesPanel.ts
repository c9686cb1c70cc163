/**
 * The panels with the replies to deliveries, one for each, and the reminders that are written from them. They read only what
 * somebody asks for.
 */

import { window } from 'vscode';
import { BYTE_ORDER_MARK, csvLine, joinCsv } from '../../markup/csv.ts';
import { writtenMessage } from '../../markup/markdownVariables.ts';
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import type { ShownPanel } from '../../platform/webviewPage.ts';
import { nameInTab, namesAt } from '../../presentation/describe.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { errorText } from '../../presentation/errorText.ts';
import { askSaveTarget, safeFileName, saveText } from '../../presentation/fileDialogs.ts';
import { formatCount } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { FromRepliesPage, type RepliesAction, type RepliesQuery, type RepliesSummary } from '../../protocol/replies.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { isSame } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { openReminderDraft } from '../draft/newDraft.ts';
import { deliveryIn, openListedPage } from '../listedPage.ts';
import { headingOf, originOf } from '../outbox/deliveryTexts.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { Delivery } from '../outbox/record.ts';
import { MAX_CHATS } from '../outbox/sentDocument.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import { reachedRecipients } from './reachedRecipients.ts';
import {
  countReplies,
  findRows,
  PORTION,
  REPLY_STATES,
  repliesCsv,
  replyStateOf,
  rowNow,
  uncountedText,
} from './replyList.ts';
import { ReplyRun, type RunHost } from './replyRun.ts';
import type { ReplyStore } from './replyStore.ts';

type ReminderHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'log'>;
type RepliesHost = RunHost & ReminderHost & Pick<Host, 'workspaceMemento'>;

type Controller = Pick<OutboxController, 'outbox' | 'reported'>;

/** What all panels use. */
interface Means {
  readonly host: RepliesHost;
  readonly controller: Controller;
  readonly store: ReplyStore;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
}

/** How often everything is read again while the page is visible, if the user wants that (milliseconds). */
const WATCH_INTERVAL = 60_000;

export class RepliesPanels {
  readonly #controller: Controller;
  readonly #panels: OpenPanels<RepliesPanel>;
  readonly #create: (panel: ShownPanel, id: string) => RepliesPanel;

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(
    viewType: string,
    host: RepliesHost,
    controller: Controller,
    store: ReplyStore,
    clock: Pick<Clock, 'after' | 'wall'> = systemClock,
  ) {
    this.#controller = controller;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#create = (panel, id) => openReplies(panel, id, { host, controller, store, clock });
  }

  /** Shows the replies to a delivery, and reads what is new. */
  async find(id: string): Promise<void> {
    // A delivery that can't be read, or isn't there, is reported without a panel.
    await this.#controller.reported(id);
    const shown = await this.#panels.find(id);
    shown?.reveal();
    const panel = shown ?? this.#panels.open(id, l10n.t('Replies'), (created) => this.#create(created, id));
    await panel.find();
  }

  /** Restores a panel after VS Code has reloaded. The panel reads nothing by itself. */
  restore(panel: ShownPanel, state: unknown): void {
    this.#panels.restore(panel, deliveryIn(state), this.#create);
  }
}

type RepliesPanel = ReturnType<typeof openReplies>;

function openReplies(panel: ShownPanel, id: string, { host, controller, store, clock }: Means) {
  let run: ReplyRun | undefined;
  let isWatched = false;
  const watching = new Timer(() => void findAgain(), clock);

  /** The delivery as it is now: it may have reached more than before. */
  async function open() {
    const { status, resends } = await controller.reported(id);
    const all = await controller.outbox.all();
    const known = await namesAt(host.connection, status.delivery.service);
    const reached = await reachedRecipients(status, [id, ...resends], all, known);
    run ??= new ReplyRun(status, { host, store, clock }, () => page.updateSoon());
    await run.load();
    return { status, reached, run };
  }

  /** Reads what is new. Resolves when that has ended. */
  async function find(): Promise<void> {
    try {
      const opened = await open();
      // In a closed page, nobody could cancel reading any more.
      if (!page.isClosed) await opened.run.start(opened.reached);
    } catch (error) {
      page.fail(error);
    }
    await page.update();
  }

  /** Reads again, unless nobody sees the page: it's hidden, or its window is in the background. */
  async function findAgain(): Promise<void> {
    if (!isWatched || page.isClosed) return;
    watching.start(WATCH_INTERVAL);
    if (panel.visible && window.state.focused && run?.state.is === 'idle') await find();
  }

  async function act(action: RepliesAction): Promise<void> {
    switch (action) {
      case 'find':
        return find();
      case 'pause':
        return run?.pause();
      case 'resume':
        await run?.resume();
        return page.update();
      case 'cancel':
        return run?.cancel();
      case 'watch':
      case 'unwatch':
        isWatched = action === 'watch';
        if (isWatched) watching.start(WATCH_INTERVAL);
        else watching.stop();
        return page.update();
      case 'openReport':
        return host.commands.run('openReport', id);
      case 'copyCsv': {
        const { reached, run } = await open();
        return page.copy(await repliesCsv(reached, run));
      }
      case 'remindUnanswered':
      case 'remindAnswered': {
        const { status, reached, run } = await open();
        const state = action === 'remindAnswered' ? 'answered' : 'unanswered';
        const chosen = reached.map(({ recipient }) => recipient).filter((one) => replyStateOf(one, run) === state);
        return openReminder(status.delivery, chosen, host);
      }
    }
  }

  const page = openListedPage(panel, host, clock, {
    page: 'replies',
    schema: FromRepliesPage,
    data: { delivery: id },
    portion: PORTION,
    async read() {
      const opened = await open();
      return { ...opened, counts: await countReplies(opened.reached, opened.run, opened.status.delivery) };
    },
    title: ({ status }) => titleOf(nameInTab(headingOf(status.delivery))),
    summary({ status, counts, run }): RepliesSummary {
      const { error, ...state } = run.state;
      return {
        type: 'summary',
        title: titleOf(headingOf(status.delivery)),
        origin: originOf(status),
        total: counts.answers,
        run: state,
        counts: REPLY_STATES.map((one) => ({ state: one, count: counts.states[one] })),
        poll: counts.poll.answers(),
        uncounted: uncountedText(counts.poll),
        error: error === undefined ? '' : errorText(error),
        isWatched,
        ...(run.record.doneAt !== undefined && { doneAt: run.record.doneAt }),
      };
    },
    find: async ({ counts: { poll } }, query: RepliesQuery, isWanted) =>
      findRows({ ...(await open()), poll }, query, isWanted),
    rowsOf: async (makers) => makers.map((make) => make()),
    rowNow: (row, { run }) => rowNow(row, run),
    handlers: (ofList) => ({
      ...ofList,
      act: ({ action }) => act(action),
      async openChat({ chat, msgId }) {
        const { status, reached } = await open();
        const { service, bot } = status.delivery;
        const sent = reached.find(({ recipient }) => isSame(recipient, chat));
        return host.commands.run('openMessage', {
          kind: chat.kind,
          id: chat.id,
          service,
          botId: bot.id,
          msgId: msgId ?? sent?.msgId,
        });
      },
    }),
    closed() {
      run?.cancel();
      watching.stop();
    },
  });

  return { reveal: page.reveal, find };
}

const titleOf = (heading: ShownText) => l10n.t('Replies to “{0}”', heading);

/**
 * Opens a draft to these recipients, with the text of the delivery in a comment. Very many are listed in a file that the
 * user saves. The draft is sent like any other.
 */
export async function openReminder(
  delivery: Delivery,
  recipients: readonly Recipient[],
  host: ReminderHost,
): Promise<void> {
  if (recipients.length === 0) return void showInfo(l10n.t('There are no such recipients.'));
  const { id, bot, message, variables } = delivery;
  const { content } = writtenMessage(message, variables !== undefined);
  const text = 'text' in content ? content.text : headingOf(delivery);
  const chats = recipients.map((one) => ({ kind: one.kind, id: one.id }));
  const reminder = { follows: { delivery: id, text }, chats, botId: bot.id };
  if (recipients.length <= MAX_CHATS) return openReminderDraft(host, reminder);
  const title = l10n.t('Save the {0} recipients', formatCount(recipients.length));
  const name = safeFileName(delivery.name.replace(/\.\w+$/, '')) || 'recipients';
  const target = await askSaveTarget({ title, name, type: 'CSV', extension: 'csv' }, host);
  if (!target) return;
  const lines = [BYTE_ORDER_MARK, csvLine(['id', 'kind', 'name'])];
  await new TimeSlices().each(recipients, ({ kind, id: chatId, name: chatName }) =>
    lines.push(csvLine([chatId, kind === 'group' ? 'group' : 'person', chatName === chatId ? '' : chatName])),
  );
  await saveText(target, joinCsv(lines));
  // A browser doesn't say where it has saved the file.
  if (target.uri) await openReminderDraft(host, { ...reminder, file: target.uri });
  else
    void showInfo(l10n.t('To send to these recipients, name the file in a new message: recipients: {0}', target.name));
}
