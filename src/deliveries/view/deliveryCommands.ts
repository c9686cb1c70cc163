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
  /** Somebody has seen a delivery. */
  markSeen(id: string): Promise<void>;
  reports(): Promise<ReportPanels>;
  comparison(): Promise<Comparison>;
}

export function deliveryCommands({ host, controller, markSeen, reports, comparison }: Viewing) {
  const actions = {
    cancelDelivery: (id: string) => controller.cancel(id),
    checkDelivery: (id: string) => controller.check(id),
    copyReport: async (id: string) => copyReport(await controller.reported(id), 'markdown'),
    copyReportCsv: async (id: string) => copyReport(await controller.reported(id), 'csv'),
    deleteDelivery: (id: string) => controller.remove(id),
    openReport: async (id: string) => (await reports()).show(id),
    saveRecipients: (id: string) => controller.saveRecipients(id),
  };
  const seen = Object.entries(actions).map(([name, act]) => {
    const run = async (id: string) => {
      await markSeen(id);
      await act(id);
    };
    return [name, run];
  });
  return {
    ...(Object.fromEntries(seen) as typeof actions),
    showDeliveries: async (chat?: BotChat | ResourceArgument) => {
      const found = await chooseDeliveryTo(chat, host, controller.outbox);
      if (found) await (await reports()).show(found.id, { results: [], text: found.chatId });
    },
    compareWithSent: async (what: Uri | string | undefined = window.activeTextEditor?.document.uri) =>
      (await comparison()).open(what),
  };
}
