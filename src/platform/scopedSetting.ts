import { ConfigurationTarget, workspace } from 'vscode';
import type { SettingName } from './configuration.ts';
import { type Lists, SCOPES } from './idLists.ts';

/** A setting holds something else than it should. An edit would overwrite that. */
export class InvalidSettingError extends Error {
  override readonly name = 'InvalidSettingError';
  readonly setting: SettingName;

  constructor(setting: SettingName) {
    super(`${setting} isn't valid`);
    this.setting = setting;
  }
}

const targets = { workspace: ConfigurationTarget.Workspace, user: ConfigurationTarget.Global };

/** A setting that is edited in the scopes of the workspace and the user. */
export class ScopedSetting {
  readonly #name: SettingName;
  /** Settles when the last edit has ended. */
  #editing: Promise<unknown> = Promise.resolve();

  constructor(name: SettingName) {
    this.#name = name;
  }

  /** Its value in each scope. VS Code ignores the settings of an untrusted workspace. */
  read(): Lists {
    const inspected = workspace.getConfiguration().inspect(this.#name);
    return { workspace: inspected?.workspaceValue ?? undefined, user: inspected?.globalValue ?? undefined };
  }

  /**
   * Edits what `read` returns, and saves the scopes that have changed. Edits run one after the other.
   * @throws VS Code's own error if the settings can't be saved
   */
  edit(edit: (values: Lists) => Lists, read = () => this.read()): Promise<{ before: Lists; after: Lists }> {
    const editing = this.#editing.then(async () => {
      const before = read();
      const after = edit(before);
      for (const scope of SCOPES) {
        if (after[scope] === before[scope]) continue;
        await workspace.getConfiguration().update(this.#name, after[scope], targets[scope]);
      }
      return { before, after };
    });
    // A failed edit rejects for its caller only.
    this.#editing = editing.catch(() => {});
    return editing;
  }
}
