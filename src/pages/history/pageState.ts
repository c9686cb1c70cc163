/** The page's side of the protocol, and its state across hiding and reloading. */
import * as v from 'valibot';
import { BotChat } from '../../protocol/botChat.ts';
import { PageState, ToPage } from '../../protocol/history.ts';
import { host, postToHost, readEmbedded } from '../common/host.ts';

/** Scroll position and filter when the page was hidden or reloaded. */
export type Remembered = Omit<PageState, 'place'>;

export function remembered(): Remembered {
  const state = v.safeParse(PageState, host.getState());
  return state.success ? state.output : { reading: opensAt(), offset: 0, sender: '', kind: '' };
}

/** The message at which the panel was opened. */
function opensAt(): string | undefined {
  return v.parse(v.nullable(PageState.entries.reading), readEmbedded('opensAt')) ?? undefined;
}

/** Saves changes to the state, from which VS Code also restores the panel after a reload. */
export function remember(changes: Partial<Remembered>): void {
  const place = v.parse(BotChat, readEmbedded('place'));
  host.setState({ ...remembered(), ...changes, place });
}

/** Tells the host that the page is ready, and calls back with each message from it. */
export function listen(receive: (message: ToPage) => void): void {
  remember({});
  addEventListener('message', ({ data }) => receive(v.parse(ToPage, data)));
  const { reading } = remembered();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  postToHost({ type: 'ready', ...(reading !== undefined && { reading }), timeZone });
}
