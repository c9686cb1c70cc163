/** The extension's settings as VS Code has them. `settings.ts` validates their values, except flags that activation reads. */
import { type Disposable, workspace } from 'vscode';

const SECTION = 'botChats';

/** A setting's full name, as the settings editor shows it. */
export type SettingName = `${typeof SECTION}.${string}`;

/** The value of a setting, by its name without `botChats.`. */
export const readSetting = (name: string): unknown => workspace.getConfiguration(SECTION).get(name);

/** Writes a setting into the user settings, never into a workspace. */
export const writeSetting = (name: string, value: unknown) =>
  workspace.getConfiguration(SECTION).update(name, value, true);

/** Calls back when one of these settings changes; a name such as `service` includes all settings under it. */
export const onDidChangeSettings = (names: readonly string[], listener: () => void): Disposable =>
  workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) listener();
  });
