/** Sending at work: the outbox, its rows, and what a person does with them. Loaded when it is first needed. */
import { l10n, type Uri } from 'vscode';
import { UserFacingError } from '../words/explain.ts';
import { showError } from '../words/showError.ts';
import { durableFiles } from '../workbench/durable.ts';
import { checkArrival, copyReport, copyReportCsv, openReport, remove, resume } from './deliveries.ts';
import { tellInterrupted } from './dispatch.ts';
import type { SendingNeeds } from './needs.ts';
import { Outbox } from './outbox/outbox.ts';
import { SILENCE, Store } from './outbox/store.ts';
import { resend } from './send.ts';
import { OutboxTree } from './view/tree.ts';

/** A delivery changes with every batch; its row is painted at most this often (milliseconds). */
const REPAINT = 250;

const ON_DELIVERIES = { checkArrival, copyReport, copyReportCsv, openReport, remove, resend, resume };
type Action = keyof typeof ON_DELIVERIES | 'pause';

export class Room {
  readonly tree: OutboxTree;
  readonly needs: SendingNeeds;
  readonly #outbox: Outbox;
  #repaint: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setTimeout> | undefined;

  /** `folder` is where the outbox is kept; `changed` asks VS Code to paint its rows again. */
  constructor(needs: Omit<SendingNeeds, 'outbox'>, folder: Uri, changed: () => void) {
    this.#outbox = new Outbox(new Store(durableFiles(folder.fsPath)), () => {
      this.#repaint ??= setTimeout(() => {
        this.#repaint = undefined;
        changed();
      }, REPAINT);
    });
    this.needs = { ...needs, outbox: this.#outbox };
    this.tree = new OutboxTree(this.#outbox);
  }

  /** Does something with a delivery. */
  async act(action: Action, id: string): Promise<void> {
    if (action !== 'pause') await ON_DELIVERIES[action](id, this.needs);
    else if (!this.#outbox.stop(id)) {
      throw new UserFacingError(l10n.t('This window is not sending it: pause it in the window that is.'));
    }
  }

  /** Tells of deliveries that a death has cut off; of those whose window may yet be alive, once it is silent. */
  async lookForInterrupted(): Promise<void> {
    try {
      await tellInterrupted(this.needs);
      if (await this.#outbox.isSomeRunning()) this.#look = setTimeout(() => void this.lookForInterrupted(), SILENCE);
    } catch (error) {
      void showError(error);
    }
  }

  /** Resolves when the answers of the calls under way are written down. */
  close(): Promise<void> {
    clearTimeout(this.#repaint);
    clearTimeout(this.#look);
    return this.#outbox.close();
  }
}
