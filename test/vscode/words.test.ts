import assert from 'node:assert/strict';
import * as v from 'valibot';
import { ServiceError } from '../../src/service/errors.ts';
import { type Found, Group, User } from '../../src/service/model.ts';
import { cardOf } from '../../src/words/card.ts';
import { factsOf, nameOf } from '../../src/words/describe.ts';
import { explain } from '../../src/words/explain.ts';

const group = (fields: object): Found => ({
  kind: 'group',
  resource: v.parse(Group, { groupId: 'big', ...fields }),
  raw: {},
});
const factsByLabel = (found: Found) => new Map(factsOf(found).map(({ label, value }) => [label, value]));

describe('Words', () => {
  it('make no markup, link or picture of a name or an introduction', () => {
    const hostile =
      '[x](command:evil) ![y](https://a.example/p.png) <img src=z> **b** `c` $(trash) | https://a.example';
    const { value, isTrusted } = cardOf(group({ name: hostile, introduction: hostile }));
    assert.ok(!isTrusted);
    // What is left of the syntax is the card's own: an icon before the name, bold labels.
    const own = value.replace('$(organization) ', '').replaceAll('**', '');
    assert.doesNotMatch(own, /[[\]()<>*`$|!/]|https:/);
  });

  it('show an ID where there is no name', () => {
    assert.equal(nameOf(group({ name: '' })), 'big');
  });

  it('say that a creation time of 0 is unknown, and leave out what was not given', () => {
    const facts = factsByLabel(group({ createTime: 0, category: '' }));
    assert.equal(facts.get('Created'), 'unknown');
    assert.deepEqual([facts.has('Category'), facts.has('Members'), facts.has('Review')], [false, false, false]);
  });

  it('give a review status as a number whose meaning is not documented', () => {
    const facts = factsByLabel(group({ checkChatInfoRecord: { status: 3, reason: 'spam' } }));
    assert.equal(facts.get('Review'), 'status 3 (meaning not documented) · spam');
  });

  it('say a flag in words', () => {
    const user: Found = { kind: 'user', resource: v.parse(User, { userId: '1', isVip: 1, onLineDay: 12 }), raw: {} };
    assert.equal(factsByLabel(user).get('VIP'), 'yes');
  });

  it('tell how long the service asks to wait, and what to do about a redirect', () => {
    const http = (status: number, retryAfter?: number) =>
      explain(new ServiceError({ kind: 'http', excerpt: '', status, ...(retryAfter && { retryAfter }) }));
    assert.match(http(429, 1_500), /HTTP status 429.*too many calls.*wait 2 seconds/);
    assert.match(http(302), /redirects to another address.*set the address/);
    assert.doesNotMatch(http(500), /wait|redirect/);
  });

  it('quote a refusal verbatim, and mark what was only observed about its code', () => {
    const said = explain(new ServiceError({ kind: 'rejected', code: 1007, text: '访问过于频繁', status: 200 }));
    assert.match(said, /code 1007: “访问过于频繁”/);
    assert.match(said, /Observed, not documented: too many calls/);
    assert.doesNotMatch(explain(new ServiceError({ kind: 'rejected', code: 7, text: 'x', status: 200 })), /Observed/);
  });
});
