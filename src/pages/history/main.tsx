/** Renders the history on each message from the host. */
import { render } from 'preact';
import type { ToPage } from '../../protocol/history.ts';
import { openLinksThroughHost } from '../common/host.ts';
import { App, type PageView } from './app.tsx';
import { listen } from './pageState.ts';
import { senderKey } from './senders.ts';

export function showHistory(): void {
  let view: PageView = {
    note: '',
    heading: { name: '', summary: '', readAs: '', service: '' },
    items: [],
    byKey: new Map(),
    older: { at: 'open' },
    newer: { at: 'loading' },
    arrived: 0,
    seen: undefined,
    profile: undefined,
    avatars: new Map(),
    show: undefined,
    lost: 0,
    finds: 0,
    isArchived: undefined,
  };

  /** Updates the one map in place, so that the cost depends on the size of the change only. */
  function splice({ at, removed, items }: Extract<ToPage, { type: 'splice' }>) {
    for (const { key } of view.items.slice(at, at + removed)) view.byKey.delete(key);
    for (const item of items) view.byKey.set(item.key, item);
    return view.items.toSpliced(at, removed, ...items);
  }

  const paint = () => render(<App view={view} />, document.body);

  openLinksThroughHost();
  listen((message) => {
    switch (message.type) {
      case 'heading':
        view = { ...view, heading: message };
        break;
      case 'edges':
        view = { ...view, older: message.older, newer: message.newer };
        break;
      case 'splice':
        view = { ...view, items: splice(message) };
        break;
      case 'arrived':
        view = { ...view, arrived: view.arrived + message.count };
        break;
      case 'seen':
        view = { ...view, seen: message };
        break;
      case 'show':
        view = { ...view, show: message };
        break;
      case 'lost':
        view = { ...view, lost: view.lost + 1 };
        break;
      case 'note':
        view = { ...view, note: message.text };
        break;
      case 'find':
        view = { ...view, finds: view.finds + 1 };
        break;
      case 'archived':
        view = { ...view, isArchived: message.is };
        break;
      case 'profile':
        view = { ...view, profile: message.profile };
        break;
      case 'avatar':
        view.avatars.set(senderKey(message), message.uri);
    }
    paint();
  });
  paint();
}
