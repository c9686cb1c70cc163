/** The page's side of the protocol, and its state across hiding and reloading. */
import { PageState, ToPage } from '../../protocol/history.ts';
import { connect, readEmbedded, savedState, saveState } from '../common/host.ts';

/** The state when the page was hidden or reloaded. A new panel begins at the message at which it was opened. */
export const remembered = () =>
  savedState(PageState, () => ({ place: readEmbedded('place'), reading: readEmbedded('opensAt') ?? undefined }));

/** Saves changes to the state, from which VS Code also restores the panel after a reload. */
export function remember(changes: Partial<Omit<PageState, 'place'>>): void {
  saveState({ ...remembered(), ...changes });
}

/** Tells the host that the page is ready, and calls back with each message from it. */
export function listen(receive: (message: ToPage) => void): void {
  remember({});
  const { reading } = remembered();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  connect(ToPage, receive, { ...(reading !== undefined && { reading }), timeZone });
}
