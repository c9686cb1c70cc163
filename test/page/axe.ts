import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { type ThemeName, themes } from '../host/themes.ts';

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The violations that axe finds in a page: each rule with the elements that break it. In all themes but the first, only the
 * rules about colors are checked: the others see the same elements again, and take most of the time.
 */
export async function violations(page: Page, theme: ThemeName): Promise<string[]> {
  // Evaluated directly, because the page's policy blocks other scripts.
  await page.evaluate(`if (!window.axe) { ${source} }`);
  const options: axe.RunOptions = { resultTypes: ['violations'] };
  if (theme !== themes[0]) options.runOnly = { type: 'rule', values: COLOR_RULES };
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
