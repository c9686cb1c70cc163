/** The settings that hold the lists of the sidebar, read at each use and edited in their scopes. */
import { ConfigurationTarget, workspace } from 'vscode';
import type { Kind } from '../service/model.ts';
import { type Lists, type ParsedList, readLists, SCOPES } from './idLists.ts';
import type { Service } from './service.ts';

/** The setting for each kind. */
export const idSetting = { group: 'groups', bot: 'bots', user: 'people' } as const satisfies Record<Kind, string>;

type ServiceWithSandbox = Pick<Service, 'sandbox'>;

const targets = { workspace: ConfigurationTarget.Workspace, user: ConfigurationTarget.Global };

export class ListSettings {
  /** The last edit of each kind. */
  readonly #edits = new Map<Kind, Promise<unknown>>();

  /**
   * The lists of a kind in the settings. If no scope has one, the sandbox's own IDs are the user's list, and the first
   * edit saves them. VS Code ignores the settings of an untrusted workspace.
   */
  inScopes(kind: Kind, { sandbox }: ServiceWithSandbox): Lists {
    const inspected = workspace.getConfiguration('botChats').inspect(idSetting[kind]);
    const lists: Lists = {
      workspace: inspected?.workspaceValue ?? undefined,
      user: inspected?.globalValue ?? undefined,
    };
    return SCOPES.some((scope) => lists[scope] !== undefined) ? lists : { user: sandbox?.[kind] };
  }

  /** The listed IDs of a kind. */
  read(kind: Kind, service: ServiceWithSandbox): ParsedList {
    return readLists(this.inScopes(kind, service));
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
    const editing = (this.#edits.get(kind) ?? Promise.resolve()).then(async () => {
      const before = this.inScopes(kind, service);
      const after = edit(before);
      await write(kind, before, after);
      return { before, after };
    });
    // A failed edit rejects for its caller only.
    this.#edits.set(
      kind,
      editing.catch(() => {}),
    );
    return editing;
  }
}

async function write(kind: Kind, before: Lists, after: Lists): Promise<void> {
  for (const scope of SCOPES) {
    if (after[scope] === before[scope]) continue;
    await workspace.getConfiguration('botChats').update(idSetting[kind], after[scope], targets[scope]);
  }
}
