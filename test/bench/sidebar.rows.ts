// Groups and people for the sidebar: a service that finds every ID and counts requests, and the control, an extension
// that shows the same rows without requests.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { type Found, Group, User } from '../../src/service/model.ts';
import type { Profile } from '../host/profile.ts';
import { serve } from '../host/serve.ts';
import { addView } from './control.ts';

/** Delay of each response, in milliseconds. */
const LATENCY = 5;
/** IDs are offsets from these numbers. */
const FIRST_GROUP = 500_000_000;
const FIRST_PERSON = 700_000_000;

/** A group or a person, with the label of its row. */
export interface SampleChat {
  readonly id: string;
  readonly found: Found<'group' | 'user'>;
  readonly name: string;
  readonly summary: string;
}

export interface CountingService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The time of each request, in Unix milliseconds. */
  readonly requests: readonly number[];
  /** The maximum number of concurrent requests. */
  readonly atOnce: number;
  /** Resolves after this many milliseconds without a request. */
  quiet(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export function makeGroup(number: number): SampleChat {
  const id = `${FIRST_GROUP + number}`;
  const name = `Harbour watch ${number}`;
  const headcount = 2 + (number % 900);
  const introduction = 'Who keeps the lights burning tonight.';
  const raw = { id: number, groupId: id, name, introduction, headcount, createTime: 1_700_000_000 };
  return { id, found: { kind: 'group', resource: v.parse(Group, raw), raw }, name, summary: `${headcount} members` };
}

export function makePerson(number: number): SampleChat {
  const id = `${FIRST_PERSON + number}`;
  const name = `Keeper ${number}`;
  const onLineDay = 2 + (number % 900);
  const raw = { userId: id, nickname: name, avatarUrl: '', registerTime: 1_700_000_000, onLineDay, medals: [] };
  return { id, found: { kind: 'user', resource: v.parse(User, raw), raw }, name, summary: `${onLineDay} days online` };
}

export async function serveCounted(): Promise<CountingService> {
  const requests: number[] = [];
  let underWay = 0;
  let atOnce = 0;
  let last = 0;
  const { origin, close } = await serve(async (request) => {
    requests.push(Date.now());
    atOnce = Math.max(atOnce, ++underWay);
    const data = await answer(request);
    await setTimeout(LATENCY);
    underWay--;
    last = Date.now();
    return Response.json({ code: 1, msg: 'success', data });
  });
  return {
    url: origin,
    requests,
    get atOnce() {
      return atOnce;
    },
    async quiet(milliseconds) {
      const begin = Date.now();
      while (underWay > 0 || Date.now() - Math.max(begin, last) < milliseconds) await setTimeout(LATENCY);
    },
    close,
  };
}

/** The `data` of a response (contract 4.1 and 4.3). */
async function answer(request: Request): Promise<object> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/v1/user/homepage') {
    return { user: makePerson(Number(searchParams.get('userId')) - FIRST_PERSON).found.raw };
  }
  const { groupId }: { groupId: string } = JSON.parse(await request.text());
  return { group: makeGroup(Number(groupId) - FIRST_GROUP).found.raw };
}

/** Installs the control, an extension whose view shows these rows without requests. */
export async function addControl(profile: Profile, chats: readonly SampleChat[]) {
  const section = (id: string, kind: string, icon: string) => {
    const rows = chats.filter(({ found }) => found.kind === kind);
    return { id, name: id, rows: rows.map(({ id, name, summary }) => ({ id, name, summary, icon })) };
  };
  const tree = [section('Groups', 'group', 'organization'), section('People', 'user', 'account')];
  // Items have the same fields as ours, because transferring them is VS Code's work.
  const script = `const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri, window } = require('vscode');
const tree = ${JSON.stringify(tree)};
const { Collapsed, Expanded } = TreeItemCollapsibleState;

function getTreeItem({ id, name, summary, icon, rows }) {
  const item = new TreeItem(name, rows ? Expanded : Collapsed);
  item.id = id;
  item.description = summary;
  item.contextValue = 'row';
  item.accessibilityInformation = { label: name + ', ' + summary };
  if (rows) return item;
  item.iconPath = new ThemeIcon(icon);
  item.resourceUri = Uri.from({ scheme: 'control-row', path: '/' + id });
  item.command = { command: 'list.select', title: 'Nothing', arguments: [{ id }] };
  return item;
}

exports.activate = () => {
  window.registerTreeDataProvider('control.rows', { getTreeItem, getChildren: (node) => (node ? node.rows : tree) });
  let last = Date.now();
  let cpu = process.cpuUsage();
  setInterval(() => {
    const now = Date.now();
    const used = process.cpuUsage(cpu);
    // Excludes time taken by other programs.
    const block = Math.round(Math.min(now - last - 10, (used.user + used.system) / 1000));
    if (block >= 10) appendFileSync(join(__dirname, 'blocks.txt'), last + ' ' + block + '\\n');
    last = now;
    cpu = process.cpuUsage();
  }, 10);
};
`;
  const file = join(await addView(profile, script), 'blocks.txt');
  await writeFile(file, '');
  return {
    /** The longest block of the extension host since then, in milliseconds of CPU time. */
    async longestBlock(since: number): Promise<number> {
      const lines = (await readFile(file, 'utf8')).split('\n');
      const blocks = lines.map((line) => line.split(' ').map(Number));
      return Math.max(...blocks.map(([at = 0, block = 0]) => (at < since ? 0 : block)));
    },
  };
}
