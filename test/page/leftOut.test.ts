import assert from 'node:assert/strict';
import { closeEach, type OpenPage, openReportPage } from '../host/pages.ts';
import { countsOf, rowsOf, summaryOf } from './reportSamples.ts';
import { closeEachPreview, draftFor, draftOf, open, previewPage } from './shownPreview.ts';

const LANGUAGES = {
  en: {
    reasons: ['On your Do Not Send list: asked to stop', 'Under except: in the document: past.csv'],
    few: 'Left out: Do Not Send list 1 · except 1',
    many: 'Left out: Do Not Send list 1 · except 1,204 · where 99,000',
    rows: "Rows of the recipient file that don't match “where”: 99,000.",
  },
  'zh-cn': {
    reasons: ['在不发送名单中：要求停发', '在文档的 except: 中：已退订.csv'],
    few: '已排除：不发送名单 1 个 · except 1',
    many: '已排除：不发送名单 1 个 · except 1,204 · where 99,000',
    rows: '接收者文件中不符合 where: 的行：99,000 行。',
  },
} as const;

/** Pictures are in `out/screenshots`. */
describe('Those who are left out are shown', () => {
  let report: OpenPage | undefined;
  closeEachPreview();
  closeEach(() => report as OpenPage);

  for (const language of ['en', 'zh-cn'] as const) {
    const { reasons, few, many, rows } = LANGUAGES[language];
    for (const theme of ['dark', 'light'] as const) {
      it(`in a ${theme} theme, in ${language}`, async () => {
        const people = ['Alice Fernhollow', '闻山禾', 'Bo Riverside'].map((name, at) => {
          return { kind: 'user' as const, id: `${7_058_314 + at}`, name, ...(reasons[at] && { leftOut: reasons[at] }) };
        });
        const picture = (of: OpenPage, name: string) =>
          of.page.screenshot({ path: `out/screenshots/left-out-${name}-${theme}-${language}.png` });
        const isWide = (of: OpenPage) => of.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        const text = '# Maintenance\n\nClosed on **Saturday**.';
        await open(draftOf({ text }, { recipients: people.slice(2), total: 1 }), { theme, language });
        const { page, post } = previewPage;
        await page.setViewportSize({ width: 480, height: 420 });
        await picture(previewPage, 'preview-none');
        await post(draftOf({ text }, { recipients: people, total: 3, leftOut: few }));
        await picture(previewPage, 'preview-few');
        await post(draftFor({ text }, { leftOut: reasons[1] }, { leftOut: many }));
        await picture(previewPage, 'preview-many');
        assert.equal(await isWide(previewPage), false);

        const counts = countsOf({ leftOut: 1_205, reached: 97_000 });
        report = await openReportPage([summaryOf({ counts, notes: [rows] })], { theme, language });
        const list = ((await report.posted()) as { type: string; list?: number }[]).findLast(
          ({ type }) => type === 'list',
        );
        const shown = rowsOf('leftOut', 'leftOut', 'reached').map((row, at) => ({
          ...row,
          details: reasons[at] ?? row.details,
        }));
        await report.post({ type: 'list', list: list?.list, total: 98_205, rows: shown });
        await report.page.setViewportSize({ width: 900, height: 420 });
        await picture(report, 'report-many');
        await report.page.setViewportSize({ width: 360, height: 600 });
        await picture(report, 'report-narrow');
        assert.equal(await isWide(report), false);
      });
    }
  }
});
