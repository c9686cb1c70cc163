/** The pages' translated labels without VS Code, using the fake in `test/unit/vscode.ts`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DownloadWords } from '../../src/protocol/download.ts';
import type { Labels } from '../../src/protocol/history.ts';
import type { PreviewWords } from '../../src/protocol/preview.ts';
import type { ReportLabels } from '../../src/protocol/report.ts';
import type { SearchLabels } from '../../src/protocol/search.ts';
import type { StatisticsLabels } from '../../src/protocol/statistics.ts';
import '../unit/vscode.ts';
import { root } from './places.ts';

/** Returns the labels of messages and previews that the host passes to a page in this language. */
export async function pageWords(language: string): Promise<{ labels: Labels; words: PreviewWords }> {
  const [{ pageLabels: labels }, { previewLabels: words }] = await Promise.all([
    import('../../src/presentation/pageLabels.ts'),
    import('../../src/deliveries/draft/preview/previewPanel.ts'),
  ]);
  const translated = await translation(language);
  return { labels: translated(labels()), words: translated(words()) };
}

/** Returns the labels of the search in this language. */
export async function searchWords(language: string): Promise<SearchLabels> {
  const { searchLabels } = await import('../../src/chats/archiving/search/searchLabels.ts');
  return (await translation(language))(searchLabels());
}

/** Returns the texts of a download in this language. */
export async function downloadTexts(language: string): Promise<DownloadWords> {
  const { downloadWords } = await import('../../src/presentation/download.ts');
  return (await translation(language))(downloadWords());
}

/** Returns the labels of a report in this language. */
export async function reportWords(language: string): Promise<ReportLabels> {
  const { reportLabels } = await import('../../src/deliveries/view/reportPanel.ts');
  return (await translation(language))(reportLabels());
}

/** Returns the labels of statistics in this language. */
export async function statisticsWords(language: string): Promise<StatisticsLabels> {
  const { statisticsLabels } = await import('../../src/chats/archiving/statistics/statisticsLabels.ts');
  return (await translation(language))(statisticsLabels());
}

async function translation(language: string) {
  const bundle =
    language === 'en' ? {} : JSON.parse(await readFile(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
  return <T extends object>(all: T) =>
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, bundle[text] ?? text])) as T;
}
