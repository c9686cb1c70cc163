import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  commands,
  Disposable,
  type TextDocumentContentProvider,
  type Uri,
  type window,
  workspace,
} from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import { parseNever } from '../../../src/platform/neverList.ts';
import { errorText, shortErrorText, UserFacingError, wholeErrorText } from '../../../src/presentation/errorText.ts';
import { checkNever, neverNotes } from '../../../src/presentation/neverSend.ts';
import { askAboutError, showError } from '../../../src/presentation/showError.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { answer, onMessages, restore } from '../answers.ts';

const kept = { ...workspace };
afterEach(() => {
  restore();
  Object.assign(workspace, kept);
});

const rejected = (code: number, text: string, more: { withoutToken?: true } = {}) =>
  new ServiceError({ kind: 'rejected', code, text, status: 200, ...more });

/** The texts of the documents that are opened. */
function onShownTexts(): string[] {
  const texts: string[] = [];
  let provider: TextDocumentContentProvider | undefined;
  Object.assign(workspace, {
    registerTextDocumentContentProvider: (_scheme: string, registered: TextDocumentContentProvider) => {
      provider = registered;
      return new Disposable(() => {});
    },
  });
  answer('showTextDocument', (async (uri: Uri) => {
    texts.push(String(provider?.provideTextDocumentContent(uri, new CancellationTokenSource().token)));
  }) as unknown as typeof window.showTextDocument);
  return texts;
}

describe('An error', () => {
  it('says how long to wait, and what to do about a redirect', () => {
    const http = (status: number, retryAfter?: number) =>
      errorText(new ServiceError({ kind: 'http', excerpt: '', status, ...(retryAfter && { retryAfter }) }));
    assert.match(http(429, 1_500), /HTTP status 429.*Too many requests\. Try again in 2 seconds\.$/);
    assert.match(http(302), /redirects to another address.*Enter the final address/);
    assert.doesNotMatch(http(500), /Try again|redirect/);
  });

  it("quotes the service's answer verbatim, and says what its code was seen to mean", () => {
    for (const [code, text, rest] of [
      [1007, '访问过于频繁', '. Too many requests.'],
      [1002, 'token不存在', '. The token is wrong.'],
      [1003, '非法token', '. The token is wrong.'],
      [1003, 'recvId值错误，该用户不是机器人好友', ". The recipient isn't a friend of the bot."],
      [1003, 'no', ". The token is wrong, or the recipient isn't a friend of the bot."],
      [-1, '群(ID:big)中未添加当前机器人(ID: 3)。', " The bot isn't in the group."],
      [-1, '群(ID:big)不存在。', " The group doesn't exist."],
      [-1, '消息不存在或无权限修改', ". The message doesn't exist, or the bot has no access to it."],
      [7, '参数错误。', ''],
      [-1, 'x', '.'],
      [7, 'x', '.'],
    ] as const)
      assert.equal(errorText(rejected(code, text)), `The service returned error ${code}: “${text}”${rest}`);
  });

  it("of a lookup isn't explained by a token", () => {
    for (const [code, text] of [
      [1003, '未授权'],
      [1003, '非法token'],
      [1002, 'token不存在'],
    ] as const)
      assert.equal(
        errorText(rejected(code, text, { withoutToken: true })),
        `The service returned error ${code}: “${text}”. Lookups are made without a token.`,
      );
  });

  it('shows invisible characters, and no more than a few paragraphs', () => {
    const hostile = `a\u202Eb${'😀'.repeat(5_000)}`;
    for (const error of [
      new UserFacingError(hostile),
      new Error(hostile),
      rejected(7, hostile),
      new ServiceError({ kind: 'notFound', what: 'group', id: hostile }),
    ]) {
      assert.match(errorText(error), /a⟨U\+202E⟩b😀+…(?:”\.)?$/u);
      assert.ok(errorText(error).length <= 1_001);
    }
    assert.match(shortErrorText(new UserFacingError(hostile)), /^a⟨U\+202E⟩b😀{1,150}…$/u);
  });

  describe('that repeats a request of 50,000 characters', () => {
    const body = `{"recvId":"7058314","content":{"text":"${'好'.repeat(50_000)}"}}`;
    const rejection = rejected(1002, `参数错误：${body}`);
    const whole = `The service returned error 1002: “参数错误：${body}”. A parameter is missing or invalid.`;

    it('is shown with its code, the beginning of its text and its meaning', () => {
      assert.match(
        errorText(rejection),
        /^The service returned error 1002: “参数错误：\{"recvId":"7058314","content":\{"text":"好+…”\. A parameter is missing or invalid\.$/,
      );
      assert.ok(errorText(rejection).length < 400);
      const others = [
        new ServiceError({ kind: 'notFound', what: 'group', id: '7', code: 1002, text: body }),
        new ServiceError({ kind: 'unreachable', reason: body }),
        new Error(body),
      ];
      for (const error of others) assert.ok(errorText(error).length < 450, errorText(error));
      assert.equal(wholeErrorText(rejection), whole);
    });

    it('is opened as a whole on demand, read-only', async () => {
      const texts = onShownTexts();
      const shown = onMessages(() => 'Show Whole Text');
      await showError(rejection);
      assert.deepEqual(texts, [whole]);
      assert.equal(shown.length, 1);
      assert.ok(String(shown[0]).length < 400);
    });

    it('is asked about again once it was read', async () => {
      const texts = onShownTexts();
      onMessages(() => (texts.length === 0 ? 'Show Whole Text' : 'Retry'));
      assert.equal(await askAboutError(rejection, errorText(rejection), shownText`Retry`), 'Retry');
      assert.deepEqual(texts, [whole]);
    });

    it('offers nothing more if the whole text is short', async () => {
      const choices: string[][] = [];
      answer('showErrorMessage', (async (_text: string, ...actions: string[]) => {
        choices.push(actions);
      }) as unknown as typeof window.showErrorMessage);
      await showError(rejected(1007, '访问过于频繁'));
      assert.deepEqual(choices, [[]]);
      assert.equal(wholeErrorText(new UserFacingError('No.')), undefined);
    });
  });

  it('of the Do Not Send list offers to open it', async () => {
    const opened: string[] = [];
    const registered = commands.registerCommand('botChats.editNeverList', () => void opened.push('list'));
    onMessages((_, buttons) => buttons.find((one) => one === 'Open List'));
    const unreadable = { read: () => parseNever({ people: ['a b'] }) };
    for (const says of [
      () => neverNotes(unreadable),
      () => checkNever({ ...unreadable, isEditable: false }),
      () => assert.fail(new UserFacingError('No.')),
    ])
      await (async () => says())().catch(showError);
    registered.dispose();
    assert.deepEqual(opened, ['list', 'list']);
  });

  it('tells a broken connection from one that could not be made', () => {
    const unreachable = (reason: string, inBrowser?: true) =>
      errorText(new ServiceError({ kind: 'unreachable', reason, ...(inBrowser && { inBrowser }) }));
    for (const [reason, expected] of [
      ['bad port', 'Connections to this port are blocked. Check the service address.'],
      ['ECONNRESET', 'The connection was interrupted (ECONNRESET).'],
      ['UND_ERR_SOCKET', 'The connection was interrupted (UND_ERR_SOCKET).'],
      ['ECONNREFUSED', "Can't connect to the service (ECONNREFUSED). Check your network and the service address."],
      ['CERT_HAS_EXPIRED', "The server's certificate isn't valid or isn't trusted (CERT_HAS_EXPIRED)."],
    ] as const)
      assert.equal(unreachable(reason), expected);
    assert.match(
      unreachable('Failed to fetch', true),
      /^The browser got no answer .*\(Failed to fetch\)\. .* doesn't allow calls from browsers: use /,
    );
  });
});
