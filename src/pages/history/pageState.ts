/** The page's side of the protocol, and its state across hiding and reloading. */
import * as v from 'valibot';
import { BotChat } from '../../protocol/botChat.ts';
import { PageState, ToPage } from '../../protocol/history.ts';
import { connect, host, readEmbedded } from '../common/host.ts';

/** Scroll position, filter and find bar when the page was hidden or reloaded. */
export type Remembered = Omit<PageState, 'place'>;

export function remembered(): Remembered {
  return pageState();
}

/** The bot that reads the chat. */
export const readingBot = () => pageState().place.botId;

/** Saves changes to the state, from which VS Code also restores the panel after a reload. */
export function remember(changes: Partial<Remembered>): void {
  host.setState({ ...pageState(), ...changes });
}

/** The saved state, or the first one of a new panel. */
function pageState(): PageState {
  const saved = v.safeParse(PageState, host.getState());
  if (saved.success) return saved.output;
  const place = v.parse(BotChat, readEmbedded('place'));
  // The message at which the panel was opened.
  const opensAt = v.parse(v.nullable(PageState.entries.reading), readEmbedded('opensAt')) ?? undefined;
  return { place, reading: opensAt, offset: 0, sender: '', kind: '', hasFindFocus: false };
}

/** Tells the host that the page is ready, and calls back with each message from it. */
export function listen(receive: (message: ToPage) => void): void {
  remember({});
  const { reading } = remembered();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  connect(ToPage, receive, { ...(reading !== undefined && { reading }), timeZone });
}
