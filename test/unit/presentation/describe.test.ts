import assert from 'node:assert/strict';
import type { Service } from '../../../src/platform/service.ts';
import {
  audienceName,
  audienceNameProblem,
  knownName,
  nameInNotice,
  nameInTab,
  nameOrId,
  namesAt,
  otherName,
  ownName,
  serviceName,
  shortServiceName,
  summaryOf,
  unreadableText,
  withLabel,
} from '../../../src/presentation/describe.ts';
import { bot, group, user } from './resources.ts';

describe('A summary', () => {
  it('counts members, users and days, and names known flags', () => {
    assert.equal(summaryOf(group({ headcount: 342 })), '342 members');
    assert.equal(summaryOf(group({ headcount: 1 })), '1 member');
    assert.equal(summaryOf(group({ headcount: 182_340 })), '182,340 members');
    assert.equal(summaryOf(group({})), '');
    assert.equal(summaryOf(bot({ headcount: 14, private: 1 })), '14 users · private');
    assert.equal(summaryOf(bot({ headcount: 1, private: 0 })), '1 user');
    assert.equal(summaryOf(user({ isVip: 1, onLineDay: 12 })), 'VIP · 12 days online');
    assert.equal(summaryOf(user({ isVip: 0, onLineDay: 1 })), '1 day online');
  });

  it('ignores undocumented flag values', () => {
    assert.equal(summaryOf(bot({ headcount: 14, private: 7 })), '14 users');
    assert.equal(summaryOf(user({ isVip: 7 })), '');
  });

  it('goes with the ID as the name if there is no name', () => {
    assert.equal(ownName(group({ name: '' })), 'big');
    assert.equal(ownName(bot({ nickname: ' \n' })), '3048');
    assert.equal(ownName(user({ nickname: 'Alice' })), 'Alice');
  });
});

describe('What somebody is called', () => {
  const known = {
    labelOf: (_: unknown, id: string) => (id === '7' ? ' Annie\n' : ' '),
    peek: (_: unknown, id: string) => (id === '9' ? undefined : user({ nickname: 'Ann' })),
  };

  it('is as the user says, or else the own name, or else the ID', () => {
    for (const [id, name, other] of [
      ['7', 'Annie', 'Ann'],
      ['8', 'Ann', ''],
      ['9', undefined, ''],
    ] as const) {
      assert.equal(knownName(known, 'user', id), name, id);
      assert.equal(otherName(known, 'user', id), other, id);
      assert.equal(nameOrId(known, 'user', id), name ?? id, id);
    }
  });

  it('is added to a recorded name if the user says it', () => {
    const [ann, other] = [
      { kind: 'user', id: '7', name: 'Ann' },
      { kind: 'user', id: '8', name: 'Ann' },
    ] as const;
    assert.deepEqual(withLabel(ann, known), { ...ann, label: 'Annie' });
    assert.equal(withLabel(other, known), other);
    assert.equal(withLabel(ann, undefined), ann);
  });

  it('is known of the service that is connected only', async () => {
    const address = 'https://open.example';
    const connected = { open: async () => ({ address, directory: known }) as unknown as Service };
    assert.equal(await namesAt(connected, address), known);
    assert.equal(await namesAt(connected, 'https://other.example'), undefined);
    assert.equal(await namesAt({ open: () => Promise.reject(new Error('no')) }, address), undefined);
  });
});

describe('A name', () => {
  const named = (name: string) => ownName(group({ name }));

  it('is shown on one line', () => assert.equal(named('Bob\n• Alice (7058314)\t!'), 'Bob • Alice (7058314) !'));
  it('loses bidirectional controls', () => assert.equal(named('\u202Eyloh\u2066 friend\u202C'), 'yloh friend'));
  it('loses marks, fillers and tags that can’t be seen', () =>
    assert.equal(named('a\u200Eb\u061Cc\u00ADd\u{E0041}e\u3164f'), 'abcdef'));
  it('is never cut within a character', () => {
    assert.equal(named(`a${'😀'.repeat(300)}`), `a${'😀'.repeat(99)}`);
    assert.equal(ownName(group({ name: '', groupId: '😀x'.repeat(100) })), `${'😀x'.repeat(66)}😀`);
  });
  it("is replaced by the ID if it's invisible", () => assert.equal(named('\u200B \uFEFF'), 'big'));
  it('keeps emoji sequences together', () => assert.equal(named('👩‍🌾 农场'), '👩‍🌾 农场'));
  it('is limited to the length that a row can show', () => assert.equal(named('x'.repeat(1_000_000)).length, 200));
});

describe('The name of a service', () => {
  it('is its address, or a word for the sandbox', () => {
    assert.equal(serviceName('https://a.example/api'), 'https://a.example/api');
    assert.equal(serviceName('sandbox:'), 'the sandbox');
  });

  it('is its host, with the port and the path that it has, where space is short', () => {
    assert.equal(shortServiceName('https://a.example'), 'a.example');
    assert.equal(shortServiceName('http://127.0.0.1:8787/chat'), '127.0.0.1:8787/chat');
    assert.equal(shortServiceName('sandbox:'), 'the sandbox');
    assert.equal(shortServiceName('https://a\u202E\n.example'), 'a .example');
  });
});

describe('A name in little space', () => {
  it('is cut at its end in a tab, and in its middle in a notification, where its ending tells what a file is', () => {
    assert.equal(nameInTab('x'.repeat(60)), 'x'.repeat(60));
    assert.match(nameInTab('x'.repeat(61)), /^x{59,60}…$/);
    assert.equal(nameInNotice(`${'x'.repeat(36)}.csv`), `${'x'.repeat(36)}.csv`);
    assert.match(nameInNotice(`${'x'.repeat(50)}.csv`), /^x+…x*\.csv$/);
  });
});

describe('The name of an audience', () => {
  it('may be any text on one line that no other one has', () => {
    const problems = ['Team', ' ', 'a\nb', 'a\u2028b', '__proto__', ' VIP '].map((name) =>
      audienceNameProblem(name, new Set(['VIP'])),
    );
    assert.deepEqual(problems, [
      undefined,
      "A name can't be empty.",
      'A name must be on one line.',
      'A name must be on one line.',
      "“__proto__” can't be a name.",
      'An audience named “VIP” already exists.',
    ]);
  });

  it('is shown on one line, and in quotation marks if nothing of it can be seen', () => {
    assert.equal(audienceName('VIP\nteam'), 'VIP team');
    assert.equal(audienceName(' \u200B'), '" ⟨U+200B⟩"');
  });

  it('is beside the entries that cannot be read', () => {
    assert.equal(
      unreadableText('VIP', ['a b', 7]),
      `Audience VIP has entries that can't be read: "a b", 7. Correct them in the setting botChats.audiences.`,
    );
  });
});
