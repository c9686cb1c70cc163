/** Choosing recipients: one multi-select list of groups and people. */
import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Chat } from '../service/model.ts';
import { KIND_ICONS, nameOf, summaryOf } from '../words/describe.ts';
import { pickLabel } from '../words/pickLabel.ts';
import { listOf } from '../workbench/listSettings.ts';
import type { Service } from '../workbench/service.ts';
import type { Recipient } from './plan.ts';

interface RecipientItem extends QuickPickItem {
  recipient?: Recipient;
}

/** Names that arrive while the list is open are painted together, at most this often (milliseconds). */
const REPAINT = 100;

/**
 * Asks who is to get the message; those in `chosen` are ticked at first. Resolves to at least one recipient, or to
 * undefined when the person stepped back.
 */
export async function askRecipients(
  service: Service,
  title: string,
  chosen: readonly Chat[],
): Promise<Recipient[] | undefined> {
  const list = window.createQuickPick<RecipientItem>();
  const listed = (['group', 'user'] as const).flatMap((type) =>
    listOf(type, service).entries.map(({ id }): Chat => ({ type, id })),
  );
  const keyOf = ({ type, id }: Chat) => `${type} ${id}`;
  const ticked = new Set(chosen.map(keyOf));
  // Also those who were chosen elsewhere and are in no list.
  const chats = [...new Map([...listed, ...chosen].map((chat) => [keyOf(chat), chat])).values()];

  const paint = () => {
    const items = [...sections(chats.map((chat) => itemFor(chat, service)))];
    list.keepScrollPosition = true;
    list.items = items;
    list.selectedItems = items.filter(({ recipient }) => recipient && ticked.has(keyOf(recipient)));
  };
  let repaint: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const paintSoon = () => {
    if (closed) return;
    repaint ??= setTimeout(() => {
      repaint = undefined;
      paint();
    }, REPAINT);
  };

  list.title = title;
  const hint = l10n.t('Choose groups and people; type to filter by name or ID');
  list.placeholder = hint;
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  paint();
  const unknown = chats.filter(({ type, id }) => !service.directory.peek(type, id));
  list.busy = unknown.length > 0;
  const lookUps = unknown.map(({ type, id }) => service.directory.get(type, id).then(paintSoon, paintSoon));
  void Promise.all(lookUps).then(() => {
    if (!closed) list.busy = false;
  });

  try {
    return await new Promise((resolve) => {
      list.onDidChangeSelection((items) => {
        ticked.clear();
        for (const { recipient } of items) if (recipient) ticked.add(keyOf(recipient));
        if (items.length > 0) list.placeholder = hint;
      });
      list.onDidAccept(() => {
        const recipients = list.selectedItems.flatMap(({ recipient }) => (recipient ? [recipient] : []));
        if (recipients.length > 0) resolve(recipients);
        else list.placeholder = l10n.t('Choose at least one recipient');
      });
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  } finally {
    closed = true;
    clearTimeout(repaint);
    list.dispose();
  }
}

function itemFor({ type, id }: Chat, { directory }: Service): RecipientItem {
  const found = directory.peek(type, id);
  const name = found ? nameOf(found) : id;
  return {
    label: pickLabel(KIND_ICONS[type], name),
    description: [id, found && summaryOf(found)].filter(Boolean).join(' · '),
    recipient: { type, id, name },
  };
}

function* sections(items: RecipientItem[]): Generator<RecipientItem> {
  const titles = { group: l10n.t('Groups'), user: l10n.t('People') };
  for (const type of ['group', 'user'] as const) {
    const ofType = items.filter(({ recipient }) => recipient?.type === type);
    if (ofType.length > 0) yield { label: titles[type], kind: QuickPickItemKind.Separator };
    yield* ofType;
  }
}
