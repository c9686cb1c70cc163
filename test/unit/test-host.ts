import { EventEmitter, Uri } from 'vscode';
import type { ArchivedChats, MessageArchive } from '../../src/chats/contract.ts';
import type { Access } from '../../src/connecting/contract.ts';
import type { MessageEdits } from '../../src/deliveries/contract.ts';
import { ChatEvents } from '../../src/platform/chatEvents.ts';
import { Commands } from '../../src/platform/commands.ts';
import { createStored } from '../../src/platform/createStored.ts';
import { lazy } from '../../src/platform/defer.ts';
import type { ActivationHost, Host } from '../../src/platform/host.ts';
import { MentionedIds } from '../../src/platform/mentionedIds.ts';
import { root } from '../host/places.ts';
import { memento, secretStorage } from './memory.ts';
import { keeping, newConnection } from './test-service.ts';

/** An archive without any chats. */
export const NO_ARCHIVE: MessageArchive = {
  list: async () => undefined,
  firstSince: async () => undefined,
  beforeGap: async () => undefined,
  checkedAt: async () => undefined,
  namesOf: async () => undefined,
};

type HostWithArchive = Host &
  Pick<ActivationHost, 'stored'> & {
    readonly archive: MessageArchive;
    readonly archived: ArchivedChats;
    readonly edits: MessageEdits;
  };

/** What features are given, with nothing remembered. `access` asks for nothing and chooses no bot unless told. */
export function newHost({
  access,
  ...host
}: Partial<Omit<HostWithArchive, 'access'>> & { access?: Partial<Access> } = {}): HostWithArchive {
  const { folder: storageUri, files, lists, log } = keeping();
  const storage = host.memento ?? memento();
  const connection = host.connection ?? newConnection({ files, lists, log });
  const stored = { ...createStored(storage, storageUri, secretStorage()), ...host };
  return {
    access: {
      openService: () => connection.open(),
      chooseBot: async () => undefined,
      setToken: async () => undefined,
      ...access,
    },
    archive: NO_ARCHIVE,
    archived: { list: async () => [], onDidChange: new EventEmitter<void>().event },
    edits: {
      in: async () => undefined,
      scheduledFrom: async () => undefined,
      onDidChange: new EventEmitter<void>().event,
    },
    chatEvents: new ChatEvents(),
    commands: new Commands((error) => {
      throw error;
    }),
    connection,
    extensionUri: Uri.file(root),
    log,
    memento: storage,
    mentionedIds: new MentionedIds(),
    storageUri,
    workspaceMemento: memento(),
    stored: lazy(async () => stored),
    ...stored,
  };
}
