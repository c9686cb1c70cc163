import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Memento, Uri, type WebviewPanelSerializer } from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { restorePanels } from '../../../src/platform/defer.ts';
import { OpenPanels } from '../../../src/platform/openPanels.ts';
import { answer } from '../answers.ts';
import { settled } from '../deferred.ts';
import { memento } from '../memory.ts';
import { PanelPage, panelTab, textTab, usePages } from '../panelPage.ts';

const VIEW = 'botChats.report';

describe('The panels of one type', () => {
  const pages = usePages((title) => new PanelPage(v.never(), title));
  let memory: Memento;

  beforeEach(() => {
    memory = memento();
  });

  const make = () => new OpenPanels<string>(VIEW, memory);
  const tab = (title: string) => panelTab(VIEW, title);
  function add(panels: OpenPanels<string>, key: string, title: string) {
    const { panel } = pages.restored(title);
    panels.add(key, panel, `panel of ${key}`);
    return panel;
  }
  /** Opens panels, whose tabs are hidden when the window has reloaded. */
  async function reloaded(...titles: [key: string, title: string][]): Promise<OpenPanels<string>> {
    const before = make();
    for (const [key, title] of titles) add(before, key, title);
    pages.tabs.show([panelTab('botChats.other', 'Report of b'), ...titles.map(([, title]) => tab(title))]);
    await settled();
    return make();
  }

  it('are found by what they show, while they are open', async () => {
    const panels = make();
    const panel = add(panels, 'a', 'Report of a');
    assert.equal(await panels.find('a'), 'panel of a');
    assert.equal(await panels.find('b'), undefined);
    assert.deepEqual(panels.keys, ['a']);
    assert.deepEqual(panels.all, ['panel of a']);
    panel.dispose();
    assert.equal(await panels.find('a'), undefined);
    assert.deepEqual(panels.keys, []);
    assert.deepEqual(pages.tabs.shown, []);
  });

  it('open with a title, and are found then', async () => {
    const panels = make();
    panels.open('a', shownText`Report of a`, ({ title }) => `panel of ${title}`);
    assert.deepEqual(pages.types, [VIEW]);
    assert.equal(panels.get('a'), 'panel of Report of a');
  });

  it('are restored once each, and closed if nobody knows what they show', () => {
    const panels = make();
    const restored = ['a', 'a', undefined].map((key) => {
      const page = pages.restored();
      panels.restore(page.panel, key, (_, shown) => `panel of ${shown}`);
      return page;
    });
    assert.deepEqual(
      restored.map(({ isOpen }) => isOpen),
      [true, false, false],
    );
    assert.deepEqual(panels.all, ['panel of a']);
  });

  it('are known after a reload once they were opened, if their tab is still there', () => {
    pages.tabs.groups = [[tab('Report of a')]];
    add(make(), 'a', 'Report of a');
    assert.deepEqual(make().keys, ['a']);
    pages.tabs.groups = [];
    assert.deepEqual(make().keys, []);
  });

  it('of one type are not taken for those of another', () => {
    pages.tabs.groups = [[tab('Report of a'), panelTab('botChats.other', 'Report of a')]];
    add(make(), 'a', 'Report of a');
    assert.deepEqual(new OpenPanels('botChats.other', memory).keys, []);
  });

  it('are closed by what they show before they are restored', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    for (const key of ['b', 'unknown']) await panels.closeUnrestored(key);
    assert.deepEqual(pages.tabs.closed, ['Report of b']);
  });

  it('are sought in the eight groups of editors that VS Code can focus', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    pages.tabs.groups = [...Array(7).fill([]), [tab('Report of a')], [tab('Report of b')]];
    pages.tabs.onShown = (title) => setTimeout(() => add(panels, 'a', title));
    assert.equal(await panels.find('a'), 'panel of a');
    assert.equal(await panels.find('b'), undefined);
    assert.deepEqual(pages.tabs.shown, ['Report of a']);
  });

  it('are restored after a reload when they are sought, and only those', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    pages.tabs.groups.unshift([{ ...textTab({ uri: Uri.file('/b') }), label: 'Report of b' }]);
    pages.tabs.onShown = (title) => setTimeout(() => add(panels, title.slice('Report of '.length), title));
    assert.deepEqual(panels.keys, ['a', 'b']);
    assert.equal(await panels.find('b'), 'panel of b');
    assert.equal(await panels.find('b'), 'panel of b');
    assert.deepEqual(pages.tabs.shown, ['Report of b']);
    assert.deepEqual(panels.keys, ['b', 'a']);
    assert.equal(await panels.find('a'), 'panel of a');
  });

  it('are known by the titles that they got later, also after another reload', async () => {
    const before = make();
    const panel = add(before, 'a', 'Report');
    panel.title = shownText`Report of a`;
    pages.tabs.show([tab('Report of a')]);
    make();
    pages.tabs.show([tab('Report of a')]);
    const panels = make();
    pages.tabs.onShown = (title) => setTimeout(() => add(panels, 'a', title));
    assert.equal(await panels.find('a'), 'panel of a');
  });

  it('are not sought in a tab that may be of another one, or is closed', async () => {
    const panels = await reloaded(['a', 'Report of weekly.md'], ['b', 'Report of weekly.md'], ['c', 'Report of c']);
    pages.tabs.groups[0]?.pop();
    assert.equal(await panels.find('a'), undefined);
    assert.equal(await panels.find('c'), undefined);
    assert.deepEqual(pages.tabs.shown, []);
  });

  it('show nothing any more once their tab was closed before it was shown', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    pages.tabs.show([tab('Report of a')]);
    assert.deepEqual(panels.keys, ['a']);
  });

  it('are not waited for if their tab closes, or shows something else', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    pages.tabs.onShown = (title) =>
      setTimeout(() => {
        if (title === 'Report of b') add(panels, 'other', title);
        pages.tabs.show([tab('Report of b')]);
      });
    assert.equal(await panels.find('a'), undefined);
    assert.equal(await panels.find('b'), undefined);
  });

  it('are not waited for if they can’t be restored, which closes their tab', async () => {
    const panels = await reloaded(['a', 'Report of a']);
    const failures: unknown[] = [];
    const report = async (run: () => Promise<unknown>) => {
      await run().catch((error) => failures.push(error));
    };
    let restoring: WebviewPanelSerializer | undefined;
    answer('registerWebviewPanelSerializer', (_, serializer) => {
      restoring = serializer;
      return { dispose: () => {} };
    });
    const failure = new Error('no page');
    restorePanels(VIEW, async () => ({ restore: () => Promise.reject(failure) }), { report });
    pages.tabs.onShown = (title) => {
      const { panel } = pages.restored(title);
      panel.onDidDispose(() => pages.tabs.show());
      void restoring?.deserializeWebviewPanel(panel, undefined);
    };
    assert.equal(await panels.find('a'), undefined);
    assert.deepEqual(failures, [failure]);
  });
});
