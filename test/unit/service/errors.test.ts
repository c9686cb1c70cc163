import assert from 'node:assert/strict';
import {
  type Failure,
  isCertificateError,
  isMissingGroup,
  isOutage,
  isRateLimited,
  isRefusal,
  isTransient,
  isUnsent,
  mayNeedAddress,
  mayNeedToken,
  meaningOf1003,
  meaningOfMinus1,
  retryAfterOf,
  ServiceError,
  toError,
} from '../../../src/service/errors.ts';

const rejected = (code: number, status = 200, text = 'no') =>
  new ServiceError({ kind: 'rejected', code, text, status });
const http = (status: number) => new ServiceError({ kind: 'http', status, excerpt: '<p>' });
const unreachable = (reason: string) => new ServiceError({ kind: 'unreachable', reason });

const STATUSES = [200, 301, 307, 400, 401, 403, 404, 408, 409, 425, 428, 429, 430, 499, 500, 501, 502, 503, 504, 599];
const CODES = [-2, -1, 0, 2, 401, 429, 500, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008];
const BROKEN = [500, 501, 502, 503, 504, 599];
const OTHERS: Failure[] = [
  { kind: 'unreachable', reason: 'ECONNREFUSED' },
  { kind: 'unreachable', reason: '1007 token' },
  { kind: 'redirected' },
  { kind: 'timedOut', after: 5 },
  { kind: 'notEnvelope', status: 500, excerpt: '' },
  { kind: 'cancelled' },
  { kind: 'insecure' },
  { kind: 'tooLarge', bound: 5 },
  { kind: 'unreadable', path: 'data', problem: 'missing' },
  { kind: 'notFound', what: 'bot', id: '1', code: -1, text: 'no' },
];

interface Rule {
  readonly holds: (error: unknown) => boolean;
  /** The HTTP statuses of pages, the codes, and the statuses with code 1002 for which it holds. */
  readonly statuses: readonly number[];
  readonly codes: readonly number[];
  readonly statusesWithCode: readonly number[];
  /** The other failures for which it holds, by their first or only reason. */
  readonly others: readonly Failure['kind'][];
}

describe('An error of the service', () => {
  const rules: Record<string, Rule> = {
    'may pass if the network failed, or the service was overloaded or broken': {
      holds: isTransient,
      statuses: [429, ...BROKEN],
      codes: [1007],
      statusesWithCode: [429, ...BROKEN],
      others: ['unreachable', 'unreachable'],
    },
    'means too many calls by its status or its code': {
      holds: isRateLimited,
      statuses: [429],
      codes: [1007],
      statusesWithCode: [429],
      others: [],
    },
    'proves that nothing was done only with some codes and statuses, and never under 500 or above': {
      holds: isRefusal,
      statuses: [401, 429],
      codes: [-1, 1002, 1003, 1004, 1005, 1007],
      statusesWithCode: STATUSES.filter((status) => status < 500),
      others: [],
    },
    'may be mended with another token if it blames the token': {
      holds: mayNeedToken,
      statuses: [401],
      codes: [1003],
      statusesWithCode: [401],
      others: [],
    },
    'may be mended with another address unless the service itself answered, or asked to slow down': {
      holds: mayNeedAddress,
      statuses: STATUSES.filter((status) => status !== 429),
      codes: [],
      statusesWithCode: [404],
      others: ['unreachable', 'unreachable', 'redirected', 'timedOut', 'notEnvelope'],
    },
    'is an outage unless the service has answered': {
      holds: isOutage,
      statuses: STATUSES,
      codes: [],
      statusesWithCode: [],
      others: ['unreachable', 'unreachable', 'redirected', 'timedOut', 'notEnvelope'],
    },
    'rules out that anything was sent only without a connection': {
      holds: isUnsent,
      statuses: [],
      codes: [],
      statusesWithCode: [],
      others: ['unreachable'],
    },
  };
  for (const [title, { holds, statuses, codes, statusesWithCode, others }] of Object.entries(rules)) {
    it(title, () => {
      assert.deepEqual(
        STATUSES.filter((status) => holds(http(status))),
        statuses,
      );
      assert.deepEqual(
        CODES.filter((code) => holds(rejected(code))),
        codes,
      );
      assert.deepEqual(
        STATUSES.filter((status) => holds(rejected(1002, status))),
        statusesWithCode,
      );
      const held = OTHERS.filter((failure) => holds(new ServiceError(failure)));
      assert.deepEqual(
        held.map(({ kind }) => kind),
        others,
      );
      assert.equal(holds(new Error('no error of the service')), false);
    });
  }

  it('rules out that anything was sent if there was no connection, or the call was canceled before', () => {
    for (const reason of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])
      assert.equal(isUnsent(unreachable(reason)), true, reason);
    for (const reason of ['ECONNRESET', 'UND_ERR_SOCKET', 'Failed to fetch', 'unknown'])
      assert.equal(isUnsent(unreachable(reason)), false, reason);
    assert.equal(isUnsent(new ServiceError({ kind: 'cancelled', unsent: true })), true);
  });

  it('blames the token by its own words, not by those of a request that it repeats, nor if it blames the receiver', () => {
    const body = JSON.stringify({ recvIds: ['1'], content: { text: 'Your token has expired' } });
    for (const [code, text, blames] of [
      [1002, 'Token expired', true],
      [1002, `token不存在 ${body}`, true],
      [1002, 'no', false],
      [1002, `请求参数应为json格式: ${body}`, false],
      [1002, body, false],
      [1003, '非法token', true],
      [1003, `非法token: ${body}`, true],
      [1003, '', true],
      [1003, '不是好友', false],
      [1004, 'token', false],
    ] as const)
      assert.equal(mayNeedToken(rejected(code, 200, text)), blames, `${code} ${text}`);
    assert.equal(mayNeedToken(rejected(1007, 401)), true);
  });

  it('means that a group does not exist only by its code and its text', () => {
    const gone = '群(ID:518204736)不存在。';
    assert.equal(isMissingGroup(rejected(-1, 200, gone)), true);
    assert.equal(isMissingGroup(rejected(-1, 200, '群(ID:518204736)中未添加当前机器人(ID: 30481126)。')), false);
    assert.equal(isMissingGroup(rejected(-1, 200, '消息不存在或无权限修改')), false);
    assert.equal(isMissingGroup(rejected(-1, 502, gone)), false);
    assert.equal(isMissingGroup(rejected(1002, 200, gone)), false);
    assert.equal(isMissingGroup(new Error(gone)), false);
  });

  it('with the code -1 or 1003 means what its text says', () => {
    for (const [text, meaning] of [
      ['群(ID:518204736)不存在。', 'noGroup'],
      ['群(ID:518204736)中未添加当前机器人(ID: 30481126)。', 'notInGroup'],
      ['消息不存在或无权限修改', 'noMessage'],
      ['说: 群(ID:518204736)不存在', 'unclear'],
      ['说: 群(ID:518204736)中未添加', 'unclear'],
      ['no', 'unclear'],
    ] as const)
      assert.equal(meaningOfMinus1(text), meaning, text);
    for (const [text, meaning] of [
      ['非法token', 'token'],
      ['Token', 'token'],
      ['非法token {"recvIds":["1"]}', 'token'],
      ['bad RECVID', 'notFriend'],
      ['不是好友, token', 'notFriend'],
      ['未授权', 'unclear'],
    ] as const)
      assert.equal(meaningOf1003(text), meaning, text);
  });

  it('is about the certificate by the codes of Node.js and OpenSSL', () => {
    for (const code of [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'BAD_ISSUER',
    ])
      assert.ok(isCertificateError(unreachable(code)), code);
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET']) assert.ok(!isCertificateError(unreachable(code)));
    assert.ok(!isCertificateError(rejected(1004, 200, 'CERT')));
  });

  it('says how long to wait only if the service did', () => {
    assert.equal(retryAfterOf(new ServiceError({ kind: 'http', status: 429, excerpt: '', retryAfter: 7 })), 7);
    assert.equal(retryAfterOf(http(429)), undefined);
    assert.equal(retryAfterOf(unreachable('ECONNRESET')), undefined);
  });

  it('is whatever was thrown, as an error', () => {
    const error = http(429);
    assert.equal(toError(error), error);
    assert.deepEqual(toError('no'), new Error('no'));
  });

  it('can be told apart in a log', () => {
    const logged: [Failure, string][] = [
      [{ kind: 'cancelled' }, 'cancelled'],
      [{ kind: 'timedOut', after: 300 }, 'no answer within 300 ms'],
      [{ kind: 'unreachable', reason: 'ECONNRESET' }, 'unreachable: ECONNRESET'],
      [{ kind: 'redirected' }, 'a redirect'],
      [{ kind: 'insecure' }, 'not sent: a token over plain http'],
      [{ kind: 'tooLarge', bound: 9 }, 'an answer of more than 9 bytes'],
      [{ kind: 'tooLarge', bound: 9, of: 'values' }, 'an answer of more than 9 values'],
      [{ kind: 'http', status: 502, excerpt: '<p>' }, 'HTTP 502: <p>'],
      [{ kind: 'notEnvelope', status: 200, excerpt: '<p>' }, 'HTTP 200, not an envelope: <p>'],
      [{ kind: 'unreadable', path: 'data.bot', problem: 'missing' }, 'unreadable at data.bot: missing'],
      [
        { kind: 'unreadable', path: 'data', problem: { expected: 'Object', actual: 'null' } },
        'unreadable at data: expected Object, got null',
      ],
      [{ kind: 'rejected', code: 1003, text: 'no', status: 200 }, 'code 1003: no'],
      [{ kind: 'notFound', what: 'group', id: '9' }, 'no group 9'],
    ];
    for (const [failure, text] of logged) assert.equal(`${new ServiceError(failure)}`, `ServiceError: ${text}`);
  });
});
