/** What can be done with a delivery that was chosen, in the outbox or elsewhere. Loaded on first use. */
import { type Uri, window } from 'vscode';
import type { ResourceArgument } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { chooseDeliveryTo } from './chatDeliveries.ts';
import type { Comparison } from './comparison.ts';
import { copyReport } from './report.ts';
import type { ReportPanels } from './reportPanel.ts';

interface Viewing {
  readonly host: Host;
  readonly controller: OutboxController;
  /** Does something with a delivery, and marks it as seen. */
  seen(act: (id: string) => unknown): (id: string) => Promise<void>;
  reports(): Promise<ReportPanels>;
  comparison(): Promise<Comparison>;
}

export function deliveryCommands({ host, controller, seen, reports, comparison }: Viewing) {
  return {
    cancelDelivery: seen((id) => controller.cancel(id)),
    checkDelivery: seen((id) => controller.check(id)),
    copyReport: seen(async (id) => copyReport(await controller.reported(id), 'markdown')),
    copyReportCsv: seen(async (id) => copyReport(await controller.reported(id), 'csv')),
    deleteDelivery: seen((id) => controller.remove(id)),
    openReport: seen(async (id) => (await reports()).show(id)),
    saveRecipients: seen((id) => controller.saveRecipients(id)),
    showDeliveries: async (chat?: BotChat | ResourceArgument) => {
      const found = await chooseDeliveryTo(chat, host, controller.outbox);
      if (found) await (await reports()).show(found.id, { results: [], text: found.chatId });
    },
    compareWithSent: async (what: Uri | string | undefined = window.activeTextEditor?.document.uri) =>
      (await comparison()).open(what),
  };
}
