/** Hearing of changed settings; apart from reading them, which needs more code than activation should load. */
import { type Disposable, workspace } from 'vscode';

/** Calls back when one of these settings changes; a name such as `service` stands for all that begin with it. */
export function onDidChangeSettings(names: readonly string[], listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`botChats.${name}`))) listener();
  });
}
