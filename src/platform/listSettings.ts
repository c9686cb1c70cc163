/** The settings that hold the lists of the sidebar, read afresh at each use and edited where they stand. */
import { ConfigurationTarget, workspace } from 'vscode';
import type { Kind } from '../service/model.ts';
import { type Lists, type ParsedList, readLists, SCOPES } from './idLists.ts';
import type { Service } from './service.ts';

/** Settings that hold the IDs of the sidebar's rows. */
export const idSetting = { group: 'groups', bot: 'bots', user: 'people' } as const satisfies Record<Kind, string>;

type Sandboxed = Pick<Service, 'sandbox'>;

const targets = { workspace: ConfigurationTarget.Workspace, user: ConfigurationTarget.Global };

/** The last edit of each kind. */
const edits = new Map<Kind, Promise<unknown>>();

/**
 * The lists of a kind as the settings hold them. Where nothing is set in any scope, the sandbox's own IDs are the
 * user's list: they are shown, and the first edit writes them all down. VS Code leaves out what an untrusted workspace sets.
 */
export function listsOf(kind: Kind, { sandbox }: Sandboxed): Lists {
  const inspected = workspace.getConfiguration('botChats').inspect(idSetting[kind]);
  const lists: Lists = {
    workspace: inspected?.workspaceValue ?? undefined,
    user: inspected?.globalValue ?? undefined,
  };
  return SCOPES.some((scope) => lists[scope] !== undefined) ? lists : { user: sandbox?.[kind] };
}

/** What is listed of a kind. */
export function listOf(kind: Kind, service: Sandboxed): ParsedList {
  return readLists(listsOf(kind, service));
}

/**
 * Edits the lists of a kind as they stand when its turn has come, and writes the scopes that have become others. Edits
 * of a kind go one after the other. Rejects with VS Code's own error when one cannot be written.
 */
export function editLists(
  kind: Kind,
  service: Sandboxed,
  edit: (lists: Lists) => Lists,
): Promise<{ before: Lists; after: Lists }> {
  const editing = (edits.get(kind) ?? Promise.resolve()).then(async () => {
    const before = listsOf(kind, service);
    const after = edit(before);
    await write(kind, before, after);
    return { before, after };
  });
  // One that fails is told to whoever asked for it, and holds up none of the others.
  edits.set(
    kind,
    editing.catch(() => {}),
  );
  return editing;
}

async function write(kind: Kind, before: Lists, after: Lists): Promise<void> {
  for (const scope of SCOPES) {
    if (after[scope] === before[scope]) continue;
    await workspace.getConfiguration('botChats').update(idSetting[kind], after[scope], targets[scope]);
  }
}
