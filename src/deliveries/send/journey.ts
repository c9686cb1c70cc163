/**
 * A message on its way from a draft to the outbox: one value that grows, and the questions on the way. Each step until it's
 * confirmed has the one before whole:
 *
 *     Draft        what a document, a selection or an earlier delivery says: `draftReader.ts`
 *     Addressing   with its bot, and whom the user has chosen so far: `beginAddressing` in `steps.ts`
 *     Addressed    with who of them gets it, and who is left out and why: `address` there
 *     Planned      with its batches, their values, and what to warn of: `plan` there
 *     Confirmed    as the user saw it, and said yes: {@link reduce}, and nothing else
 *     Delivery     as the outbox records it: `deliveryOf` in `steps.ts`
 *
 * From then on it's under way, which `DeliveryStatus` tells, until it has ended with a `DeliveryResult`.
 *
 * The questions about recipients, trials and times are a pure state machine. A state says what is asked or done next, and has all
 * recipients that were chosen, so that no answer loses them; `draftSender.ts` asks. The bot and its token are asked for before.
 */
import type { ShownText } from '../../markup/safeText.ts';
import type { Service } from '../../platform/service.ts';
import { chatKey } from '../../service/model.ts';
import type { Draft } from '../draft/draftReader.ts';
import type { LeftOut } from '../draft/leaveOut.ts';
import type { DeliveryResult } from '../outbox/deliveryRunner.ts';
import type { OutboxEntry, StoredEntry, UnreadableEntry } from '../outbox/outboxEntry.ts';
import type { Delivery } from '../outbox/record.ts';
import type { UnreachedRecipients } from '../outbox/resends.ts';
import type { DeliveryPlan, Recipient } from '../plan/deliveryPlan.ts';
import type { UnpickedRows } from '../plan/planText.ts';

/** Why a message is sent. A reminder is a new message, whose draft `follows` a delivery. */
export type Purpose =
  | { readonly type: 'new' }
  /** It replaces this scheduled delivery, whose message was edited. */
  | { readonly type: 'edit'; readonly entry: StoredEntry }
  /** It's sent once more, to the recipients whom this delivery and its resends haven't reached. */
  | { readonly type: 'resend'; readonly delivery: Delivery; readonly unreached: UnreachedRecipients }
  /** It's sent to one chat first, before it's sent to these recipients. */
  | { readonly type: 'trial'; readonly recipients: readonly Recipient[] };

export interface Addressing {
  readonly draft: Draft;
  readonly purpose: Purpose;
  readonly service: Service;
  readonly bot: Pick<Recipient, 'id' | 'name' | 'label'>;
  readonly token: string;
  /** Identifies the message, or its template: see `digestOf`. */
  readonly digest: string;
  /** The chosen recipients, including those who are left out. */
  readonly chosen: readonly Recipient[];
  /**
   * Who named the recipients: the user in the list, the draft, its file, or the delivery that is resent, whose report has
   * their values.
   */
  readonly chosenBy: 'user' | 'draft' | 'file' | 'report';
  /** Recipients who needn't get the message, because they have it or don't exist, by {@link chatKey}. */
  readonly needless: ReadonlySet<string>;
  readonly rows: UnpickedRows;
  /** The results of trying the message first, each on a line. */
  readonly trials: readonly ShownText[];
}

/** Everyone is left out. */
export interface Nobody extends Addressing {
  /** What was chosen, to plan it once more: who gets what may have changed by then. */
  readonly from: Addressing;
  readonly leftOut: readonly LeftOut<Recipient>[];
}

export interface Addressed extends Nobody {
  readonly recipients: readonly [Recipient, ...Recipient[]];
}

export interface Warning {
  /** The warning, in a few sentences at most. */
  readonly text: ShownText;
  /** The ID of the delivery to compare the document with, if it has changed since. */
  readonly compare?: string;
  /** The keys of recipients who needn't get the message, because they have it or don't exist. */
  readonly needless?: ReadonlySet<string>;
}

export interface Planned extends Addressed {
  readonly plan: DeliveryPlan;
  /** How many calls a second are permitted. */
  readonly callsPerSecond: number;
  /** All deliveries so far, newest first. */
  readonly earlier: readonly (OutboxEntry | UnreadableEntry)[];
  /** The warnings, the most important one first. */
  readonly warnings: readonly Warning[];
}

/**
 * A message that the user has confirmed. Only {@link reduce} makes one: only the type is exported, and no literal has its
 * private field.
 */
class Confirmed {
  /** What the user saw. */
  readonly #planned: Planned;
  /** When the message is sent (Unix ms); undefined for at once. */
  readonly due: number | undefined;

  constructor(planned: Planned, due?: number) {
    this.#planned = planned;
    this.due = due;
  }

  get planned(): Planned {
    return this.#planned;
  }
}

export type { Confirmed };

export type State =
  /** The user chooses recipients, beginning with those chosen before. With `nobody`, none of those would get the message. */
  | { readonly type: 'choosing'; readonly addressing: Addressing; readonly nobody?: Nobody }
  | { readonly type: 'planning'; readonly addressing: Addressing }
  /** The user sees the plan. */
  | { readonly type: 'confirming'; readonly planned: Planned }
  /** The message is sent to one chat first. */
  | { readonly type: 'trying'; readonly planned: Planned }
  /** The user enters when it's sent. */
  | { readonly type: 'timing'; readonly planned: Planned }
  | { readonly type: 'recording'; readonly confirmed: Confirmed }
  | ({ readonly type: 'ended' } & End);

export type End =
  | { readonly how: 'canceled' }
  | { readonly how: 'nobody'; readonly nobody: Nobody }
  | { readonly how: 'recorded'; readonly confirmed: Confirmed; readonly result: Result }
  /**
   * Nothing is sent: the user looks at the file or report with the recipients, checks who has the message, or compares
   * documents.
   */
  | {
      readonly how: 'elsewhere';
      readonly planned: Planned;
      readonly to: 'origin' | 'check' | { readonly compare: string };
    };

/** How the message was sent, when it will be (`due`), or why the outbox doesn't have it. */
export type Result = DeliveryResult | { readonly due: number } | { readonly error: unknown };

export type Event =
  | { readonly type: 'canceled' }
  | { readonly type: 'chose'; readonly recipients: readonly Recipient[] }
  | { readonly type: 'planned'; readonly planned: Planned }
  | { readonly type: 'nobody'; readonly nobody: Nobody }
  | { readonly type: 'changeRecipients' }
  | { readonly type: 'leaveOut'; readonly needless: ReadonlySet<string> }
  | { readonly type: 'tryFirst' }
  /** The message was tried, with the result on one line; undefined if the user canceled that. */
  | { readonly type: 'tried'; readonly result: ShownText | undefined }
  | { readonly type: 'send' }
  | { readonly type: 'later' }
  | { readonly type: 'schedule'; readonly due: number }
  | { readonly type: 'check' }
  | { readonly type: 'compare'; readonly id: string }
  /** The user has to look again: the same message has been recorded since it was planned, or the time has passed. */
  | { readonly type: 'outdated' }
  | { readonly type: 'recorded'; readonly result: Result };

/** The state to which each event leads from each state. Any other event changes nothing. */
const TRANSITIONS = {
  choosing: {
    canceled: () => ({ type: 'ended', how: 'canceled' }),
    chose: ({ addressing }, { recipients }) => planning({ ...addressing, chosen: recipients, chosenBy: 'user' }),
  },
  planning: {
    planned: (_, { planned }) => ({ type: 'confirming', planned }),
    nobody: ({ addressing }, { nobody }) => {
      // Nobody is needless any more: someone may exist by now, or be the only one whom an edited document names.
      if (addressing.needless.size > 0 && nobody.leftOut.every(({ by }) => by === 'needless'))
        return planning({ ...addressing, needless: NONE });
      return addressing.chosenBy === 'user'
        ? { type: 'choosing', addressing, nobody }
        : { type: 'ended', how: 'nobody', nobody };
    },
  },
  confirming: {
    canceled: () => ({ type: 'ended', how: 'canceled' }),
    changeRecipients: ({ planned }) =>
      planned.chosenBy === 'file' || planned.chosenBy === 'report'
        ? { type: 'ended', how: 'elsewhere', planned, to: 'origin' }
        : { type: 'choosing', addressing: { ...planned.from, chosen: wantedOf(planned), needless: NONE } },
    leaveOut: ({ planned }, { needless }) =>
      planning({ ...planned.from, needless: new Set([...planned.needless, ...needless]) }),
    tryFirst: ({ planned }) => ({ type: 'trying', planned }),
    send: ({ planned }) => ({ type: 'recording', confirmed: new Confirmed(planned) }),
    later: ({ planned }) => ({ type: 'timing', planned }),
    // An edited message keeps the time that it has.
    schedule: ({ planned }, { due }) => ({ type: 'recording', confirmed: new Confirmed(planned, due) }),
    check: ({ planned }) => ({ type: 'ended', how: 'elsewhere', planned, to: 'check' }),
    compare: ({ planned }, { id }) => ({ type: 'ended', how: 'elsewhere', planned, to: { compare: id } }),
  },
  trying: {
    tried: ({ planned }, { result }) =>
      planning({ ...planned.from, trials: result === undefined ? planned.trials : [...planned.trials, result] }),
  },
  timing: {
    canceled: ({ planned }) => planning(planned.from),
    schedule: ({ planned }, { due }) => ({ type: 'recording', confirmed: new Confirmed(planned, due) }),
  },
  recording: {
    outdated: ({ confirmed }) => planning(confirmed.planned.from),
    recorded: ({ confirmed }, { result }) => ({ type: 'ended', how: 'recorded', confirmed, result }),
  },
  ended: {},
} satisfies {
  readonly [S in State['type']]: {
    readonly [E in Event['type']]?: (state: Extract<State, { type: S }>, event: Extract<Event, { type: E }>) => State;
  };
};

/** The events that may answer a state. */
export type AnswerIn<S extends State['type']> = Extract<Event, { type: keyof (typeof TRANSITIONS)[S] }>;

/** Asks the user for recipients unless somebody named them. */
export const begin = (addressing: Addressing): State =>
  addressing.chosenBy === 'user' ? { type: 'choosing', addressing } : planning(addressing);

export function reduce(state: State, event: Event): State {
  const transitions: { readonly [E in Event['type']]?: (state: never, event: never) => State } =
    TRANSITIONS[state.type];
  return transitions[event.type]?.(state as never, event as never) ?? state;
}

const NONE: ReadonlySet<string> = new Set();

const planning = (addressing: Addressing): State => ({ type: 'planning', addressing });

/** The chosen recipients, without those who are left out as needless. */
export const wantedOf = ({ chosen, needless }: Addressing) => chosen.filter((one) => !needless.has(chatKey(one)));
