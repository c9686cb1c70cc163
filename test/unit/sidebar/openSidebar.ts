import assert from 'node:assert/strict';
import type { Memento, Uri } from 'vscode';
import type { ShownView } from '../../../src/platform/defer.ts';
import type { Host } from '../../../src/platform/host.ts';
import { Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat } from '../../../src/service/model.ts';
import { Activity } from '../../../src/sidebar/activity/activity.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { RowCommands } from '../../../src/sidebar/rowCommands.ts';
import { watchContext } from '../../../src/sidebar/watch/watchContext.ts';
import { Watcher } from '../../../src/sidebar/watch/watcher.ts';
import { restore } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, configureWorkspace, newConnection, type TestService } from '../test-service.ts';
import { showTree } from './showTree.ts';

/** The lists that {@link openSidebar} begins with. */
export const LISTS = {
  groups: ['518204736', { id: 'big', label: 'Neighbours' }, '524317890'],
  bots: ['30481126', '30527740'],
  people: ['7058314', '7102649'],
};

/** The sidebar of a service with the commands on its rows, and a record of what they did elsewhere. */
export async function openSidebar(service: TestService) {
  await configure(LISTS);
  const connection = newConnection();
  const tokens = new Tokens(secretStorage(), memento());
  for (const botId of LISTS.bots) {
    await tokens.set(await connection.open(), botId, service.sandbox.token(botId) ?? '');
  }
  /** What is selected in the view, and the bot that the user chooses if asked. */
  const user = { selection: [] as ChatNode[], bot: '30527740' as string | undefined };
  const revealed: ChatNode[] = [];
  const sent: { chats: readonly Chat[]; document: string | undefined }[] = [];
  const asked: { title: string; preferred: string | undefined }[] = [];
  const ran: string[] = [];
  const chooseBot = async (_: unknown, title: string, preferred?: string) => {
    asked.push({ title, preferred });
    return preferred ?? user.bot;
  };
  const memory: Memento = memento();
  const host: Host = newHost({ connection, tokens, store: new Store(memory), access: { chooseBot } });
  host.commands.run = async (name, ...args) => void ran.push([name, ...args].join(' '));
  const watcher: Watcher = new Watcher(watchContext(host), {
    chatChanged: (chat) => void activity.chatsChanged([chat]),
    polled: () => {},
    newMessages: () => {},
  });
  const activity = new Activity({ store: host.store, watcher, words: () => ['deploy'], changed: () => {} });
  const shown = showTree({ connection, tokens, watch: (chat) => watcher.state(chat) });
  const view = {
    get selection() {
      return user.selection;
    },
    reveal: async (node: ChatNode) => void revealed.push(node),
  } as unknown as ShownView<ChatNode>;
  const send = async (chats: readonly Chat[], document?: Uri) =>
    void sent.push({ chats, document: document?.toString() });
  const newCommands = () => new RowCommands(host, { send }, { tree: shown.tree, watcher, activity }, view);

  const close = async () => {
    restore();
    watcher.dispose();
    shown.tree.dispose();
    connection.dispose();
    service.requests.splice(0);
    await configureWorkspace('groups', undefined);
  };
  return {
    ...{ shown, watcher, activity, user, revealed, sent, asked, ran, newCommands, close },
    commands: newCommands(),
    idsIn: async (place: number) => (await shown.rows(place)).map(({ id }) => id),
    rowsAt: async (place: number, ...ids: string[]) => (await shown.rows(place)).filter(({ id }) => ids.includes(id)),
    factsOf: async (row: ChatNode | undefined) => shown.tree.getChildren(row ?? assert.fail()),
  };
}

/** The fact with a label. */
export const factIn = (nodes: readonly ChatNode[], label: string) =>
  nodes.find((node) => 'fact' in node && node.fact.label === label) ?? assert.fail(`there is no ${label}`);
