import { Uri } from 'vscode';
import { Audiences } from '../../src/platform/audiences.ts';
import { ChatEvents } from '../../src/platform/chatEvents.ts';
import { Commands } from '../../src/platform/commands.ts';
import type { Access, Host } from '../../src/platform/host.ts';
import { ListSettings } from '../../src/platform/listSettings.ts';
import { MentionedIds } from '../../src/platform/mentionedIds.ts';
import { Settings } from '../../src/platform/settings.ts';
import { Store } from '../../src/platform/store.ts';
import { Tokens } from '../../src/platform/tokens.ts';
import { root } from '../host/places.ts';
import { memento, secretStorage } from './memory.ts';
import { keeping, newConnection } from './test-service.ts';

/** What features are given, with nothing remembered. `access` asks for nothing and chooses no bot unless told. */
export function newHost({ access, ...host }: Partial<Omit<Host, 'access'>> & { access?: Partial<Access> } = {}): Host {
  const { folder: storageUri, log } = keeping();
  const connection = host.connection ?? newConnection({ folder: storageUri, log });
  return {
    access: {
      openService: () => connection.open(),
      chooseBot: async () => undefined,
      setToken: async () => undefined,
      ...access,
    },
    audiences: new Audiences(),
    chatEvents: new ChatEvents(),
    commands: new Commands((error) => {
      throw error;
    }),
    connection,
    extensionUri: Uri.file(root),
    lists: new ListSettings(),
    log,
    mentionedIds: new MentionedIds(),
    settings: new Settings(),
    storageUri,
    store: new Store(memento()),
    tokens: new Tokens(secretStorage()),
    ...host,
  };
}
