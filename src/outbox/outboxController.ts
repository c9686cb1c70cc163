/** Sending at work: the outbox, its rows, and what a person does with them. Loaded when it is first needed. */
import { l10n, type Uri } from 'vscode';
import { durableFiles } from '../platform/durableFiles.ts';
import { explain, UserFacingError } from '../presentation/errorText.ts';
import { showError } from '../presentation/showError.ts';
import { tellInterrupted } from '../sending/dispatch.ts';
import { type SendingNeeds, storedOf } from '../sending/needs.ts';
import { resend } from '../sending/send.ts';
import { check, copyReport, copyReportCsv, openReport, remove, report, resume } from './deliveryCommands.ts';
import { type Action, actionsOn } from './deliveryState.ts';
import { DeliveryStore, SILENCE } from './deliveryStore.ts';
import { Outbox } from './outbox.ts';
import { OutboxTree } from './outboxTree.ts';

/** A delivery changes with every batch; its row is painted at most this often (milliseconds). */
const REPAINT = 250;

const LOOKS = { copyReport, copyReportCsv, openReport };
const CHANGES = { check, resend, resume };
type Look = keyof typeof LOOKS;
const isLook = (action: Action | Look): action is Look => action in LOOKS;

export class OutboxController {
  readonly tree: OutboxTree;
  readonly needs: SendingNeeds;
  readonly #outbox: Outbox;
  #repaint: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setTimeout> | undefined;

  /** `folder` is where the outbox is kept; `repaint` shows these deliveries as they are now. */
  constructor(needs: Omit<SendingNeeds, 'outbox'>, folder: Uri, repaint: (ids: ReadonlySet<string>) => void) {
    let changed = new Set<string>();
    this.#outbox = new Outbox(new DeliveryStore(durableFiles(folder.fsPath)), (id) => {
      changed.add(id);
      this.#repaint ??= setTimeout(() => {
        this.#repaint = undefined;
        repaint(changed);
        changed = new Set();
      }, REPAINT);
    });
    this.needs = { ...needs, outbox: this.#outbox };
    this.tree = new OutboxTree(this.#outbox);
  }

  /** Does something with a delivery, or shows more of it. @throws UserFacingError where its state does not offer that */
  async act(action: Action | Look, id: string): Promise<void> {
    if (isLook(action)) return LOOKS[action](id, this.needs);
    // What cannot be read can be deleted, too.
    if (action === 'remove') return remove(id, this.needs);
    const stored = await storedOf(id, this.needs);
    if (!actionsOn(stored).includes(action)) {
      const { name } = stored.status.delivery;
      throw new UserFacingError(l10n.t('“{0}” has changed. Its row in the outbox shows what you can do now.', name));
    }
    if (action !== 'cancel') return CHANGES[action](id, this.needs);
    if (!this.#outbox.cancel(id)) {
      throw new UserFacingError(l10n.t('Another window is sending this. Cancel it there.'));
    }
  }

  /** The report of a delivery as it is now. */
  report(id: string): Promise<string> {
    return report(id, this.needs).catch(explain);
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
