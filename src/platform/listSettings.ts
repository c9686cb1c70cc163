/** The settings that hold the lists of the sidebar, read afresh at each use and edited where they stand. */
import { ConfigurationTarget, workspace } from 'vscode';
import type { Kind } from '../service/model.ts';
import { type Lists, type ParsedList, readLists, SCOPES } from './idLists.ts';
import type { Service } from './service.ts';

/** Settings that hold the IDs of the sidebar's rows. */
export const idSetting = { group: 'groups', bot: 'bots', user: 'people' } as const satisfies Record<Kind, string>;

type ServiceWithSandbox = Pick<Service, 'sandbox'>;

const targets = { workspace: ConfigurationTarget.Workspace, user: ConfigurationTarget.Global };

export class ListSettings {
  /** The last edit of each kind. */
  readonly #edits = new Map<Kind, Promise<unknown>>();

  /**
   * The lists of a kind as the settings hold them. If no scope has any, the sandbox's own IDs are the user's list: they
   * are shown, and the first edit writes them down. VS Code leaves out what an untrusted workspace sets.
   */
  inScopes(kind: Kind, { sandbox }: ServiceWithSandbox): Lists {
    const inspected = workspace.getConfiguration('botChats').inspect(idSetting[kind]);
    const lists: Lists = {
      workspace: inspected?.workspaceValue ?? undefined,
      user: inspected?.globalValue ?? undefined,
    };
    return SCOPES.some((scope) => lists[scope] !== undefined) ? lists : { user: sandbox?.[kind] };
  }

  /** What is listed of a kind. */
  read(kind: Kind, service: ServiceWithSandbox): ParsedList {
    return readLists(this.inScopes(kind, service));
  }

  /**
   * Edits the lists of a kind as they stand when it is this edit's turn, and writes the scopes that have changed. Edits
   * of a kind run one after the other. Rejects with VS Code's own error if one can't be written.
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
    // A failed edit rejects for its caller and doesn't hold up the others.
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
