import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import {
  commands,
  EventEmitter,
  type Memento,
  TabInputText,
  TabInputWebview,
  Uri,
  type WebviewPanelSerializer,
  type window,
} from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { restorePanels } from '../../../src/platform/defer.ts';
import { OpenPanels } from '../../../src/platform/openPanels.ts';
import { answer, restore } from '../answers.ts';
import { memento } from '../memory.ts';
import { PanelPage } from '../panelPage.ts';

const VIEW = 'botChats.report';

interface ShownTab {
  label: string;
  input: object;
}

describe('The panels of one type', () => {
  let memory: Memento;
  let changed: EventEmitter<void>;
  /** The tabs by editor group. */
  let groups: ShownTab[][];
  /** What VS Code was asked to show. */
  let shown: string[];
  /** Restores the panel of a tab. */
  let onShown: (label: string) => void;
  const registered: { dispose(): void }[] = [];

  beforeEach(() => {
    memory = memento();
    changed = new EventEmitter();
    [groups, shown, onShown] = [[[]], [], () => {}];
    let focused = 0;
    answer('tabGroups', {
      get all() {
        return groups.map((tabs, at) => {
          const group = { viewColumn: at + 1, tabs: [] as object[] };
          group.tabs = tabs.map((tab) => ({ ...tab, group }));
          return group;
        });
      },
      onDidChangeTabs: changed.event,
    } as unknown as typeof window.tabGroups);
    const focus = (at: number) => () => {
      focused = at;
    };
    const open = (index: unknown) => {
      const { label = '' } = groups[focused]?.[Number(index)] ?? {};
      shown.push(label);
      onShown(label);
    };
    registered.push(
      commands.registerCommand('workbench.action.focusFirstEditorGroup', focus(0)),
      commands.registerCommand('workbench.action.focusSecondEditorGroup', focus(1)),
      commands.registerCommand('workbench.action.openEditorAtIndex', open),
    );
  });
  afterEach(() => {
    for (const one of registered.splice(0)) one.dispose();
    restore();
  });

  const make = () => new OpenPanels<string>(VIEW, memory);
  const tab = (label: string, viewType = VIEW) => ({
    label,
    input: new TabInputWebview(`mainThreadWebview-${viewType}`),
  });
  function add(panels: OpenPanels<string>, key: string, title: string) {
    const { panel } = new PanelPage(v.never(), title);
    panels.add(key, panel, `panel of ${key}`);
    return panel;
  }
  /** Opens panels, whose tabs are hidden when the window has reloaded. */
  async function reloaded(...titles: [key: string, title: string][]): Promise<OpenPanels<string>> {
    const before = make();
    for (const [key, title] of titles) add(before, key, title);
    groups = [[tab('Report of b', 'botChats.other'), ...titles.map(([, title]) => tab(title))]];
    changed.fire();
    await setImmediate();
    return make();
  }

  it('are found by what they show, while they are open', async () => {
    const panels = make();
    const panel = add(panels, 'a', 'Report of a');
    assert.deepEqual([await panels.find('a'), await panels.find('b')], ['panel of a', undefined]);
    panel.dispose();
    assert.equal(await panels.find('a'), undefined);
    assert.deepEqual(shown, []);
  });

  it('are restored after a reload when they are sought, and only those', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    groups.unshift([{ label: 'Report of b', input: new TabInputText(Uri.file('/b')) }]);
    onShown = (title) => setTimeout(() => add(panels, 'b', title));
    assert.deepEqual(panels.keys, ['a', 'b']);
    assert.equal(await panels.find('b'), 'panel of b');
    assert.equal(await panels.find('b'), 'panel of b');
    assert.deepEqual(shown, ['Report of b']);
  });

  it('are known by the titles that they got later, also after another reload', async () => {
    const before = make();
    const panel = add(before, 'a', 'Report');
    panel.title = shownText`Report of a`;
    groups = [[tab('Report of a')]];
    changed.fire();
    make();
    changed.fire();
    const panels = make();
    onShown = (title) => setTimeout(() => add(panels, 'a', title));
    assert.equal(await panels.find('a'), 'panel of a');
  });

  it('are not sought in a tab that may be of another one, or is closed', async () => {
    const panels = await reloaded(['a', 'Report of weekly.md'], ['b', 'Report of weekly.md'], ['c', 'Report of c']);
    groups[0]?.pop();
    assert.deepEqual([await panels.find('a'), await panels.find('c')], [undefined, undefined]);
    assert.deepEqual(shown, []);
  });

  it('show nothing any more once their tab was closed before it was shown', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    groups[0]?.pop();
    changed.fire();
    assert.deepEqual(panels.keys, ['a']);
  });

  it('are not waited for if their tab closes, or shows something else', async () => {
    const panels = await reloaded(['a', 'Report of a'], ['b', 'Report of b']);
    onShown = (title) =>
      setTimeout(() => {
        if (title === 'Report of a') groups = [[tab('Report of b')]];
        else add(panels, 'other', title);
        changed.fire();
      });
    assert.deepEqual([await panels.find('a'), await panels.find('b')], [undefined, undefined]);
  });

  it('are not waited for if they can’t be restored, which closes their tab', async () => {
    const panels = await reloaded(['a', 'Report of a']);
    const failures: unknown[] = [];
    const report = (run: () => Promise<unknown>) =>
      run().then(
        () => {},
        (error) => void failures.push(error),
      );
    let restoring: WebviewPanelSerializer | undefined;
    answer('registerWebviewPanelSerializer', (_, serializer) => {
      restoring = serializer;
      return { dispose: () => {} };
    });
    const failure = new Error('no page');
    restorePanels(VIEW, async () => ({ restore: () => Promise.reject(failure) }), { report });
    onShown = (title) => {
      const { panel } = new PanelPage(v.never(), title);
      panel.onDidDispose(() => {
        groups = [[]];
        changed.fire();
      });
      void restoring?.deserializeWebviewPanel(panel, undefined);
    };
    assert.equal(await panels.find('a'), undefined);
    assert.deepEqual(failures, [failure]);
  });
});
