// 1,000 groups and 1,000 people in the sidebar of a real window: the time until names are painted, the requests, and how
// long the window is blocked. The control is a static tree of the same rows in the same place, which excludes VS Code's
// own work. A window's first view takes longer than its second, so each is the first one of windows of its own, in turn;
// the medians of these are compared.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serializeEntries } from '../../src/platform/directoryFile.ts';
import type { Profile } from '../host/profile.ts';
import { median, type Row } from './bench.ts';
import { type CountingService, makeGroup, makePerson, type SampleChat, serveCounted } from './sidebar.rows.ts';
import { type Measurements, openSidebar, type SidebarWindow, type View } from './sidebar.window.ts';

const OF_EACH = 1000;
/** Windows for each of the two. */
const CACHED_WINDOWS = 5;
const NEW_WINDOWS = 3;
/** Names older than ten minutes are looked up again when visible. */
const AGE = 3_600_000;
/** Shorter tasks and blocks (milliseconds) are imperceptible, and count as this long. */
const MIN_TASK_MS = 50;

type Scenario<T> = (window: SidebarWindow, service: CountingService) => Promise<T>;

/** A view after it was opened and scrolled through. */
interface ViewMeasurements {
  readonly opened: Measurements;
  readonly scrolled: Measurements;
  /** The number of requests before names were painted, and at most at the same time. */
  readonly early: number;
  readonly atOnce: number;
}

/** Measures rows with names cached an hour ago, then rows without names. */
export async function bench(): Promise<Row[]> {
  const chats = [makeGroup, makePerson].flatMap((make) => Array.from({ length: OF_EACH }, (_, number) => make(number)));
  const look = (view: View) => inWindow(chats, writeCache, (window, service) => openAndScroll(window, service, view));
  const ours: ViewMeasurements[] = [];
  const control: ViewMeasurements[] = [];
  for (let turn = 0; turn < CACHED_WINDOWS; turn++) {
    ours.push(await look('botChats'));
    control.push(await look('control'));
  }
  const fresh = await times(NEW_WINDOWS, () => inWindow(chats, async () => {}, openAndJump));
  return [...cachedRows(ours, control, chats.length), ...freshRows(fresh)];
}

function cachedRows(ours: readonly ViewMeasurements[], control: readonly ViewMeasurements[], all: number): Row[] {
  const compared = (what: string, measure: (seen: ViewMeasurements) => number, bar?: number): Row[] => [
    {
      what: `${what}, compared with control`,
      measured: median(ours.map(measure)) / median(control.map(measure)),
      unit: '×',
      ...(bar !== undefined && { bar }),
    },
    { what: '  Bot Chats', measured: median(ours.map(measure)), unit: 'ms' },
    { what: '  control', measured: median(control.map(measure)), unit: 'ms' },
  ];
  const worst = (measure: (seen: ViewMeasurements) => number) => Math.max(...ours.map(measure));
  const longest = (of: 'task' | 'block') => (seen: ViewMeasurements) =>
    Math.max(MIN_TASK_MS, seen.opened[of], seen.scrolled[of]);
  return [
    ...compared('names remembered: painted after the click', ({ opened }) => opened.named - opened.clicked, 1.5),
    { what: 'requests before names are painted', measured: worst(({ early }) => early), unit: '', bar: 0 },
    {
      what: 'rows never painted with a name',
      measured: worst(({ scrolled }) => all - scrolled.names),
      unit: '',
      bar: 0,
    },
    { what: 'rows painted with only an ID', measured: worst(({ scrolled }) => scrolled.bare), unit: '', bar: 0 },
    { what: 'requests at once', measured: worst(({ atOnce }) => atOnce), unit: '', bar: 8 },
    ...compared('longest task of the window', longest('task'), 1.5),
    ...compared('longest block of the extension host', longest('block')),
  ];
}

function freshRows(windows: readonly Awaited<ReturnType<typeof openAndJump>>[]): Row[] {
  const worst = (measure: (window: (typeof windows)[number]) => number) => Math.max(...windows.map(measure));
  const named = windows.map(({ opened }) => opened.named - opened.clicked);
  const opening = worst(({ opened, requests }) => requests.opening / opened.visible);
  const jumping = worst(({ jumped, requests }) => requests.jumping / jumped.visible);
  return [
    { what: 'without cache: time from click until all visible rows have names', measured: median(named), unit: 'ms' },
    { what: 'requests per visible row', measured: opening, unit: '×', bar: 1.5 },
    { what: 'requests per visible row after a jump to the end', measured: jumping, unit: '×', bar: 1.5 },
    { what: 'requests at once', measured: worst(({ atOnce }) => atOnce), unit: '', bar: 8 },
  ];
}

async function openAndScroll(window: SidebarWindow, service: CountingService, view: View): Promise<ViewMeasurements> {
  const opened = await window.open(view);
  const scrolled = await window.scroll();
  const early = service.requests.filter((at) => at <= opened.named).length;
  return { opened, scrolled, early, atOnce: service.atOnce };
}

async function openAndJump(window: SidebarWindow, service: CountingService) {
  const opened = await window.open('botChats');
  const opening = service.requests.length;
  const jumped = await window.jump();
  const requests = { opening, jumping: service.requests.length - opening };
  return { opened, jumped, requests, atOnce: service.atOnce };
}

async function inWindow<T>(
  chats: readonly SampleChat[],
  prepare: (profile: Profile, service: CountingService, chats: readonly SampleChat[]) => Promise<void>,
  look: Scenario<T>,
): Promise<T> {
  const service = await serveCounted();
  try {
    const window = await openSidebar(service, chats, (profile) => prepare(profile, service, chats));
    try {
      return await look(window, service);
    } finally {
      await window.close();
    }
  } finally {
    await service.close();
  }
}

/** Writes the cache file of `src/platform/directoryFile.ts`, as an earlier window would have. */
async function writeCache(
  { userData }: Profile,
  { url }: CountingService,
  chats: readonly SampleChat[],
): Promise<void> {
  const folder = join(userData, 'User/globalStorage/bot-chats.bot-chats');
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url));
  const entries = chats.map(({ id, found }) => ({ id, found, at: Date.now() - AGE }));
  await mkdir(folder, { recursive: true });
  const name = `directory-${Buffer.from(hash).toString('hex', 0, 8)}.json`;
  await writeFile(join(folder, name), await serializeEntries(entries));
}

async function times<T>(count: number, act: (turn: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < count; turn++) results.push(await act(turn));
  return results;
}
