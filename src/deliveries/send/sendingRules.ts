/** Who is left out of what is about to be sent: the rules of a draft or a resend, with the *Do Not Send* list as it is now. */
import { l10n } from 'vscode';
import type { NeverList, Notes } from '../../platform/neverList.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinSentences } from '../../presentation/formats.ts';
import { neverNotes } from '../../presentation/neverSend.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import { type LeftOut, leaveOut, NO_RULES, type Rules, reasonFor } from '../draft/leaveOut.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Recipient } from '../plan/batches.ts';
import { leftOutLines } from '../plan/planText.ts';

/** What a draft or a resend says itself. */
type OwnRules = Omit<Rules, 'never'>;

/** Who is left out of a delivery. */
export interface Out {
  readonly leftOut: readonly LeftOut<Recipient>[];
  /** How many rows of the recipient file `where:` doesn't pick, besides. */
  readonly rows: number;
}

export const NOBODY: Out = { leftOut: [], rows: 0 };

export class SendingRules {
  readonly #own: OwnRules;
  readonly #list: Pick<NeverList, 'read'>;

  constructor(own: OwnRules, list: Pick<NeverList, 'read'>) {
    this.#own = own;
    this.#list = list;
  }

  /** Those whom the user left out of an edited delivery stay so. */
  static ofDraft(
    { except, table }: Pick<Draft, 'except' | 'table'>,
    list: Pick<NeverList, 'read'>,
    edited?: Delivery,
  ): SendingRules {
    const { unmatched = NO_RULES.unmatched } = table ?? {};
    const needless = (edited?.leftOut?.people ?? []).filter(({ by }) => by === 'needless');
    const rules = { ...NO_RULES, except: except ?? NO_RULES.except, unmatched };
    return new SendingRules(rules, list).with(needless);
  }

  /** Those whom the document of a delivery excepted stay so in its resends, even if they are chosen there. */
  static ofResend({ leftOut }: Delivery, list: Pick<NeverList, 'read'>): SendingRules {
    const excepted = (leftOut?.people ?? []).filter(({ by, isExcepted }) => by === 'except' || isExcepted);
    // A note of the list says nothing about the document.
    const except: Notes = new Map(excepted.map((one) => [chatKey(one), one.by === 'except' ? one.note : '']));
    return new SendingRules({ ...NO_RULES, except }, list);
  }

  /** Leaves out these instead of those who were left out as needless before: the user knows that they are. */
  with(needless: readonly Chat[]): SendingRules {
    return new SendingRules({ ...this.#own, needless: new Set(needless.map(chatKey)) }, this.#list);
  }

  /** Without those whom the user left out as needless. */
  chosen<C extends Chat>(chats: readonly C[]): readonly C[] {
    return chats.filter((one) => !this.#own.needless.has(chatKey(one)));
  }

  /** As they are now. @throws UserFacingError if the *Do Not Send* list can't be read */
  get now(): Rules {
    return { ...this.#own, never: neverNotes(this.#list) };
  }

  /**
   * How many rows of the recipient file aren't picked, and those of them for whom there is a stronger reason, which the user is
   * told with their names. Throws as {@link now}.
   */
  async unpicked({ chats, table }: Pick<Draft, 'chats' | 'table'>): Promise<{ rows: number; others: readonly Chat[] }> {
    if (!table?.unmatched) return { rows: 0, others: [] };
    const slices = new TimeSlices();
    const chosen = new Set<string>();
    await slices.each(chats, (chat) => chosen.add(chatKey(chat)));
    const rest: Chat[] = [];
    await slices.each(table.unmatched, ([key, { chat }]) => {
      if (!chosen.has(key)) rest.push(chat);
    });
    const { leftOut } = await leaveOut(rest, this.now);
    const others = leftOut.filter(({ by }) => by !== 'where').map(({ kind, id }): Chat => ({ kind, id }));
    return { rows: rest.length - others.length, others };
  }

  /** Why nothing can be tried with a chat, which needn't be a recipient; undefined if something can. Throws as {@link now}. */
  against(recipient: Recipient): UserFacingError | undefined {
    const { unmatched, needless } = NO_RULES;
    const reason = reasonFor(recipient, { ...this.now, unmatched, needless });
    return reason && nobodyError({ leftOut: [{ ...recipient, ...reason }], rows: 0 });
  }
}

/** Everyone is left out. */
export const nobodyError = ({ leftOut, rows }: Out) =>
  new UserFacingError(joinSentences(l10n.t('Nothing is sent: everyone is left out.'), ...leftOutLines(leftOut, rows)));
