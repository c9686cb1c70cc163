import assert from 'node:assert/strict';
import {
  type Failure,
  isCertificateError,
  isMissingGroup,
  isRateLimited,
  isRefusal,
  isTransient,
  mayNeedAddress,
  mayNeedToken,
  meaningOf1003,
  retryAfterOf,
  ServiceError,
} from '../../../src/service/errors.ts';

const rejected = (code: number, status = 200, text = 'no') =>
  new ServiceError({ kind: 'rejected', code, text, status });
const http = (status: number) => new ServiceError({ kind: 'http', status, excerpt: '<p>' });
const unreachable = (reason: string) => new ServiceError({ kind: 'unreachable', reason });
const others = [
  ...['Error', undefined].map((message) => new Error(message)),
  ...[
    { kind: 'cancelled' } as const,
    { kind: 'timedOut', after: 5 } as const,
    { kind: 'tooLarge', bound: 5 } as const,
    { kind: 'notEnvelope', status: 500, excerpt: '' } as const,
    { kind: 'unreadable', path: 'data', problem: 'missing' } as const,
    { kind: 'notFound', what: 'bot', id: '1', code: -1, text: 'no' } as const,
  ].map((failure) => new ServiceError(failure)),
];
/** Which of these numbers make an error that a rule holds for. */
const those = (numbers: number[], make: (number: number) => ServiceError, rule: (error: unknown) => boolean) =>
  numbers.filter((number) => rule(make(number)));

const STATUSES = [200, 301, 307, 400, 401, 403, 404, 408, 409, 425, 428, 429, 430, 499, 500, 501, 502, 503, 504, 599];
const CODES = [-2, -1, 0, 2, 401, 429, 500, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008];

describe('An error of the service', () => {
  it('may pass if the network failed, or the service was overloaded or broken', () => {
    assert.deepEqual(those(STATUSES, http, isTransient), [429, 500, 501, 502, 503, 504, 599]);
    assert.deepEqual(those(CODES, rejected, isTransient), [1007]);
    const refusedUnder = (status: number) => rejected(1002, status);
    assert.deepEqual(those(STATUSES, refusedUnder, isTransient), [429, 500, 501, 502, 503, 504, 599]);
    assert.ok(isTransient(unreachable('ENETUNREACH')));
    assert.deepEqual(others.filter(isTransient), []);
  });

  it('means too many calls by its status or its code', () => {
    assert.deepEqual(those(STATUSES, http, isRateLimited), [429]);
    assert.deepEqual(those(CODES, rejected, isRateLimited), [1007]);
    assert.ok(isRateLimited(rejected(1002, 429)));
    assert.deepEqual([...others, unreachable('1007')].filter(isRateLimited), []);
  });

  it('proves that nothing was done only with some codes and statuses, and never under 500 or above', () => {
    assert.deepEqual(those(STATUSES, http, isRefusal), [401, 429]);
    assert.deepEqual(those(CODES, rejected, isRefusal), [-1, 1002, 1003, 1004, 1005, 1007]);
    const refusedUnder = (status: number) => rejected(1002, status);
    assert.deepEqual(those([400, 499, 500, 503], refusedUnder, isRefusal), [400, 499]);
    assert.deepEqual([...others, unreachable('ECONNREFUSED')].filter(isRefusal), []);
  });

  it('may be mended with another token if it blames the token, and not the receiver', () => {
    assert.deepEqual(those(STATUSES, http, mayNeedToken), [401]);
    assert.deepEqual(those(CODES, rejected, mayNeedToken), [1003]);
    assert.ok(mayNeedToken(rejected(1007, 401)));
    const blames = (code: number, text: string) => mayNeedToken(rejected(code, 200, text));
    assert.deepEqual([blames(1002, 'Token expired'), blames(1002, 'no'), blames(1004, 'token')], [true, false, false]);
    assert.equal(blames(1002, '参数错误：{"content":{"text":"Your token has expired."}}'), false);
    assert.deepEqual([blames(1003, '非法token'), blames(1003, '不是好友'), blames(1003, '')], [true, false, true]);
    // The service may repeat the whole body of a request (observed).
    const body = JSON.stringify({ recvIds: ['1'], content: { text: 'Your token has expired' } });
    assert.deepEqual([blames(1002, `请求参数应为json格式: ${body}`), blames(1002, body)], [false, false]);
    assert.deepEqual([blames(1003, `非法token: ${body}`), blames(1002, `token不存在 ${body}`)], [true, true]);
    assert.deepEqual([...others, unreachable('token')].filter(mayNeedToken), []);
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

  it('with the code 1003 means what its text says', () => {
    assert.equal(meaningOf1003('非法token {"recvIds":["1"]}'), 'token');
    const meanings = ['非法token', 'Token', 'bad RECVID', '不是好友, token', '未授权'].map(meaningOf1003);
    assert.deepEqual(meanings, ['token', 'token', 'notFriend', 'notFriend', 'unclear']);
  });

  it('may be mended with another address unless the service itself answered, or asked to slow down', () => {
    assert.deepEqual(those([200, 401, 404, 429, 500], http, mayNeedAddress), [200, 401, 404, 500]);
    assert.deepEqual(those(CODES, rejected, mayNeedAddress), []);
    const redirected = new ServiceError({ kind: 'redirected' });
    const mended = [...others, unreachable('ENOTFOUND'), redirected].filter(mayNeedAddress).map(String);
    assert.deepEqual(mended, [
      'ServiceError: no answer within 5 ms',
      'ServiceError: HTTP 500, not an envelope: ',
      'ServiceError: unreachable: ENOTFOUND',
      'ServiceError: a redirect',
    ]);
  });

  it('is about the certificate by the codes of Node.js and OpenSSL', () => {
    const codes = ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'BAD_ISSUER'];
    for (const code of codes) assert.ok(isCertificateError(unreachable(code)), code);
    assert.ok(!isCertificateError(unreachable('ECONNRESET')));
    assert.ok(!isCertificateError(rejected(1004, 200, 'CERT')));
  });

  it('says how long to wait only if the service did', () => {
    assert.equal(retryAfterOf(new ServiceError({ kind: 'http', status: 429, excerpt: '', retryAfter: 7 })), 7);
    assert.equal(retryAfterOf(http(429)), undefined);
    assert.deepEqual(others.map(retryAfterOf).filter(Boolean), []);
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
