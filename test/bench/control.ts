// Extensions that Bot Chats is compared with.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addExtension } from '../host/helper.ts';
import { packed } from '../host/packed.ts';
import type { Profile } from '../host/profile.ts';

/** The extensions whose activation is measured; the last one absorbs the one-time costs first. */
export const OURS = 'bot-chats.bot-chats';
export const CONTROL = 'test.control';
const WARM_UP = 'test.warm-up';

/** The order of activations in an extension host, by its number. */
export const orderOf = (host: number): string[] =>
  host % 2 === 0 ? [WARM_UP, CONTROL, OURS] : [WARM_UP, OURS, CONTROL];

/** Installs the two empty extensions: each has a script that registers one command. */
export async function addEmpty(profile: Pick<Profile, 'extensions'>): Promise<void> {
  for (const id of [CONTROL, WARM_UP]) {
    const name = id.slice('test.'.length);
    const contributes = { commands: [{ command: `${name}.nothing`, title: 'Nothing' }] };
    const script = `const { commands } = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(commands.registerCommand('${name}.nothing', () => {}));
};
`;
    await addExtension(profile, { name, contributes }, script, ['main', 'browser']);
  }
}

/** Copies the packed extension. Without events, the copy is activated only on request, once the host is idle. */
export async function copyWithoutEvents(folder: string): Promise<void> {
  await cp(packed, folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
}

/** The title of the view below. */
export const VIEW = 'Control';

/** Installs an extension with a view, whose rows a script provides as `control.rows`. Resolves to its folder. */
export const addView = (profile: Profile, script: string): Promise<string> =>
  addExtension(
    profile,
    {
      name: 'control',
      activationEvents: ['onStartupFinished'],
      contributes: {
        viewsContainers: { activitybar: [{ id: 'control', title: VIEW, icon: '$(beaker)' }] },
        views: { control: [{ id: 'control.rows', name: VIEW }] },
      },
    },
    script,
  );
