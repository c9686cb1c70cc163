import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  EventEmitter,
  type Hover,
  MarkdownString,
  Position,
  Range,
  type TextDocument,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { IdHover } from '../../../src/ids/hover.ts';
import { IdPattern } from '../../../src/ids/idPattern.ts';
import { KnownIds } from '../../../src/ids/knownIds.ts';
import { parseArguments } from '../../../src/platform/commandArguments.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Connection, Service } from '../../../src/platform/service.ts';
import type { Settings } from '../../../src/platform/settings.ts';
import type { Reference } from '../../../src/service/model.ts';
import { onMessages, restore } from '../answers.ts';
import { deferred, settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';
import { configure, connectionTo, newConnection, serviceOf, useService } from '../test-service.ts';
import { closeDocuments } from '../vscode-editors.ts';

const TEXT = [
  'Ask 7058314 today.',
  'The bot 30481126 answers in 518204736.',
  'Nobody is 9999999.',
  'See big.',
  'Again 7102649.',
].join('\n');

/** The card of an ID of which nothing is known. */
const NOT_LISTED = /^\*\*\d+\*\* {2}\nNot in your lists\.\n\[\$\(search\) Look Up\]\(command:botChats\.lookUp\?/;

/** Decodes the entities in Markdown. */
const decodeEntities = (markdown: string) => markdown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

describe('Hovering over an ID', () => {
  const service = useService({ groups: ['big'] });
  let connection: Connection;
  let known: KnownIds;
  let hover: IdHover;
  let document: TextDocument;
  let settings: { hoverLookUp: Settings['hoverLookUp']; idPattern: string };
  const mentionedIds = new MentionedIds();

  beforeEach(async () => {
    connection = newConnection();
    known = new KnownIds(newHost({ connection, mentionedIds }));
    settings = { hoverLookUp: 'any', idPattern: '[0-9]{6,10}' };
    hover = new IdHover(known, new IdPattern(settings), settings);
    document = await open(TEXT);
  });

  afterEach(() => {
    restore();
    mentionedIds.clear();
    known.dispose();
    connection.dispose();
    closeDocuments();
    service.instead = () => undefined;
    service.requests.splice(0);
  });

  const open = (content: string, language = 'markdown') => workspace.openTextDocument({ content, language });

  /** What VS Code gets for a text in the document, one character in. */
  const provided = async (words: string, of = document, { token } = new CancellationTokenSource()) =>
    hover.provideHover(of, of.positionAt(of.getText().indexOf(words) + 1), token);
  const partsOf = (shown: Hover | undefined) =>
    (shown?.contents ?? []).map((part) => (part instanceof MarkdownString ? part : assert.fail()));
  const card = async (words: string, of = document) =>
    decodeEntities(
      partsOf(await provided(words, of))
        .map(({ value }) => value)
        .join('\n'),
    );
  /** The requested operations. */
  const requests = () => service.requests.map(({ pathname }) => pathname.slice(pathname.lastIndexOf('/') + 1));

  it('shows all details of a user, with the avatar', async () => {
    const user = {
      userId: '7058314',
      nickname: 'Alice Fernhollow',
      avatarUrl: 'data:image/png;base64,AAAA',
      registerTime: 1_615_194_892,
      onLineDay: 1204,
      medals: [{ id: 1, name: 'Early bird' }],
    };
    service.instead = async () => Response.json({ code: 1, msg: 'success', data: { user } });
    const shown = await provided('7058314');
    assert.deepEqual(shown?.range, new Range(0, 4, 0, 11));
    const [head, actions, rest] = partsOf(shown);
    assert.match(head?.value ?? '', /Alice.*\n\n!\[\]\(data:image\/png;base64,AAAA\|width=48,height=48\)/);
    const details = decodeEntities(rest?.value ?? '');
    for (const detail of [/Registered:\*\* .*2021/, /Days online:\*\* 1,204/, /Early bird/])
      assert.match(details, detail);
    // Only links to commands of ours run anything.
    assert.deepEqual([head?.isTrusted, rest?.isTrusted], [undefined, undefined]);
    assert.ok(typeof actions?.isTrusted === 'object' && actions.isTrusted.enabledCommands.includes('botChats.copyId'));
  });

  it('says of an ID that is listed as that of another kind what it is, if that is remembered', async () => {
    await configure({ groups: ['7058314'] });
    try {
      assert.match(await card('7058314'), /^Group 7058314 doesn't exist\./);
      await (await connection.open()).directory.get('user', '7058314');
      assert.match(
        await card('7058314'),
        /^This is the ID of a person: Alice Fernhollow\. Group 7058314 doesn't exist\./,
      );
    } finally {
      await configure({ groups: ['big'] });
    }
  });

  it('shows a bot or a group if there is no such user, and says if there is neither', async () => {
    assert.match(await card('30481126'), /Order Desk/);
    assert.match(await card('518204736'), /Fern & Kettle/);
    assert.deepEqual(requests(), ['homepage', 'bot-info', 'homepage', 'bot-info', 'group-info']);
    assert.equal(await card('9999999'), 'No person, bot, or group has the ID 9999999.');
  });

  it('does not offer to add a listed ID, or to send to a bot', async () => {
    assert.doesNotMatch(await card('big'), /addToSidebar/);
    const bot = await card('30481126');
    assert.match(bot, /copyId[^)]*\) &nbsp; \[.*addToSidebar/);
    assert.doesNotMatch(bot, /openHistory|botChats\.send/);
  });

  it('works in all prose and data languages, and shows only known IDs in source code', async () => {
    const prose = ['markdown', 'plaintext', 'restructuredtext', 'asciidoc', 'latex', 'html', 'log', 'Log'];
    const data = ['xml', 'json', 'jsonc', 'jsonl', 'yaml', 'toml', 'ini', 'properties', 'csv', 'tsv'];
    for (const language of [...prose, ...data])
      assert.match(await card('7058314', await open(TEXT, language)), /Alice Fernhollow/, language);
    const program = await open('group, user = "big", 7230581', 'python');
    assert.match(await card('big', program), /Riverside Town/);
    assert.equal(await provided('7230581', program), undefined);
  });

  it('knows IDs seen in a history, whatever they look like', async () => {
    const program = await open('Ask u:7 or huge', 'python');
    assert.equal(await provided('u:7', program), undefined);
    mentionedIds.add([{ kind: 'user', id: 'u:7' }]);
    known.invalidate();
    await provided('u:7', program);
    assert.equal(service.requests.at(-1)?.searchParams.get('userId'), 'u:7');
  });

  it('knows the recipients of open drafts, but what the settings and histories say of an ID counts', async () => {
    const drafted: Reference[] = [];
    const source = mentionedIds.addSource(async () => drafted);
    mentionedIds.add([{ kind: 'bot', id: 'u:9' }]);
    const kinds = async () => ['u:8', 'u:9', 'big'].map((await known.read())?.kindOf ?? assert.fail());
    assert.deepEqual(await kinds(), [undefined, 'bot', 'group']);
    for (const id of ['u:8', 'u:9', 'big']) drafted.push({ kind: 'user', id });
    await open('Another draft');
    assert.deepEqual(await kinds(), ['user', 'bot', 'group']);
    source.dispose();
  });

  it('looks up only known IDs if set to, and shows all remembered ones', async () => {
    await card('7102649');
    settings.hoverLookUp = 'known';
    assert.match(await card('7058314'), NOT_LISTED);
    assert.match(await card('big'), /Riverside Town/);
    assert.match(await card('7102649'), /闻山禾/);
    assert.deepEqual(requests(), ['homepage', 'group-info']);
  });

  it('looks up nothing if set to, and shows remembered IDs', async () => {
    await card('7102649');
    settings.hoverLookUp = 'never';
    assert.match(
      await card('big'),
      /^\$\(organization\) \*\*big\*\* {2}\nNot looked up yet\.\n\[\$\(search\) Look Up\]/,
    );
    assert.match(await card('518204736'), NOT_LISTED);
    assert.match(await card('7102649'), /闻山禾/);
    assert.deepEqual(requests(), ['homepage']);
  });

  it('offers to look up an ID of which nothing is known, by a link that can do nothing else', async () => {
    settings.hoverLookUp = 'known';
    const [text, link] = partsOf(await provided('7058314'));
    assert.equal(text?.isTrusted, undefined);
    assert.deepEqual(link?.isTrusted, { enabledCommands: ['botChats.lookUp'] });
    const [, query = ''] = /\(command:botChats\.lookUp\?(.*)\)$/.exec(link?.value ?? '') ?? [];
    const [argument] = parseArguments('lookUp', JSON.parse(decodeURIComponent(decodeURIComponent(query))));
    assert.deepEqual(argument, { id: '7058314' });
    assert.deepEqual(requests(), []);
  });

  it('looks up nothing while not connected', async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    try {
      assert.equal(await provided('7058314'), undefined);
      assert.deepEqual(service.requests, []);
    } finally {
      await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    }
  });

  it('finds IDs by the pattern in the settings', async () => {
    settings.idPattern = 'u[0-9]+|7058314';
    const other = await open('u1 and 7230581 and 7058314');
    await card('u1', other);
    assert.equal(await provided('7230581', other), undefined);
    assert.match(await card('7058314', other), /Alice/);
    assert.deepEqual(
      service.requests.flatMap(({ searchParams }) => searchParams.get('userId') ?? []),
      ['u1', '7058314'],
    );
  });

  it('reports an invalid pattern once, and still finds known IDs', async () => {
    const told = onMessages();
    settings.idPattern = '[';
    assert.equal(await provided('7058314'), undefined);
    assert.ok(await provided('big'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /botChats\.ids\.pattern isn.t a valid regular expression, .*missing closing \]/);
  });

  it('shows why the lookup of a known ID failed, but of others only that they are not listed', async () => {
    service.instead = async () => new Response('gone', { status: 403 });
    assert.match(await card('big'), /HTTP status 403/);
    assert.match(await card('7058314'), NOT_LISTED);
    service.instead = () => undefined;
    assert.match(await card('big'), /Riverside Town/);
  });

  it('cancels the lookup when the pointer moves on', async () => {
    for (const id of ['7058314', 'big']) {
      const began = deferred<void>();
      const ended = deferred<void>();
      service.instead = ({ signal }) => {
        signal.addEventListener('abort', () => ended.resolve());
        began.resolve();
        return new Promise(() => {});
      };
      const cancellation = new CancellationTokenSource();
      const shown = provided(id, document, cancellation);
      await began.promise;
      cancellation.cancel();
      assert.equal(await shown, undefined);
      await ended.promise;
    }
  });

  it('looks up nothing if the pointer has already moved on', async () => {
    const cancellation = new CancellationTokenSource();
    cancellation.cancel();
    assert.equal(await provided('7058314', document, cancellation), undefined);
    assert.deepEqual(service.requests, []);
  });

  it('does not fail if the line was deleted meanwhile', async () => {
    const shown = provided('7102649');
    const edit = new WorkspaceEdit();
    edit.delete(document.uri, new Range(new Position(0, 0), document.positionAt(Infinity)));
    await Promise.all([shown, workspace.applyEdit(edit)]);
  });

  it('never shows a response of the previous service', async () => {
    const changed = new EventEmitter<void>();
    const [before, now] = [serviceOf(async () => {}), serviceOf(async () => {})];
    const opened = deferred<Service>();
    let opening = opened.promise;
    const switching = new KnownIds(newHost({ connection: connectionTo(() => opening, changed.event), mentionedIds }));
    const reading = switching.read();
    await settled();
    opening = Promise.resolve(now);
    changed.fire();
    opened.resolve(before);
    assert.equal((await reading)?.service, now);
    switching.dispose();
  });
});
