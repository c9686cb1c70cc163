/** Sends a draft to one chat before it's sent to its recipients. */
import type { Host } from '../../platform/host.ts';
import { showError } from '../../presentation/errorText.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { DeliveryResult } from '../outbox/deliveryRuns.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { Recipient } from '../plan/batches.ts';
import type { DeliveryPlan } from '../plan/deliveryPlan.ts';
import { confirmTrial } from './confirmation.ts';
import type { SendingRules } from './leftOut.ts';
import { isSentSince, type PreparedDraft, planOf } from './preparedDraft.ts';
import { askTrialChat, rememberTrialChat, type Trial } from './trial.ts';

interface Trying {
  readonly host: Pick<Host, 'connection' | 'lists' | 'settings' | 'store' | 'tokens'>;
  readonly controller: Pick<OutboxController, 'documents' | 'outbox'>;
  send(plan: DeliveryPlan): Promise<DeliveryResult | undefined>;
}

/** Sends a draft to one chat that the user chooses and confirms. Undefined if the user cancels. */
export async function tryFirst(
  prepared: PreparedDraft,
  recipients: readonly Recipient[],
  rules: SendingRules,
  { host, controller, send }: Trying,
): Promise<Trial | undefined> {
  const { documents, outbox } = controller;
  const ask = () => askTrialChat(host, prepared.service, recipients);
  const keys = new Set<string>();
  await new TimeSlices().each(recipients, (one) => keys.add(chatKey(one)));
  let recipient = await ask();
  while (recipient) {
    const against = rules.against(recipient);
    if (against) {
      void showError(against);
      recipient = await ask();
      continue;
    }
    // Another chat gets what the first recipient will get.
    const model = keys.has(chatKey(recipient)) ? undefined : recipients[0];
    const plan = await planOf(prepared, [recipient], host, model);
    const earlier = await outbox.entries();
    const answer = await confirmTrial({ ...prepared, plan, earlier, documents }, recipient, model);
    if (answer === 'cancel') return undefined;
    if (answer === 'back') recipient = await ask();
    else if (!(await isSentSince(earlier, prepared, outbox))) {
      await rememberTrialChat(host.store, prepared.service, recipient).catch(showError);
      // The confirmation that follows shows an error: the recipients must not be lost.
      const result = await send(plan).catch((error: unknown) => ({ error }));
      return result && { recipient, result };
    }
  }
  return undefined;
}
