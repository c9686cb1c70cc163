import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { OpenPage } from '../host/pages.ts';
import { themes } from '../host/themes.ts';

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds within an element: each rule with the elements that break it. */
async function violations(page: Page, within: string, rules?: string[]): Promise<string[]> {
  // Evaluated directly, because the page's policy blocks other scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options: axe.RunOptions = { resultTypes: ['violations'] };
  if (rules) options.runOnly = { type: 'rule', values: rules };
  const { violations } = await page.evaluate(
    ([within, options]) => (window as unknown as { axe: typeof axe }).axe.run(within, options),
    [within, options] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}

/** Collects the violations of an open page by the states that it's brought into. */
export function checksOf({ page, setTheme }: OpenPage) {
  const found: Record<string, string[]> = {};
  const add = (state: string, broken: string[]) => {
    if (broken.length > 0) found[state] = broken;
  };
  return {
    found,
    /** Checks the page as it is, in the theme that it was opened in. */
    async check(state: string): Promise<void> {
      add(state, await violations(page, 'html'));
    },
    /** Checks a state, and its colors in the other themes: nothing else depends on them. Only new elements need that. */
    async checkInAllThemes(state: string, within = 'body'): Promise<void> {
      add(state, await violations(page, 'html'));
      for (const theme of themes.slice(1)) {
        await setTheme(theme);
        add(`${state}, ${theme}`, await violations(page, within, COLOR_RULES));
        if (within === 'body') await page.screenshot({ path: `out/screenshots/${state}, ${theme}.png` });
      }
      await setTheme('dark');
    },
  };
}
