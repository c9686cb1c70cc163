import { quietSettings, type Settings } from './profile.ts';

const THEMES = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  'hc-dark': 'Default High Contrast',
} as const;

/** Keeps the palette open if a panel takes the focus. */
const keepQuickOpen: Settings = { 'workbench.quickOpen.closeOnFocusLost': false };

/** Moves the extension from the server to the browser, as users can. */
const inBrowser: Settings = { 'remote.extensionKind': { 'bot-chats.bot-chats': ['web'] } };

/** How a window opens. */
export interface WindowOptions {
  /** Additional user settings. */
  readonly settings?: Settings;
  /** Settings of the folder, where it's in files. */
  readonly folderSettings?: Settings;
  /** Where Bot Chats runs: on the server (default), or in the browser. Without a server always in the browser. */
  readonly extensionHost?: 'remote' | 'web';
  /** Default: English. The workbench itself stays English, because its translation isn't on npm. */
  readonly locale?: 'en' | 'zh-cn';
  /** Default: dark. */
  readonly theme?: keyof typeof THEMES;
}

/** Returns all user settings of a window. */
export function userSettings({ settings, extensionHost, theme = 'dark' }: WindowOptions): Settings {
  return {
    ...quietSettings,
    ...keepQuickOpen,
    ...(extensionHost === 'web' && inBrowser),
    'workbench.colorTheme': THEMES[theme],
    ...settings,
  };
}
