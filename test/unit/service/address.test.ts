import assert from 'node:assert/strict';
import { type AddressProblem, readAddress } from '../../../src/service/address.ts';

describe('The service URL', () => {
  const urlOf = (given: string, token = true) => {
    const read = readAddress(given, { token });
    return 'url' in read ? read.url : read.problem;
  };

  it('is read without surrounding white space, what came along invisibly, and trailing slashes', () => {
    const good: [given: string, url: string][] = [
      ['https://chat.example', 'https://chat.example'],
      ['https://chat.example/', 'https://chat.example'],
      ['  https://chat.example/api// \n', 'https://chat.example/api'],
      ['\u200bhttps://chat.example/open/\u200b \u2800', 'https://chat.example/open'],
      ['https://chat.example:8443/a/b/', 'https://chat.example:8443/a/b'],
      ['HTTPS://Chat.Example', 'https://chat.example'],
      ['https://192.0.2.7', 'https://192.0.2.7'],
      ['https://[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
    ];
    for (const [given, url] of good) assert.equal(urlOf(given), url, given);
  });

  it('is rejected with a reason, even if the user allows plain http', () => {
    const bad: [given: string, problem: AddressProblem][] = [
      ['', 'empty'],
      [' \t\n', 'empty'],
      ['\u200b', 'empty'],
      ['chat.example', 'notAnAddress'],
      ['//chat.example', 'notAnAddress'],
      ['https://', 'notAnAddress'],
      ['https://chat.example:99999', 'notAnAddress'],
      ['https://chat example', 'notAnAddress'],
      ['ftp://chat.example', 'notHttp'],
      ['file:///etc/passwd', 'notHttp'],
      ['javascript:alert(1)', 'notHttp'],
      ['localhost:8787', 'notHttp'],
      ['https://person@chat.example', 'hasExtras'],
      ['https://person:secret@chat.example', 'hasExtras'],
      ['https://:secret@chat.example', 'hasExtras'],
      ['http://person:secret@chat.example', 'hasExtras'],
      ['https://chat.example/?token=x', 'hasExtras'],
      ['https://chat.example/#top', 'hasExtras'],
      // Even an empty query or fragment would swallow the path of a request.
      ['https://chat.example/?', 'hasExtras'],
      ['https://chat.example/#', 'hasExtras'],
      ['https://chat.example/api?#', 'hasExtras'],
    ];
    for (const [given, problem] of bad) {
      assert.equal(urlOf(given), problem, given);
      assert.deepEqual(readAddress(given, { token: true, allowPlainHttp: true }), { problem }, given);
    }
  });

  it('may be plain http on this machine', () => {
    const hosts = ['localhost:8787', '127.0.0.1:1', '[::1]:8787'];
    for (const host of hosts) assert.equal(urlOf(`http://${host}`), `http://${host}`);
  });

  it('must not be plain http elsewhere if requests carry a token', () => {
    const hosts = [
      'chat.example',
      '10.0.0.1',
      '192.168.1.5',
      '128.0.0.1',
      '[2001:db8::1]',
      '0.0.0.0',
      '127.9.8.7',
      // These only begin or end like this machine.
      'localhost.example',
      '127.chat.example',
      '127.0.0.1.chat.example',
      'notlocalhost',
      'localhost.chat.example',
      'chat.localhost',
    ];
    for (const host of hosts) {
      assert.equal(urlOf(`http://${host}`), 'insecure', host);
      assert.equal(urlOf(`http://${host}`, false), `http://${host}`);
    }
  });

  it('may be plain http anywhere if the user allows it', () => {
    for (const host of ['chat.example', '10.0.0.1:8080', '127.chat.example']) {
      assert.deepEqual(readAddress(`http://${host}/`, { token: true, allowPlainHttp: true }), {
        url: `http://${host}`,
      });
      assert.deepEqual(readAddress(`http://${host}`, { token: true, allowPlainHttp: false }), { problem: 'insecure' });
    }
  });
});
