import { EventEmitter, type Uri } from 'vscode';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat, Reference } from '../../../src/service/model.ts';
import type { ShownItem } from '../../../src/sidebar/activity/activity.ts';
import { Sidebar } from '../../../src/sidebar/sidebar.ts';
import { answer, restore } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { newConnection, type TestService } from '../test-service.ts';
import { TestTree } from '../treeRows.ts';
import { ChatsTree } from './showTree.ts';

export const BOT = '30481126';
export const OTHER_BOT = '30527740';
export const BIG: Chat = { kind: 'group', id: 'big' };

export const SHOP: Chat = { kind: 'group', id: '518204736' };
export const ALICE: Chat = { kind: 'user', id: '7058314' };
export const SHAN: Chat = { kind: 'user', id: '7102649' };
export const HIKERS: Chat = { kind: 'group', id: '546790213' };

/** A sidebar with some rows of each kind. */
export const LISTS = {
  groups: [SHOP.id, { id: BIG.id, label: 'Neighbours' }, '524317890'],
  bots: [BOT, OTHER_BOT],
  people: [ALICE.id, SHAN.id],
};

/** The sidebar with both of its views, two bots that have tokens, and a record of what it did elsewhere. */
export async function openSidebar(service: TestService) {
  const connection = newConnection();
  const opened = await connection.open();
  const tokens = new Tokens(secretStorage(), memento());
  for (const botId of [BOT, OTHER_BOT]) await tokens.set(opened, botId, service.sandbox.token(botId) ?? '');
  // A window without the focus polls no chat by itself.
  answer('state', { focused: false, active: false });
  /** The bot that the user chooses if asked. */
  const user = { bot: BOT as string | undefined };
  const asked: string[] = [];
  const chooseBot = async (_: unknown, title: string, preferred?: string) => {
    if (preferred === undefined) asked.push(title);
    return preferred ?? user.bot;
  };
  const host = newHost({ connection, tokens, access: { chooseBot } });
  /** The commands of other features that ran, with their arguments. */
  const ran: unknown[][] = [];
  const didRun = new EventEmitter<unknown[]>();
  host.commands.run = async (...command) => {
    ran.push(command);
    didRun.fire(command);
  };
  /** Resolves to the next command of another feature that runs. */
  const nextRun = () => new Promise<unknown[]>((resolve) => didRun.event(resolve));
  const sent: { chats: readonly Chat[]; document: string | undefined }[] = [];
  const send = async (chats: readonly Chat[], document?: Uri) =>
    void sent.push({ chats, document: document?.toString() });

  const chats: ChatsTree = new ChatsTree(() => sidebar.tree);
  const activity: TestTree<ShownItem> = new TestTree(() => sidebar.activityView);
  const newSidebar = () => {
    const ofActivity = { view: activity.view, changed: activity.changed as EventEmitter<undefined> };
    return new Sidebar(host, { send }, chats.view, chats.changed, ofActivity);
  };
  const sidebar = newSidebar();
  await chats.rows('Groups');

  const rows = (...chats: Reference[]) => chats.map((chat) => sidebar.tree.rowOf(chat));
  /** A detail of the first group. */
  const fact = async (label: string) => {
    await chats.seen('Groups');
    return (await chats.row('Groups', `group ${SHOP.id}`, label)).node;
  };
  const watch = (...watched: Chat[]) =>
    sidebar.watcher.watch(
      opened,
      watched.map((chat) => ({ chat, botId: BOT })),
    );
  /** The other bot sends messages, and the chat is polled. */
  const receive = async (chat: Chat, ...texts: string[]) => {
    const listed = sidebar.activity.items.length + texts.length;
    const token = service.sandbox.token(OTHER_BOT) ?? '';
    for (const text of texts) {
      await opened.client.batchSend(token, chat.kind, [chat.id], { contentType: 'text', content: { text } });
    }
    await sidebar.watcher.poll(chat);
    await activity.until(() => sidebar.activity.items.length >= listed);
  };
  const close = () => {
    sidebar.dispose();
    connection.dispose();
    restore();
    service.sandbox.setFaults(undefined);
    service.requests.splice(0);
  };
  return {
    sidebar,
    newSidebar,
    host,
    opened,
    chats,
    rows,
    fact,
    activity,
    user,
    asked,
    ran,
    nextRun,
    sent,
    watch,
    receive,
    close,
  };
}
