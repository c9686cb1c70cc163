// A window with Bot Chats and the control in the same extension host, and measurements of either view.
import type { Page } from 'playwright-core';
import type { Profile } from '../host/profile.ts';
import { openWindow } from '../host/window.ts';
import { VIEW } from './control.ts';
import { addControl, type CountingService, type SampleChat } from './sidebar.rows.ts';

/** The views by ID. */
const VIEWS = { botChats: 'Bot Chats', control: VIEW };
export type View = keyof typeof VIEWS;

/** A view is idle after this many milliseconds without a request or a late frame. */
const REST = 500;
/** The same after VS Code's start, which leaves parts of itself for when nothing else happens. */
const REST_AFTER_START = 3_000;
/** Multiplier for the wheel's step: slightly less than a page. */
const WHEEL = 12;
/** More wheel steps than any list here has pages. */
const NOTCHES = 500;

/** A trace event of a thread. `tdur` is CPU time in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The measurements of a view until it was idle. */
export interface Measurements {
  /** When it was clicked, and when rows with names first filled it (Unix milliseconds). Only after opening a view. */
  readonly clicked: number;
  readonly named: number;
  /** The number of rows at the end. */
  readonly visible: number;
  /** The number of rows painted with a name since the view opened, and with only an ID. */
  readonly names: number;
  readonly bare: number;
  /** The longest task of the page and the longest block of the extension host, in milliseconds of CPU time. */
  readonly task: number;
  readonly block: number;
}

export interface SidebarWindow {
  /** Opens a view. */
  open(view: View): Promise<Measurements>;
  /** Scrolls through the open view with the wheel. */
  scroll(): Promise<Measurements>;
  /** Jumps to the end of the open view. */
  jump(): Promise<Measurements>;
  close(): Promise<void>;
}

/** Opens a window whose sidebar lists these chats. `prepare` can change its profile first. */
export async function openSidebar(
  service: CountingService,
  chats: readonly SampleChat[],
  prepare: (profile: Profile) => Promise<void>,
): Promise<SidebarWindow> {
  const idsOf = (kind: string) => chats.filter(({ found }) => found.kind === kind).map(({ id }) => id);
  let control: Awaited<ReturnType<typeof addControl>> | undefined;
  const { page, close } = await openWindow({
    settings: {
      'botChats.service.webUrl': service.url,
      'botChats.service.openApiUrl': service.url,
      'botChats.service.callsPerSecond': 1000,
      'botChats.groups': idsOf('group'),
      'botChats.people': idsOf('user'),
      'workbench.list.mouseWheelScrollSensitivity': WHEEL,
    },
    prepare: async (profile) => {
      control = await addControl(profile, chats);
      await prepare(profile);
    },
  });
  const watch = await page.evaluateHandle(observeRows);
  const list = page.locator('.sidebar .monaco-list:visible');

  const seen = async (act: () => Promise<unknown>): Promise<Measurements> => {
    const begin = Date.now();
    const endTrace = await traceTasks(page);
    await act();
    await Promise.all([service.quiet(REST), watch.evaluate(({ rest }, quiet) => rest(quiet), REST)]);
    const measurements = await watch.evaluate(({ take }) => take());
    return { ...measurements, task: await endTrace(), block: (await control?.longestBlock(begin)) ?? 0 };
  };
  const window: SidebarWindow = {
    open: (view) =>
      seen(async () => {
        await watch.evaluate(({ begin }, id) => begin(id), view);
        await page.locator('.activitybar').getByRole('tab', { name: VIEWS[view], exact: true }).click();
        await watch.evaluate(({ isNamed }) => isNamed());
      }),
    scroll: () =>
      seen(async () => {
        await list.hover();
        for (let notch = 0; !(await watch.evaluate(({ isAtEnd }) => isAtEnd())); notch++) {
          if (notch === NOTCHES) throw new Error('The list has no end.');
          await page.mouse.wheel(0, 100);
        }
      }),
    jump: () =>
      seen(async () => {
        await list.focus();
        await page.keyboard.press('End');
        await watch.evaluate(({ isNamed }) => isNamed({ atEnd: true }));
      }),
    close,
  };
  try {
    // What VS Code does after its start isn't the view's.
    await watch.evaluate(({ rest }, quiet) => rest(quiet), REST_AFTER_START);
    return window;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs in the page: records in every frame which rows are about to be painted. */
function observeRows() {
  const LATE = 50;
  const DEADLINE = 30_000;
  const nothing = { clicked: 0, named: 0, visible: 0 };
  let measurements = { ...nothing };
  let view = '';
  let isNamed = false;
  let isAtEnd = false;
  let last = 0;
  let late = 0;
  const names = new Set<string>();
  const bare = new Set<string>();

  const frame = (now: number) => {
    if (now - last > LATE) late = now;
    last = now;
    const list = document.querySelector(`[id="workbench.view.extension.${view}"] .monaco-list`);
    const rows = [...(list?.querySelectorAll('.monaco-list-row') ?? [])];
    // Every name and ID contains a number; "Add a bot…" doesn't.
    const labels = rows.filter((row) => row.ariaLevel === '2').map((row) => row.ariaLabel ?? '');
    const shown = labels.filter((label) => /\d/.test(label));
    for (const label of shown) (/^\d/.test(label) ? bare : names).add(label);
    const bottoms = rows.map((row) => row.getBoundingClientRect().bottom);
    const isFull = shown.length > 0 && Math.max(...bottoms) >= (list?.getBoundingClientRect().bottom ?? 0);
    isNamed = isFull && !shown.some((label) => /^\d/.test(label));
    isAtEnd = rows.some((row) => row.matches('[data-last-element="true"]'));
    if (isNamed) measurements.named ||= Date.now();
    measurements.visible = shown.length;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  document.addEventListener('pointerdown', () => (measurements.clicked ||= Date.now()), { capture: true });

  const until = async (holds: () => boolean) => {
    const begin = performance.now();
    while (!holds()) {
      if (performance.now() - begin > DEADLINE) throw new Error(`${view}: ${names.size} names, ${bare.size} bare IDs.`);
      await new Promise(requestAnimationFrame);
    }
  };
  return {
    begin(id: string) {
      view = id;
      isNamed = false;
      measurements = { ...nothing };
      names.clear();
      bare.clear();
    },
    /** Resolves when rows with names fill the view, optionally at its end. */
    isNamed: ({ atEnd } = { atEnd: false }) => until(() => isNamed && (isAtEnd || !atEnd)),
    /** Whether the last row is painted within two frames. */
    async isAtEnd() {
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      return isAtEnd;
    },
    /** Resolves after this many milliseconds without a late frame. */
    rest(quiet: number) {
      const begin = performance.now();
      return until(() => performance.now() - Math.max(begin, late) > quiet);
    },
    /** Returns the measurements since the last call, with all rows since the view opened. */
    take() {
      const seen = { ...measurements, names: names.size, bare: bare.size };
      measurements = { ...nothing };
      return seen;
    },
  };
}

/**
 * Traces the page's tasks. The returned function stops, and resolves to the longest one in milliseconds of CPU time. The
 * page's own long task API would include time taken by other programs.
 */
async function traceTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error('There is no browser to trace.');
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown[] as TraceEvent[])));
  const traceConfig = { includedCategories: ['toplevel'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const isPage = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
    const threads = new Set(events.filter(isPage).map(({ pid, tid }) => `${pid} ${tid}`));
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith('::RunTask') && threads.has(`${pid} ${tid}`));
    return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
  };
}
