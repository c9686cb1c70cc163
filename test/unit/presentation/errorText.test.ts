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
import { RowGoneError } from '../../../src/platform/commandArguments.ts';
import { FileInUseError } from '../../../src/platform/filesInUse.ts';
import { parseNever } from '../../../src/platform/neverList.ts';
import { SetupError } from '../../../src/platform/openService.ts';
import { InvalidSettingError } from '../../../src/platform/scopedSetting.ts';
import {
  addressProblem,
  errorText,
  shortErrorText,
  UserFacingError,
  wholeErrorText,
} from '../../../src/presentation/errorText.ts';
import { checkNever, neverNotes } from '../../../src/presentation/neverSend.ts';
import { askAboutError, showError } from '../../../src/presentation/showError.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import { answer, onMessages, restore } from '../answers.ts';

const kept = { ...workspace };

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
  afterEach(() => {
    restore();
    Object.assign(workspace, kept);
  });
  it('of the service is said in a sentence, and in two or three words', () => {
    const [status, excerpt] = [200, '<html>'];
    const tooLarge = { kind: 'tooLarge', bound: 20_000_000 } as const;
    const unreadable = { kind: 'unreadable', path: 'data.user', problem: 'missing' } as const;
    const notFound = { kind: 'notFound', what: 'group', id: '7' } as const;
    const cases: [failure: Failure, short: string, text: string][] = [
      [{ kind: 'cancelled' }, 'canceled', 'Canceled.'],
      [{ kind: 'timedOut', after: 29_900 }, 'no response', "The service didn't respond within 30 seconds."],
      [
        { kind: 'redirected' },
        'redirected',
        "The service redirects to another address, which isn't followed. Enter the final address in Settings.",
      ],
      [
        { kind: 'insecure' },
        'insecure address',
        'Over plain http, the token could be intercepted. Use https://, or allow it in botChats.service.allowPlainHttp.',
      ],
      [tooLarge, 'too large', 'The response is larger than 20 MB and was cut off.'],
      [
        { ...tooLarge, of: 'elements' },
        'too large',
        "The response lists more than 20,000,000 entries, so it wasn't read.",
      ],
      [
        { ...tooLarge, of: 'values' },
        'too large',
        "The response contains more than 20,000,000 values, so it wasn't read.",
      ],
      [
        { kind: 'http', status: 429, excerpt: 'Wait.', retryAfter: 1_500 },
        'HTTP status 429',
        'The service returned HTTP status 429: “Wait.” Too many requests. Try again in 2 seconds.',
      ],
      [
        { kind: 'http', status: 302, excerpt: '' },
        'HTTP status 302',
        'The service returned HTTP status 302: no content. ' +
          "It redirects to another address, which isn't followed. Enter the final address in Settings.",
      ],
      [
        { kind: 'http', status: 500, excerpt, retryAfter: 1_000 },
        'HTTP status 500',
        'The service returned HTTP status 500: “<html>”. Try again in 1 second.',
      ],
      [
        { kind: 'notEnvelope', status, excerpt },
        'unexpected response',
        'Unexpected response (“<html>”). Check the service address in Settings.',
      ],
      [unreadable, 'unreadable response', "The service's response can't be read at data.user: missing."],
      [{ ...notFound, what: 'user' }, "doesn't exist", "Person 7 doesn't exist."],
      [{ ...notFound, what: 'bot' }, "doesn't exist", "Bot 7 doesn't exist."],
      [
        { ...notFound, code: -1, text: '没有' },
        "doesn't exist",
        "Group 7 doesn't exist. The service returned error -1: “没有”.",
      ],
      [
        { kind: 'rejected', code: 1004, text: '', status, retryAfter: 2_000 },
        'error 1004',
        'The service returned error 1004: no content. The bot is banned. Try again in 2 seconds.',
      ],
    ];
    for (const [failure, short, text] of cases) {
      assert.equal(errorText(new ServiceError(failure)), text, JSON.stringify(failure));
      assert.equal(shortErrorText(new ServiceError(failure)), short, JSON.stringify(failure));
    }
    const problems = ['malformed', 'mismatch', { expected: 'text', actual: '7' }] as const;
    assert.deepEqual(
      problems.map((problem) => errorText(new ServiceError({ ...unreadable, problem })).replace(/.* data\.user: /, '')),
      ['not valid.', 'not the ID that was looked up.', 'expected text, got 7.'],
    );
  });

  it('of the extension is said in a sentence, and in a word', () => {
    for (const [error, text] of [
      [new UserFacingError('No.'), 'No.'],
      [new RowGoneError(), 'The list is being updated. Try again.'],
      [
        new InvalidSettingError('botChats.service.webUrl'),
        "The setting botChats.service.webUrl isn't valid. Correct it first.",
      ],
      [
        new SetupError('botChats.service.webUrl', 'notHttp'),
        "The address in the setting botChats.service.webUrl can't be used. It must start with https:// or http://.",
      ],
      [new Error('a\u202Eb'), 'Something went wrong: a⟨U+202E⟩b'],
      [
        new FileInUseError('/a.csv', Object.assign(new Error('EBUSY'), { code: 'EBUSY' })),
        "Something went wrong: /a.csv is open in another program, or your user isn't allowed to change it",
      ],
    ] as const)
      assert.equal(errorText(error), text, error.name);
    assert.equal(shortErrorText(new Error('No.')), 'failed');
  });

  it('of an address says what one must be', () => {
    assert.equal(addressProblem('empty'), "It's empty.");
    assert.match(addressProblem('notAnAddress'), /^It isn't a complete address, such as https:/);
    assert.equal(addressProblem('hasExtras'), "It can't contain a password, query, or fragment.");
  });

  it("quotes the service's answer verbatim, and says what its code was seen to mean", () => {
    for (const [code, text, rest] of [
      [1007, '访问过于频繁', '. Too many requests.'],
      [1005, '群被封禁', '. The chat is banned.'],
      [1002, '参数错误', '. A parameter is missing or invalid.'],
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

  it('offers to open the list or the setting that has caused it, or to change the address', async () => {
    const ran: string[] = [];
    const registered = ['botChats.editNeverList', 'botChats.connect', 'workbench.action.openSettings'].map((name) =>
      commands.registerCommand(name, (...given) => void ran.push([name, ...given].join(' '))),
    );
    const unreadable = { read: () => parseNever({ people: ['a b'] }) };
    for (const says of [
      () => neverNotes(unreadable),
      () => checkNever({ ...unreadable, isEditable: false }),
      () => assert.fail(new SetupError('botChats.service.webUrl', 'empty')),
      () => assert.fail(new InvalidSettingError('botChats.audiences')),
      () => assert.fail(new ServiceError({ kind: 'unreachable', reason: 'ENOTFOUND' })),
      () => assert.fail(new UserFacingError('No.')),
    ]) {
      onMessages((_, buttons) => buttons[0]);
      await (async () => says())().catch(showError);
    }
    for (const one of registered) one.dispose();
    assert.deepEqual(ran, [
      'botChats.editNeverList',
      'botChats.editNeverList',
      'workbench.action.openSettings botChats.service.webUrl',
      'workbench.action.openSettings botChats.audiences',
      'botChats.connect',
    ]);
  });

  it('tells a broken connection from one that could not be made', () => {
    const unreachable = (reason: string, inBrowser = false) =>
      errorText(new ServiceError({ kind: 'unreachable', reason, inBrowser }));
    for (const [reason, expected] of [
      ['bad port', 'Connections to this port are blocked. Check the service address.'],
      ['ECONNRESET', 'The connection was interrupted (ECONNRESET).'],
      ['UND_ERR_SOCKET', 'The connection was interrupted (UND_ERR_SOCKET).'],
      ['ECONNREFUSED', "Can't connect to the service (ECONNREFUSED). Check your network and the service address."],
      ['CERT_HAS_EXPIRED', "The server's certificate isn't valid or isn't trusted (CERT_HAS_EXPIRED)."],
    ] as const)
      assert.equal(unreachable(reason), expected, reason);
    assert.match(unreachable('Failed to fetch', true), /^The browser got no answer .*\(Failed to fetch\)\. .* use /);
    assert.equal(shortErrorText(new ServiceError({ kind: 'unreachable', reason: 'bad port' })), "can't connect");
  });
});
