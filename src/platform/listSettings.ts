/** The settings that hold the lists of the sidebar, read at each use and edited in their scopes. */
import type { Label } from '../directory/directory.ts';
import { CHAT_KINDS, type Chat, KINDS, type Kind } from '../service/model.ts';
import { LIST_NAMES, type Lists, type ParsedList, readLists, SCOPES } from './idLists.ts';
import { ScopedSetting } from './scopedSetting.ts';
import type { Service } from './service.ts';

type ServiceWithSandbox = Pick<Service, 'sandbox'>;

export class ListSettings {
  readonly #settings: Readonly<Record<Kind, ScopedSetting>> = {
    group: new ScopedSetting(`botChats.${LIST_NAMES.group}`),
    bot: new ScopedSetting(`botChats.${LIST_NAMES.bot}`),
    user: new ScopedSetting(`botChats.${LIST_NAMES.user}`),
  };

  /**
   * The lists of a kind in the settings. If no scope has one, the sandbox's own IDs are the user's list, and the first
   * edit saves them.
   */
  inScopes(kind: Kind, { sandbox }: ServiceWithSandbox): Lists {
    const lists = this.#settings[kind].read();
    return SCOPES.some((scope) => lists[scope] !== undefined) ? lists : { user: sandbox?.[kind] };
  }

  /** The listed IDs of a kind. */
  read(kind: Kind, service: ServiceWithSandbox): ParsedList {
    return readLists(this.inScopes(kind, service));
  }

  /** The listed groups and people. */
  chats(service: ServiceWithSandbox): Chat[] {
    return CHAT_KINDS.flatMap((kind) => this.read(kind, service).entries.map(({ id }) => ({ kind, id })));
  }

  /** The user's own names. A sandbox's own lists have none. */
  labels(): Label[] {
    return KINDS.flatMap((kind) =>
      this.read(kind, {}).entries.flatMap(({ id, label }) => (label === undefined ? [] : [{ kind, id, label }])),
    );
  }

  /**
   * Edits the lists of a kind and saves the scopes that have changed. Edits of a kind run one after the other.
   * @throws VS Code's own error if the settings can't be saved
   */
  edit(
    kind: Kind,
    service: ServiceWithSandbox,
    edit: (lists: Lists) => Lists,
  ): Promise<{ before: Lists; after: Lists }> {
    return this.#settings[kind].edit(edit, () => this.inScopes(kind, service));
  }
}
