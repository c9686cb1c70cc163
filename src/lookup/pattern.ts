/** What IDs look like that are not known, as the person set it. */
import { commands, l10n, type TextDocument, window } from 'vscode';
import { notice } from '../words/notice.ts';
import { idPattern, type SettingName } from '../workbench/settings.ts';
import type { Shapes } from './ids.ts';
import { wordsLike } from './ids.ts';
import type { Known } from './known.ts';
import { isProgram } from './languages.ts';

const SETTING = 'botChats.ids.pattern' satisfies SettingName;
/** Matches nothing. */
const NONE = /(?!)/;

export class Pattern {
  #source = '';
  #likely = NONE;

  /** What an ID looks like in a document, or wherever the person asks for one. */
  shapes({ candidates, kindOf }: Known, document?: TextDocument): Shapes {
    const isKnown = (id: string) => kindOf(id) !== undefined;
    const isLikely = !document || !isProgram(document);
    return { candidates, isKnown, likely: isLikely ? this.#words() : undefined };
  }

  #words(): RegExp {
    const source = idPattern();
    if (source === this.#source) return this.#likely;
    this.#source = source;
    try {
      this.#likely = wordsLike(source);
    } catch (error) {
      this.#likely = NONE;
      void this.#tell(error instanceof Error ? error.message : String(error));
    }
    return this.#likely;
  }

  async #tell(problem: string): Promise<void> {
    const settings = l10n.t('Open Settings');
    const text = l10n.t('Only known IDs are found: the setting {0} is no regular expression. {1}', SETTING, problem);
    if ((await window.showWarningMessage(notice(text), settings)) === settings)
      await commands.executeCommand('workbench.action.openSettings', SETTING);
  }
}
