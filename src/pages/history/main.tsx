/** Renders the history on each message from the host. */
import { render } from 'preact';
import type { ToPage } from '../../protocol/history.ts';
import { type Changes, openLinksThroughHost } from '../common/host.ts';
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

  /** What of the view changes with each message. The maps are updated in place, so that the cost depends on the size of the change only. */
  const changes: Changes<ToPage, PageView> = {
    heading: (heading) => ({ heading }),
    edges: ({ older, newer }) => ({ older, newer }),
    splice({ at, removed, items }) {
      for (const { key } of view.items.slice(at, at + removed)) view.byKey.delete(key);
      for (const item of items) view.byKey.set(item.key, item);
      return { items: view.items.toSpliced(at, removed, ...items) };
    },
    arrived: ({ count }) => ({ arrived: view.arrived + count }),
    seen: (seen) => ({ seen }),
    show: (show) => ({ show }),
    lost: () => ({ lost: view.lost + 1 }),
    note: ({ text }) => ({ note: text }),
    find: () => ({ finds: view.finds + 1 }),
    archived: ({ is }) => ({ isArchived: is }),
    profile: ({ profile }) => ({ profile }),
    avatar: (avatar) => ({ avatars: view.avatars.set(senderKey(avatar), avatar.uri) }),
  };

  const paint = () => render(<App view={view} />, document.body);

  openLinksThroughHost();
  listen((message) => {
    const change: (message: never) => Partial<PageView> = changes[message.type];
    view = { ...view, ...change(message as never) };
    paint();
  });
  paint();
}
