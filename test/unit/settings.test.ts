import assert from 'node:assert/strict';
import manifest from '../../package.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };
import { readAddress } from '../../src/service/address.ts';
import { AlertWords } from '../../src/sidebar/activity/activityRules.ts';

interface Property {
  readonly order: number;
  readonly scope: string;
  readonly ignoreSync?: boolean;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly items?: object;
}

const sections: { title: string; properties: Record<string, Property> }[] = manifest.contributes.configuration;
const properties = new Map(sections.flatMap(({ properties }) => Object.entries(properties)));

/** Whether the settings editor accepts a text, as it matches: anywhere in the text, by code points. */
const accepts = (name: string, text: string) =>
  new RegExp(properties.get(`botChats.${name}`)?.pattern ?? assert.fail(name), 'u').test(text);

describe('The settings editor', () => {
  it('shows settings in sections, in order', () => {
    const titles = new Map(Object.entries(english));
    const shown = sections.map(({ title, properties }) => [
      titles.get(title.slice(1, -1)),
      Object.values(properties).map(({ order }) => order),
    ]);
    assert.deepEqual(shown, [
      ['Connection', [1, 2, 3, 4, 5]],
      ['Lists', [1, 2, 3, 4]],
      ['History', [1, 2]],
      ['Sending', [1, 2, 3]],
      ['IDs', [1, 2, 3]],
      ['Watching', [1, 2, 3]],
      ['Agents', [1, 2, 3]],
    ]);
  });

  it('has a label and a description for every choice, and a message for every pattern', () => {
    for (const [name, setting] of properties) {
      const choices = setting.enum?.length;
      assert.deepEqual(
        [setting.enumItemLabels?.length, setting.markdownEnumDescriptions?.length],
        [choices, choices],
        name,
      );
      assert.equal(typeof setting.patternErrorMessage, typeof setting.pattern, name);
    }
  });

  it('links only to settings that there are', () => {
    for (const text of Object.values(english)) {
      for (const [, name = ''] of text.matchAll(/`#(botChats\.[^#]*)#`/g)) assert.ok(properties.has(name), name);
    }
  });

  it('accepts the addresses that the extension can use, and no others', () => {
    const texts = [
      'https://a.example',
      ' HTTPS://a.example/b@c/ ',
      'http://[::1]:8787/web',
      'https://a.example:8443/b/c',
    ];
    const others = [
      'a.example',
      'ftp://a.example',
      'https://',
      'https://me:x@a.example',
      'https://a.example?b',
      'https://a.example/#',
    ];
    for (const name of ['service.webUrl', 'service.openApiUrl']) {
      for (const text of texts)
        assert.deepEqual([accepts(name, text), 'url' in readAddress(text, { token: false })], [true, true], text);
      for (const text of others)
        assert.deepEqual([accepts(name, text), 'url' in readAddress(text, { token: false })], [false, false], text);
      assert.ok(accepts(name, ''));
    }
  });

  it('accepts words that search can find', () => {
    const { pattern } = (properties.get('botChats.watching.words')?.items ?? {}) as { pattern: string };
    for (const word of ['deploy', '"release notes"', '发布', '🚀', 'ｖ２', '!', '""', ' ', '-'])
      assert.equal(new RegExp(pattern, 'u').test(word), new AlertWords([word]).unusable.length === 0, word);
  });

  it('accepts patterns of IDs without lookarounds and backreferences', () => {
    for (const text of ['', '[0-9]{6,10}', '(?:u|g)\\d+', '(?<kind>u)\\d', '\\\\1', '\\(?='])
      assert.ok(accepts('ids.pattern', text), text);
    for (const text of ['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<k>a)\\k<k>'])
      assert.ok(!accepts('ids.pattern', text), text);
  });
});

describe('The settings of a workspace', () => {
  /** Those that VS Code accepts only in user settings. */
  const ofTheUser = [...properties].filter(([, { scope }]) => scope === 'application');

  it('are never about the connection, remote images, who gets nothing, and agents', () => {
    const sensitive = [...properties.keys()].filter((name) =>
      /^botChats\.(service|agents)\.|remoteImagesIn$|never$/.test(name),
    );
    assert.deepEqual(
      ofTheUser.map(([name]) => name),
      sensitive,
    );
  });

  it('and of a remote computer or a container can’t connect either: the extension runs on the user’s own', () => {
    // In a remote window, VS Code takes the scope `machine` from the remote's settings, which a repository's container may set.
    for (const [name, { scope }] of properties) assert.notEqual(scope, 'machine', name);
    assert.equal(manifest.extensionKind[0], 'ui');
    const ofTheComputer = [...properties].filter(([, { ignoreSync }]) => ignoreSync).map(([name]) => name);
    assert.deepEqual(
      ofTheComputer,
      [...properties.keys()].filter((name) => name.startsWith('botChats.service.')),
    );
  });

  it('apply to the whole window, not to one of several folders', () => {
    const others = [...properties].filter((setting) => !ofTheUser.some(([name]) => name === setting[0]));
    for (const [name, { scope }] of others) assert.equal(scope, 'window', name);
  });

  it('are ignored until it is trusted', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const ignored = new Set([...restrictedConfigurations, ...ofTheUser.map(([name]) => name)]);
    for (const name of properties.keys()) assert.ok(ignored.has(name), name);
  });
});
