import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  commands,
  type Disposable,
  EventEmitter,
  type Hover,
  languages,
  MarkdownString,
  Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { LANGUAGES } from '../../src/ids/findIds.ts';
import { IdHover } from '../../src/ids/hover.ts';
import { IdPattern } from '../../src/ids/idPattern.ts';
import { KnownIds } from '../../src/ids/knownIds.ts';
import type { Connection } from '../../src/platform/connection.ts';
import { MentionedIds } from '../../src/platform/mentionedIds.ts';
import type { Service } from '../../src/platform/service.ts';
import { Settings } from '../../src/platform/settings.ts';
import { onMessages, restore } from '../unit/answers.ts';
import { newHost } from '../unit/test-host.ts';
import {
  configure,
  connectionTo,
  keeping,
  newConnection,
  serviceOf,
  type TestService,
  useService,
} from '../unit/test-service.ts';
import { openUntitled } from './editors.ts';

/** Texts of read-only documents. VS Code would open an editor for a document that can be saved. */
const texts: string[] = [];
const SCHEME = 'bot-chats-text';

async function open(content: string, language = 'markdown'): Promise<TextDocument> {
  const uri = Uri.from({ scheme: SCHEME, path: `/${texts.push(content) - 1}` });
  return languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), language);
}

let provider: Disposable;
before(() => {
  const provideTextDocumentContent = ({ path }: Uri) => texts[Number(path.slice(1))];
  provider = workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent });
});
after(() => provider.dispose());

/** The position of a text in a document, one character in. */
const positionOf = (document: TextDocument, words: string): Position =>
  document.positionAt(document.getText().indexOf(words) + 1);

/** Decodes the entities in Markdown. */
const decodeEntities = (markdown: string) => markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

const markdownOf = (content: unknown) => (content instanceof MarkdownString ? content.value : String(content));

describe('Hovering over an ID', () => {
  let service: TestService;
  let document: TextDocument;
  const lines = [
    'Ask 7058314 today.',
    'The bot 30481126 answers in 518204736.',
    'Nobody is 9999999.',
    'See big.',
    'Again 7102649.',
  ];

  beforeEach(async () => {
    service = await useService({ groups: ['big'] });
    document = await open(lines.join('\n'));
  });

  afterEach(async () => {
    restore();
    await configure({ 'hover.lookUp': undefined, 'ids.pattern': undefined, audiences: undefined });
    await service.close();
  });

  const hovers = (place: Position, of = document) =>
    commands.executeCommand<Hover[]>('vscode.executeHoverProvider', of.uri, place);
  const hover = async (words: string, of = document): Promise<string> => {
    const shown = await hovers(positionOf(of, words), of);
    return decodeEntities(shown.flatMap(({ contents }) => contents.map(markdownOf)).join('\n'));
  };
  /** The requested operations, with the ID if the URL has one. */
  const requests = () => service.requests.map(({ pathname }) => pathname.slice(pathname.lastIndexOf('/') + 1));

  it('shows all details of a user', async () => {
    const medals = [
      { id: 1, name: 'Early bird', desc: 'Was here in 2021', imageUrl: 'https://a.example/m.png', sort: 1 },
    ];
    service.instead = async () =>
      Response.json({
        code: 1,
        msg: 'success',
        data: {
          user: {
            userId: '7058314',
            nickname: 'Alice Fernhollow',
            avatarUrl: 'data:image/png;base64,AAAA',
            registerTime: 1_615_194_892,
            registerTimeText: '2021-03-08 09:14:52',
            onLineDay: 1204,
            continuousOnLineDay: 37,
            medals,
            isVip: 1,
          },
        },
      });
    const card = await hover('7058314');
    assert.match(card, /Alice Fernhollow/);
    assert.match(card, /!\[\]\(data:image\/png;base64,AAAA\|width=48,height=48\)/);
    assert.match(card, /Registered:\*\* .*2021/);
    assert.match(card, /Days online:\*\* 1,204/);
    assert.match(card, /Days online in a row:\*\* 37/);
    assert.match(card, /VIP:\*\* yes/);
    assert.match(card, /Early bird/);
  });

  it('shows a bot or a group if there is no such user', async () => {
    assert.match(await hover('30481126'), /Order Desk/);
    assert.deepEqual(requests(), ['homepage', 'bot-info']);
    assert.match(await hover('518204736'), /Fern & Kettle/);
    assert.deepEqual(requests().slice(2), ['homepage', 'bot-info', 'group-info']);
  });

  it('shows nothing for an unknown ID, and remembers that', async () => {
    assert.equal(await hover('9999999'), '');
    assert.equal(await hover('9999999'), '');
    assert.deepEqual(requests(), ['homepage', 'bot-info', 'group-info']);
  });

  it('offers actions, with only its own links', async () => {
    const [shown] = await hovers(positionOf(document, '7058314'));
    const [head, actions, rest] = shown?.contents ?? [];
    for (const card of [head, rest]) {
      assert.ok(card instanceof MarkdownString && !card.isTrusted && !card.supportHtml);
    }
    assert.ok(actions instanceof MarkdownString && !actions.supportHtml);
    const names = ['openHistory', 'newMessage', 'send', 'copyId', 'addToSidebar'].map((name) => `botChats.${name}`);
    assert.deepEqual(actions.isTrusted, { enabledCommands: names });
    const links = [...actions.value.matchAll(/\(command:(botChats\.\w+)\?([^)]*)\)/g)];
    assert.deepEqual(
      links.map(([, command, query]) => [command, JSON.parse(decodeURIComponent(decodeURIComponent(query ?? '')))]),
      names.map((name) => [name, [{ kind: 'user', id: '7058314' }]]),
    );
  });

  it('does not offer to add a listed ID, or to send to a bot', async () => {
    assert.doesNotMatch(await hover('big'), /addToSidebar/);
    const bot = await hover('30481126');
    assert.match(bot, /copyId.*addToSidebar/);
    assert.doesNotMatch(bot, /openHistory|botChats\.send/);
  });

  it('shows text from the service as plain text', async () => {
    const hostile = '[x](command:evil) ![y](https://a.example/p.png) <img src=z> $(trash)';
    const user = {
      userId: '7058314',
      nickname: hostile,
      avatarUrl: 'https://127.0.0.1:1/p.png',
      medals: [{ name: hostile }],
    };
    service.instead = async () => Response.json({ code: 1, msg: 'success', data: { user } });
    const [shown] = await hovers(positionOf(document, '7058314'));
    const [head, , rest] = shown?.contents ?? [];
    for (const card of [head, rest]) {
      assert.ok(card instanceof MarkdownString && !card.isTrusted);
      assert.doesNotMatch(card.value.replace('$(account)', ''), /[<[\]()]|https:/);
      assert.equal(decodeEntities(card.value).split(hostile).length - 1, 1);
    }
  });

  it('works in documents of all prose and data languages', async () => {
    const known = await languages.getLanguages();
    const tried = LANGUAGES.filter((language) => known.includes(language));
    assert.ok(['markdown', 'plaintext', 'json', 'yaml', 'log'].every((language) => tried.includes(language)));
    for (const language of tried) {
      const text = await open(lines.join('\n'), language);
      assert.match(await hover('7058314', text), /Alice Fernhollow/, language);
    }
  });

  it('shows only known IDs in source code', async () => {
    const program = await open('group, user = "big", 7058314', 'python');
    assert.match(await hover('big', program), /Riverside Town/);
    assert.doesNotMatch(await hover('7058314', program), /Alice/);
    assert.deepEqual(requests(), ['group-info']);
  });

  it('knows the IDs in audiences and open drafts', async () => {
    await configure({ 'hover.lookUp': 'known', audiences: { shop: { groups: ['518204736'] } } });
    assert.match(await hover('518204736'), /Fern & Kettle/);
    assert.equal(await hover('30481126'), '');
    await open('---\nchat:\n  bot: 30481126\n  people: [7102649]\n---\nHi');
    assert.match(await hover('30481126'), /Order Desk/);
    assert.match(await hover('7102649'), /闻山禾/);
    assert.deepEqual(requests(), ['group-info', 'bot-info', 'homepage']);
  });

  it('requests an ID once for repeated hovers', async () => {
    await hover('7058314');
    await hover('7058314');
    assert.equal(service.requests.length, 1);
  });

  it('requests an ID once for a hundred concurrent hovers', async () => {
    const shown = await Promise.all(Array.from({ length: 100 }, () => hover('7058314')));
    assert.ok(shown.every((card) => card.includes('Alice Fernhollow')));
    assert.equal(service.requests.length, 1);
  });

  it('looks up only known IDs if set to, and shows all remembered ones', async () => {
    await hover('7102649');
    await configure({ 'hover.lookUp': 'known' });
    assert.equal(await hover('7058314'), '');
    assert.match(await hover('big'), /Riverside Town/);
    assert.match(await hover('7102649'), /闻山禾/);
    assert.deepEqual(requests(), ['homepage', 'group-info']);
  });

  it('looks up nothing if set to, and shows remembered IDs', async () => {
    await hover('7102649');
    await configure({ 'hover.lookUp': 'never' });
    assert.equal(await hover('big'), '');
    assert.equal(await hover('518204736'), '');
    assert.match(await hover('7102649'), /闻山禾/);
    assert.deepEqual(requests(), ['homepage']);
  });

  it('looks up nothing while not connected', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal(await hover('7058314'), '');
    assert.deepEqual(service.requests, []);
  });

  it('finds IDs by the pattern in the settings', async () => {
    await configure({ 'ids.pattern': 'u[0-9]+|7058314' });
    const other = await open('u1 and 7230581 and 7058314');
    await hover('u1', other);
    assert.equal(await hover('7230581', other), '');
    assert.match(await hover('7058314', other), /Alice/);
    assert.deepEqual(
      service.requests.flatMap(({ searchParams }) => searchParams.get('userId') ?? []),
      ['u1', '7058314'],
    );
  });

  it('shows why the lookup of a known ID failed, and nothing for others', async () => {
    service.instead = async () => new Response('gone', { status: 403 });
    assert.match(await hover('big'), /HTTP status 403/);
    assert.equal(await hover('7058314'), '');
    service.instead = () => undefined;
    assert.match(await hover('big'), /Riverside Town/);
  });
});

describe('The hover provider', () => {
  let service: TestService;
  let connection: Connection;
  let known: KnownIds;
  let hover: IdHover;
  const mentionedIds = new MentionedIds();

  before(async () => {
    service = await useService();
  });

  after(() => service.close());

  beforeEach(async () => {
    const kept = keeping();
    await workspace.fs.createDirectory(kept.folder);
    connection = newConnection(kept);
    known = new KnownIds(newHost({ connection, mentionedIds }));
    hover = new IdHover(known, new IdPattern(new Settings()), new Settings());
  });

  afterEach(async () => {
    restore();
    mentionedIds.clear();
    known.dispose();
    connection.dispose();
    await configure({ 'ids.pattern': undefined });
    service.instead = () => undefined;
    service.requests.splice(0);
  });

  it('cancels the lookup when the pointer moves on', async () => {
    const gone = new EventEmitter<void>();
    const began = new Promise<void>((resolve) => {
      service.instead = (request) => {
        request.signal.addEventListener('abort', () => gone.fire());
        resolve();
        return new Promise(() => {});
      };
    });
    const document = await open('Ask 7058314');
    const ended = new Promise<void>((resolve) => gone.event(resolve));
    const cancellation = new CancellationTokenSource();
    const shown = hover.provideHover(document, new Position(0, 5), cancellation.token);
    await began;
    cancellation.cancel();
    assert.equal(await shown, undefined);
    await ended;
  });

  it('looks up nothing if the pointer has already moved on', async () => {
    const cancellation = new CancellationTokenSource();
    cancellation.cancel();
    const document = await open('Ask 7058314');
    assert.equal(await hover.provideHover(document, new Position(0, 5), cancellation.token), undefined);
    assert.deepEqual(service.requests, []);
  });

  it('does not fail if the line was deleted meanwhile', async () => {
    const document = await openUntitled('One\nAsk 7058314', 'markdown');
    const shown = hover.provideHover(document, new Position(1, 5), new CancellationTokenSource().token);
    const edit = new WorkspaceEdit();
    edit.delete(document.uri, new Range(0, 0, 1, 11));
    service.instead = () => undefined;
    await Promise.all([shown, workspace.applyEdit(edit)]);
  });

  it('never shows a response of the previous service', async () => {
    const changed = new EventEmitter<void>();
    const [before, now] = [serviceOf(async () => {}), serviceOf(async () => {})];
    let opened: (service: Service) => void = () => {};
    let opening = new Promise<Service>((resolve) => {
      opened = resolve;
    });
    const switching = new KnownIds(newHost({ connection: connectionTo(() => opening, changed.event), mentionedIds }));
    try {
      const reading = switching.read();
      await new Promise(setImmediate);
      opening = Promise.resolve(now);
      changed.fire();
      opened(before);
      assert.equal((await reading)?.service, now);
    } finally {
      switching.dispose();
    }
  });

  it('knows IDs seen in a history, whatever they look like', async () => {
    const document = await open('Ask u:7 or big', 'python');
    const at = (character: number) =>
      hover.provideHover(document, new Position(0, character), new CancellationTokenSource().token);
    assert.equal(await at(5), undefined);
    mentionedIds.add([
      { kind: 'user', id: 'u:7' },
      { kind: 'group', id: 'big' },
    ]);
    known.invalidate();
    assert.ok(await at(12));
    await at(5);
    assert.equal(service.requests.at(-1)?.searchParams.get('userId'), 'u:7');
  });

  it('reports an invalid pattern once, and still finds known IDs', async () => {
    const shown = onMessages();
    await configure({ 'ids.pattern': '[' });
    mentionedIds.add([{ kind: 'group', id: 'big' }]);
    const document = await open('Ask 7058314 or big');
    const token = new CancellationTokenSource().token;
    assert.equal(await hover.provideHover(document, new Position(0, 5), token), undefined);
    assert.ok(await hover.provideHover(document, new Position(0, 16), token));
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? '', /botChats\.ids\.pattern isn.t a valid regular expression, .*missing closing \]/);
  });
});
