import assert from 'node:assert/strict';
import { type QuickPickItem, QuickPickItemKind, type window } from 'vscode';
import { ListSettings } from '../../../src/platform/listSettings.ts';
import type { Connection, Service } from '../../../src/platform/service.ts';
import type { CandidateItem } from '../../../src/presentation/candidates.ts';
import { KINDS } from '../../../src/service/model.ts';
import { addRows } from '../../../src/sidebar/addRows.ts';
import { answer, onLists, onMessages, restore, type ShownList, type } from '../answers.ts';
import { deferred } from '../deferred.ts';
import { configure, configureWorkspace, newConnection, useService, written } from '../test-service.ts';

const settings = new ListSettings();

describe('Adding rows', () => {
  const sandbox = useService({ 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let service: Service;

  beforeEach(async () => {
    await configure({ groups: ['518204736'], bots: undefined, people: undefined });
    connection = newConnection();
    service = await connection.open();
    onMessages();
  });

  afterEach(async () => {
    restore();
    sandbox.instead = () => undefined;
    connection.dispose();
    await configure({ groups: undefined, bots: undefined, people: undefined });
  });

  /** The headings of a list and the IDs below each, checked if selected. */
  const shownIn = ({ items, ticked }: ShownList) =>
    items.map((item) => {
      if (item.kind === QuickPickItemKind.Separator) return `— ${item.label}`;
      return `${ticked.includes(item) ? '☑' : '☐'} ${idOf(item)}`;
    });
  const idOf = (item: QuickPickItem) => (item as CandidateItem).candidate?.id;

  /** Adds groups. Resolves to the lists that were shown. */
  async function listsOf(...answers: Parameters<typeof onLists>): Promise<ShownList[]> {
    const lists = onLists(...answers);
    await addRows('group', service, settings);
    return lists;
  }

  it('finds the IDs in pasted text', async () => {
    type('“7058314”，‘7102649’');
    onLists('enter');
    assert.deepEqual(await addRows('user', service, settings), ['7058314', '7102649']);
    assert.deepEqual(written('people').user, ['7058314', '7102649']);
  });

  it('says what is added, and requires at least one ID', async () => {
    const boxes = type(undefined);
    for (const kind of KINDS) await addRows(kind, service, settings);
    assert.deepEqual(
      boxes.map((box) => box?.title),
      ['Add Groups', 'Add Bots', 'Add People'],
    );
    const [box] = boxes;
    assert.equal(box?.validateInput?.(' ,; \n'), 'Enter at least one ID.');
    assert.equal(box?.validateInput?.('big'), undefined);
  });

  it('selects what was found, and the rest can be selected', async () => {
    sandbox.instead = async (request) => {
      const asked = `${request.url} ${await request.clone().text()}`;
      return asked.includes('524317890') ? Response.json({ code: 1004, msg: '' }) : undefined;
    };
    type('big nosuch 524317890 518204736');
    const [list] = await listsOf((item) => idOf(item) !== 'big');
    assert(list);
    assert.deepEqual(shownIn(list), [
      '— Found',
      '☑ big',
      "— Doesn't exist",
      '☐ nosuch',
      '— Lookup failed',
      '☐ 524317890',
    ]);
    assert.match(list.placeholder ?? '', /One of them is already in the sidebar/);
    assert.match(list.items.at(-1)?.detail ?? '', /error 1004/);
    assert.deepEqual(written('groups').user, ['518204736', 'nosuch', '524317890']);
  });

  it('reports that nothing was found', async () => {
    type('nosuch');
    const [list] = await listsOf('enter');
    assert.equal(list?.placeholder, 'Nothing found. Select any you want to add anyway.');
    assert.deepEqual(written('groups').user, ['518204736']);
  });

  it('says what has an ID instead, if that is remembered', async () => {
    for (const [kind, id] of [
      ['user', '7058314'],
      ['bot', '30481126'],
    ] as const)
      await service.directory.get(kind, id);
    const asked = sandbox.requests.length;
    type('7058314 30481126 nosuch');
    const [list] = await listsOf('enter');
    assert.equal(sandbox.requests.length, asked + 3);
    assert.deepEqual(
      list?.items.flatMap(({ detail }) => detail?.match(/^.+? doesn't exist\./) ?? []),
      [
        "This is the ID of a person: Alice Fernhollow. Group 7058314 doesn't exist.",
        "This is the ID of a bot: Order Desk. Group 30481126 doesn't exist.",
        "Group nosuch doesn't exist.",
      ],
    );
    type('518204736');
    const lists = onLists('escape');
    await service.directory.get('group', '518204736');
    await addRows('user', service, settings);
    assert.match(lists[0]?.items.at(-1)?.detail ?? '', /^This is the ID of a group: Fern & Kettle: the shop team\. /);
  });

  it('looks up as other kinds what does not exist, if the user asks for that', async () => {
    const press = 'Look Up as Other Kinds';
    type('big 7102649 nosuch');
    const [first, second] = await listsOf({ press }, 'enter');
    assert.deepEqual(
      first?.items.flatMap(({ detail }) => detail?.match(/^.+?exist\./) ?? []),
      ["Group 7102649 doesn't exist.", "Group nosuch doesn't exist."],
    );
    assert.deepEqual(
      second?.items.flatMap(({ detail }) => detail?.match(/^.+?\./) ?? []),
      ['This is the ID of a person: 闻山禾.', 'No person, bot, or group has the ID nosuch.'],
    );
    assert.deepEqual(written('groups').user, ['518204736', 'big']);
    // Not again, nor where everything was found.
    for (const ids of ['nosuch', '524317890']) {
      type(ids);
      await assert.rejects(listsOf({ press }), /There's no button/);
    }
  });

  it('keeps what is selected when it looks up as other kinds', async () => {
    type('big 524317890 nosuch');
    const selects = (item: QuickPickItem) => ['big', 'nosuch'].includes(idOf(item) ?? '');
    const [, second] = await listsOf({ press: 'Look Up as Other Kinds', selects }, 'enter');
    assert.deepEqual(second?.ticked.map(idOf), ['big', 'nosuch']);
    assert.deepEqual(written('groups').user, ['518204736', 'big', 'nosuch']);
  });

  it('can be asked again to look up as other kinds what the user canceled', async () => {
    const press = 'Look Up as Other Kinds';
    type('7102649');
    let isHeld = true;
    const asked = deferred<void>();
    sandbox.instead = ({ url }) => {
      if (!isHeld || !url.includes('user')) return undefined;
      asked.resolve();
      return new Promise(() => {});
    };
    answer('withProgress', (async (_, task) => {
      const onCancellationRequested = async (cancel: () => void) => {
        await asked.promise;
        if (isHeld) cancel();
        isHeld = false;
      };
      return task({ report: () => {} }, { onCancellationRequested } as never);
    }) as typeof window.withProgress);
    const lists = await listsOf({ press }, { press }, 'enter');
    assert.deepEqual(
      lists.map(({ items }) => items.flatMap(({ detail }) => detail?.match(/^.+?\./) ?? [])),
      [["Group 7102649 doesn't exist."], ["Group 7102649 doesn't exist."], ['This is the ID of a person: 闻山禾.']],
    );
  });

  it('adds no duplicates, and looks up no listed IDs', async () => {
    const messages = onMessages();
    await configureWorkspace('groups', [{ id: 'big', label: 'Neighbours' }]);
    try {
      const asked = sandbox.requests.length;
      type('big 518204736');
      assert.deepEqual(await listsOf('enter'), []);
      type('big');
      assert.deepEqual(await listsOf('enter'), []);
      assert.deepEqual(messages, ['All of them are already in the sidebar.', "It's already in the sidebar."]);
      assert.equal(sandbox.requests.length, asked);
      assert.deepEqual(written('groups'), { workspace: [{ id: 'big', label: 'Neighbours' }], user: ['518204736'] });
    } finally {
      await configureWorkspace('groups', undefined);
    }
  });

  it('keeps the typed text when the user goes back to change it', async () => {
    const boxes = type('big nosuch', 'big');
    const lists = await listsOf({ press: 'Edit IDs' }, 'enter');
    assert.deepEqual(
      boxes.map((box) => box?.value),
      ['', 'big nosuch'],
    );
    assert.equal(lists.length, 2);
    assert.deepEqual(written('groups').user, ['518204736', 'big']);
  });

  it('adds nothing after Escape in any step', async () => {
    type(undefined);
    assert.deepEqual(await addRows('group', service, settings), []);
    type('big');
    onLists('escape');
    assert.deepEqual(await addRows('group', service, settings), []);
    type('big', undefined);
    onLists({ press: 'Edit IDs' });
    assert.deepEqual(await addRows('group', service, settings), []);
    assert.deepEqual(written('groups').user, ['518204736']);
  });
});
