/** What IDs look like that are not known, as the person set it. */
import { commands, l10n, type TextDocument } from 'vscode';
import type { SettingName, Settings } from '../platform/settings.ts';
import { showWarning } from '../presentation/dialogs.ts';
import type { Shapes } from './findIds.ts';
import type { KnownSnapshot } from './knownIds.ts';
import { isProgram } from './languages.ts';

const SETTING = 'botChats.ids.pattern' satisfies SettingName;

export class Pattern {
  readonly #settings: Pick<Settings, 'idPattern'>;
  #source: string | undefined;
  #likely: Promise<Shapes['likely']> | undefined;

  constructor(settings: Pick<Settings, 'idPattern'>) {
    this.#settings = settings;
  }

  /** What an ID looks like in a document, or wherever the person asks for one. */
  async shapes({ candidates, kindOf }: KnownSnapshot, document?: TextDocument): Promise<Shapes> {
    const isKnown = (id: string) => kindOf(id) !== undefined;
    const isLikely = !document || !isProgram(document);
    return { candidates, isKnown, likely: isLikely ? await this.#words() : undefined };
  }

  #words(): Promise<Shapes['likely']> {
    const source = this.#settings.idPattern;
    if (source !== this.#source || !this.#likely) this.#likely = this.#read(source);
    this.#source = source;
    return this.#likely;
  }

  async #read(source: string): Promise<Shapes['likely']> {
    // Loaded when something is hovered or looked up for the first time: it is large.
    const { compilePattern } = await import('./safePattern.ts');
    try {
      return compilePattern(source);
    } catch (error) {
      void this.#tell(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #tell(problem: string): Promise<void> {
    const settings = l10n.t('Open Settings');
    const text = l10n.t('Only known IDs are found: the setting {0} is no regular expression. {1}', SETTING, problem);
    if ((await showWarning(text, settings)) === settings)
      await commands.executeCommand('workbench.action.openSettings', SETTING);
  }
}
