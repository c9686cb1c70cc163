import assert from 'node:assert/strict';
import { errorText } from '../../../src/presentation/errorText.ts';
import { ServiceError } from '../../../src/service/errors.ts';

describe('An error', () => {
  it('says how long to wait, and what to do about a redirect', () => {
    const http = (status: number, retryAfter?: number) =>
      errorText(new ServiceError({ kind: 'http', excerpt: '', status, ...(retryAfter && { retryAfter }) }));
    assert.match(http(429, 1_500), /HTTP status 429.*too many calls.*wait 2 seconds/);
    assert.match(http(302), /redirects to another address.*set the address/);
    assert.doesNotMatch(http(500), /wait|redirect/);
  });

  it("quotes the service's answer verbatim, and marks the observed meaning of its code", () => {
    const message = errorText(new ServiceError({ kind: 'rejected', code: 1007, text: '访问过于频繁', status: 200 }));
    assert.match(message, /code 1007: “访问过于频繁”/);
    assert.match(message, /Observed, not documented: too many calls/);
    const unauthorized = (text: string) =>
      errorText(new ServiceError({ kind: 'rejected', code: 1003, text, status: 200 })).replace(
        /.*not documented: /,
        '',
      );
    assert.equal(unauthorized('非法token'), 'the token was refused)');
    assert.equal(unauthorized('recvId值错误，该用户不是机器人好友'), 'the receiver is not a friend of the bot)');
    assert.equal(unauthorized('no'), 'the token was refused, or the receiver is not a friend of the bot)');
    assert.doesNotMatch(errorText(new ServiceError({ kind: 'rejected', code: 7, text: 'x', status: 200 })), /Observed/);
  });
});
