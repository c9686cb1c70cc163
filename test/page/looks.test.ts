import { themes } from '../host/themes.ts';
import { kinds } from './messages.ts';
import { assertHarmless, one, open, shown, web } from './shown.ts';

describe('All kinds of messages', () => {
  for (const theme of themes) {
    it(`shows all kinds in the ${theme} theme`, async () => {
      await open(kinds(), { theme, pictures: true, height: 3300, web });
      await one('.code-kwd').waitFor();
      await one('.html-page table').waitFor();
      await shown.page.getByRole('button', { name: 'Order one' }).click();
      await shown.page.waitForFunction(() => [...document.images].every((picture) => picture.complete));
      await shown.screenshot(`history-content-${theme}`);
      await assertHarmless(shown.requests);
    });
  }
});
