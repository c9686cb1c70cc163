/** The pattern of unknown IDs, from the settings. */
import { commands, type TextDocument } from 'vscode';
import type { SettingName } from '../platform/configuration.ts';
import type { Settings } from '../platform/settings.ts';
import { showWarning } from '../presentation/dialogs.ts';
import { l10n } from '../presentation/shown.ts';
import { toError } from '../service/errors.ts';
import type { IdMatcher } from './findIds.ts';
import { isProgram } from './findIds.ts';
import type { KnownSnapshot } from './knownIds.ts';

const SETTING = 'botChats.ids.pattern' satisfies SettingName;

type LoadCompiler = () => Promise<typeof import('./compilePattern.ts')>;

export class IdPattern {
  readonly #settings: Pick<Settings, 'idPattern'>;
  readonly #load: LoadCompiler;
  #source: string | undefined;
  #likely: Promise<IdMatcher['likely']> | undefined;

  /** `load` loads the compiler with the first hover or lookup, because it's large. */
  constructor(settings: Pick<Settings, 'idPattern'>, load: LoadCompiler = () => import('./compilePattern.ts')) {
    this.#settings = settings;
    this.#load = load;
  }

  /** Matches IDs in a document, or anywhere. In programs, only known IDs match. */
  async matcher({ candidates, kindOf }: KnownSnapshot, document?: TextDocument): Promise<IdMatcher> {
    const isKnown = (id: string) => kindOf(id) !== undefined;
    const isLikely = !document || !isProgram(document);
    return { candidates, isKnown, likely: isLikely ? await this.#likelyWords() : undefined };
  }

  #likelyWords(): Promise<IdMatcher['likely']> {
    const source = this.#settings.idPattern;
    if (source === this.#source && this.#likely) return this.#likely;
    const likely = this.#compile(source);
    // If the compiler can't be loaded now, the next call tries again.
    likely.catch(() => {
      if (this.#likely === likely) this.#likely = undefined;
    });
    [this.#source, this.#likely] = [source, likely];
    return likely;
  }

  async #compile(source: string): Promise<IdMatcher['likely']> {
    const { compilePattern } = await this.#load();
    try {
      return compilePattern(source);
    } catch (error) {
      void this.#warn(toError(error).message);
      return undefined;
    }
  }

  async #warn(problem: string): Promise<void> {
    const settings = l10n.t('Open Settings');
    const text = l10n.t("{0} isn't a valid regular expression, so only known IDs are detected. {1}", SETTING, problem);
    if ((await showWarning(text, settings)) === settings)
      await commands.executeCommand('workbench.action.openSettings', SETTING);
  }
}
