/** Steps of a message on its way to the outbox, with what a test gives them. */
import type { Draft } from '../../../../src/deliveries/draft/draftReader.ts';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import type { UnreachedRecipients } from '../../../../src/deliveries/outbox/resends.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { NO_ROWS } from '../../../../src/deliveries/plan/planText.ts';
import type { Addressing, Planned } from '../../../../src/deliveries/send/journey.ts';
import { BOT, groups } from '../outbox/testDeliveries.ts';

/** What a test says of a step: it needs little of a service, a draft or a plan. */
type Given<Step> = Partial<Omit<Step, 'draft' | 'plan' | 'recipients' | 'service'>> & {
  readonly draft?: Partial<Draft>;
  readonly service?: { readonly address: string; readonly directory: object };
};

const NOBODY_KNOWN = { address: 'https://service.test', directory: { has: () => false, peek: () => undefined } };

/** A draft in Markdown that names no recipients. */
export const draftOf = (text: string, changes: Partial<Draft> = {}): Draft => ({
  name: 'a.md',
  message: { contentType: 'markdown', content: { text } },
  chats: [],
  rules: NO_RULES,
  ...changes,
});

/** That a delivery is resent to groups a, b and c. */
export const resendOf = (delivery: Delivery, changes: Partial<UnreachedRecipients> = {}) => ({
  type: 'resend' as const,
  delivery,
  unreached: {
    recipients: groups('a', 'b', 'c'),
    uncertain: [],
    nobody: [],
    toCheck: [],
    lastId: delivery.id,
    claimCount: 0,
    ...changes,
  },
});

/** To groups a, b and c, whom its draft names. */
export function addressingOf({ draft, service = NOBODY_KNOWN, ...given }: Given<Addressing> = {}): Addressing {
  return {
    draft: draftOf('Hello', draft),
    purpose: { type: 'new' },
    service: service as Addressing['service'],
    bot: { id: BOT, name: 'Order Desk' },
    token: 'secret-token',
    digest: 'same',
    chosen: groups('a', 'b', 'c'),
    chosenBy: 'draft',
    needless: new Set(),
    rows: NO_ROWS,
    trials: [],
    ...given,
  };
}

/** What is planned for them. */
export function plannedOf({
  plan,
  recipients = groups('a', 'b', 'c'),
  leftOut = [],
  callsPerSecond = 10,
  earlier = [],
  warnings = [],
  ...given
}: Given<Planned> & { plan?: Partial<Planned['plan']>; recipients?: readonly Recipient[] } = {}): Planned {
  const none = { batches: [], empty: [], notAddress: [], forbidden: [], hosts: new Map(), samples: [] };
  const from = addressingOf(given);
  return {
    ...from,
    from,
    recipients: recipients as unknown as Planned['recipients'],
    leftOut,
    plan: { ...none, messages: 1, longest: 5, ...plan },
    callsPerSecond,
    earlier,
    warnings,
  };
}
