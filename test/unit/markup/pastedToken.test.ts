import assert from 'node:assert/strict';
import { isToken, mentionsToken, pastedToken } from '../../../src/markup/pastedToken.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('A pasted token', () => {
  it('is without what was copied with it', () => {
    const assertPasted = (...texts: string[]) => {
      for (const text of texts) assert.equal(pastedToken(text), '0a1b2c3d', text);
    };
    assertPasted('0a1b2c3d', ' \u200B0a1b2c3d\n', '"0a1b2c3d"', "'0a1b2c3d';", '“0a1b2c3d”', 'Bearer 0a1b2c3d');
    assertPasted('token=0a1b2c3d', 'export BOT_TOKEN="0a1b2c3d"', '{"token": "0a1b2c3d", "id": 7}');
    assertPasted('authorization := `0a1b2c3d`', 'Authorization: Bearer 0a1b2c3d', '机器人令牌：0a1b2c3d');
    assertPasted('https://chat.example/send?a=1&token=0a1b2c3d&b=2#c', 'token=0a1b2c3d&id=7');
    assertPasted('https://chat.example/send?token=%30a1b2c3d');
    assertPasted('BOT_TOKEN="0a1b2c3d";', '$env:BOT_TOKEN = "0a1b2c3d"', 'BOT_TOKEN="0a1b2c3d" npm start');
    assertPasted("const token = '0a1b2c3d';", 'token := "0a1b2c3d"', "token = '0a1b2c3d' # for tests");
    assertPasted('"token": "0a1b2c3d",', 'token：0a1b2c3d', '机器人 Token：“0a1b2c3d”', '\u200E0a1b\u00AD2c3d\uFEFF');
    assertPasted("curl 'https://chat.example/bot/messages?chat-id=1&token=0a1b2c3d'");
    assertPasted("curl -H 'Authorization: Bearer 0a1b2c3d' https://chat.example", 'Authorization:\tBearer\t0a1b2c3d');
    assert.equal(pastedToken('?token=%zz'), '%zz');
    assert.equal(pastedToken('https://chat.example/send?token='), '');
  });

  it('is one by its form or its name', () => {
    for (const text of [
      JWT,
      `\u200B${JWT}`,
      'bearer x',
      'BOT_TOKEN=x',
      'bot-token : x',
      '$env:TOKEN = "x"',
      '{"token": 1}',
      '令牌：x',
    ])
      assert.ok(isToken(text), text);
    for (const text of ['', 'token', 'eyrie.a.b c', 'bearer', '7058314 is no token']) assert.ok(!isToken(text), text);
  });

  it('is found among other words', () => {
    const named = ['https://chat.example/batch_send?token=0a1b', '"to\u200Bken":"0a1b"', '机器人令牌：0a1b'];
    for (const text of [JWT, `30481126 ${JWT}`, '30481126 bearer x', ...named]) assert.ok(mentionsToken(text), text);
    for (const text of ['my token = 0a1b', '(token:0a1b)', '"token" : "0a1b"']) assert.ok(mentionsToken(text), text);
    const others = ['https://chat.example/batch_send?token=', 'token', 'eyrie.a.b', '令牌 30481126', 'forbearer x'];
    for (const text of others) assert.ok(!mentionsToken(text), text);
  });
});
