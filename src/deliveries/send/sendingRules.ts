/** Who is left out of what is about to be sent: the rules of a draft or a resend, with the *Do Not Send* list as it is now. */
import { l10n } from 'vscode';
import type { NeverList } from '../../platform/neverList.ts';
import { type KnownNames, singleLineName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { joinSentences } from '../../presentation/formats.ts';
import { neverNotes } from '../../presentation/neverSend.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import { type LeftOut, listed, noted, Rules } from '../draft/leaveOut.ts';
import { MAX_LEFT_OUT } from '../draft/leftOutText.ts';
import { ownNamesIn } from '../draft/recipients/recipientValues.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Recipient } from '../plan/batches.ts';
import { leftOutLines, NO_ROWS, type UnpickedRows } from '../plan/planText.ts';
import { recipientOf } from '../plan/recipientNames.ts';

/** Who is left out of a delivery. */
export interface Out {
  readonly leftOut: readonly LeftOut<Recipient>[];
  readonly rows: UnpickedRows;
}

export const NOBODY: Out = { leftOut: [], rows: NO_ROWS };

export class SendingRules {
  readonly #rules: Rules;
  /** Those who are left out as needless, by {@link chatKey}. */
  readonly #needless: ReadonlySet<string>;
  readonly #list: Pick<NeverList, 'read'>;

  constructor(rules: Rules, needless: ReadonlySet<string>, list: Pick<NeverList, 'read'>) {
    this.#rules = rules;
    this.#needless = needless;
    this.#list = list;
  }

  /** Those who were left out of the edited delivery as needless stay so. */
  static ofDraft(
    { rules }: Pick<Draft, 'rules'>,
    list: Pick<NeverList, 'read'>,
    edited?: Pick<DeliveryStatus, 'needless'>,
  ): SendingRules {
    return new SendingRules(rules, edited?.needless ?? new Set(), list);
  }

  /** Those whom the document of a delivery excepted stay so in its resends, even if they are chosen there. */
  static ofResend({ leftOut }: Delivery, list: Pick<NeverList, 'read'>): SendingRules {
    return new SendingRules(Rules.excluding(leftOut?.people ?? []), new Set(), list);
  }

  /** Replaces the chats that are left out as needless. */
  withNeedless(needless: readonly Chat[]): SendingRules {
    return new SendingRules(this.#rules, new Set(needless.map(chatKey)), this.#list);
  }

  /** Without those who are left out as needless. */
  chosen<C extends Chat>(chats: readonly C[]): readonly C[] {
    return chats.filter((one) => !this.#needless.has(chatKey(one)));
  }

  /** As they are now. @throws UserFacingError if the *Do Not Send* list can't be read */
  get now(): Rules {
    return this.#rules.with('needless', listed(this.#needless)).with('never', noted(neverNotes(this.#list)));
  }

  /**
   * The rows of the recipient file that aren't picked, and those of them for whom there is a stronger reason. Throws as
   * {@link now}.
   */
  async unpicked(
    { chats, table }: Pick<Draft, 'chats' | 'table'>,
    directory: KnownNames,
  ): Promise<Pick<Out, 'rows'> & { others: readonly Chat[] }> {
    if (!table?.unmatched) return { rows: NO_ROWS, others: [] };
    const slices = new TimeSlices();
    const chosen = new Set<string>();
    await slices.each(chats, (chat) => chosen.add(chatKey(chat)));
    const rest: Chat[] = [];
    await slices.each(table.unmatched, ([key, { chat }]) => {
      if (!chosen.has(key)) rest.push(chat);
    });
    const { leftOut } = await this.now.divide(rest);
    const others = leftOut.filter(({ by }) => by !== 'where').map(({ kind, id }): Chat => ({ kind, id }));
    const nameOf = ownNamesIn({ ...table, rows: table.unmatched }, directory);
    const unpicked = leftOut.filter(({ by }) => by === 'where').slice(0, MAX_LEFT_OUT + 1);
    const first = unpicked.map((one) => ({
      ...one,
      ...recipientOf(one, directory, singleLineName(nameOf(one))),
    }));
    return { rows: { count: rest.length - others.length, first }, others };
  }

  /** Why nothing can be tried with a chat, which needn't be a recipient; undefined if something can. Throws as {@link now}. */
  against(recipient: Recipient): UserFacingError | undefined {
    const reason = this.now.forAnybody.reasonFor(recipient);
    return reason && nobodyError({ leftOut: [{ ...recipient, ...reason }], rows: NO_ROWS });
  }
}

/** Everyone is left out. */
export const nobodyError = ({ leftOut, rows }: Out) =>
  new UserFacingError(joinSentences(l10n.t('Nothing is sent: everyone is left out.'), ...leftOutLines(leftOut, rows)));
