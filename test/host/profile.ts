import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/** The folders in which VS Code keeps its state. */
export interface Profile {
  readonly userData: string;
  readonly extensions: string;
}

/** Values by setting ID, as in a `settings.json`. */
export type Settings = Readonly<Record<string, unknown>>;

/** Turns off everything the tests don't need: welcome pages, recommendations, AI features, animations, updates, telemetry. */
export const quietSettings: Settings = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Creates a temporary profile with these settings. */
export async function temporaryProfile(settings: Settings = quietSettings): Promise<Profile> {
  const profile = profileIn(await temporaryFolder('profile'));
  await writeSettings(profile, settings);
  return profile;
}

/** The profile in a folder. */
export function profileIn(folder: string): Profile {
  return { userData: join(folder, 'user-data'), extensions: join(folder, 'extensions') };
}

/** Writes the user's settings. */
export async function writeSettings(profile: Profile, settings: Settings): Promise<void> {
  await mkdir(join(profile.userData, 'User'), { recursive: true });
  await writeFile(join(profile.userData, 'User', 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

/** Installs an extension by a link to its folder, so that reloading the window picks up changes. */
export async function linkExtension(profile: Profile, folder: string): Promise<void> {
  await mkdir(profile.extensions, { recursive: true });
  await symlink(folder, join(profile.extensions, 'bot-chats.bot-chats-0.1.0'), 'junction');
}
