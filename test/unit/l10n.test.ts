import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

type Words = Record<string, string>;
const read = (path: string): Words => JSON.parse(readFileSync(path, 'utf8'));
const placeholders = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort();

/** Each use of `l10n`: a call, whose text it captures, an import, how pages get theirs, or how `typeNames` gets both. */
const USE =
  /\bl10n(?:\.(?:t|markdown)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=\s*[,)])|(?=[^;()]*\} from '(?:vscode|\.\.?\/(?:common\/)?host\.ts|[./]+\/(?:presentation\/)?shown\.ts)';)|\.bundle\b| = \{|: \{ t\(|(?<=\btypeNames\(l10n)\))/g;

describe('Translations', () => {
  it('contain every string of the code in Simplified Chinese, and no others', () => {
    const literals = globSync('src/**/*.{ts,tsx}').flatMap((file) => {
      const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      const uses = [...code.matchAll(USE)];
      assert.equal(uses.length, [...code.matchAll(/\bl10n\b/g)].length, `${file} uses l10n in another way.`);
      return uses.flatMap(([, literal]) => literal ?? []);
    });
    assert.ok(literals.length > 100);
    const inCode: string[] = runInNewContext(`[${literals}]`);
    const translated = read('l10n/bundle.l10n.zh-cn.json');
    assert.deepEqual(Object.keys(translated).sort(), [...new Set(inCode)].sort());
  });

  it('keep all placeholders', () => {
    for (const [english, chinese] of Object.entries(read('l10n/bundle.l10n.zh-cn.json'))) {
      assert.deepEqual(placeholders(chinese), placeholders(english), english);
    }
  });

  it('are written as Chinese is', () => {
    const texts = { ...read('l10n/bundle.l10n.zh-cn.json'), ...read('package.nls.zh-cn.json') };
    // What is typed or is a link stands as it is.
    const proseOf = (text: string) => text.replace(/`[^`]*`|\]\(command:[^)]*\)|"完整短语"/g, '');
    const kinds: [string, RegExp][] = [
      ['another “you” than 你', /您/],
      ['a half-width sign beside Chinese', /[\u4e00-\u9fff”）][,;:!?"()]|[,;!?"()][\u4e00-\u9fff]/],
      [
        'a half-width colon before Chinese, but for a key of the block and as VS Code ends a category',
        /(?<!chat|except|where|not|^Bot Chats|\{0\}|https?):[ ]?[\u4e00-\u9fff]/,
      ],
      ['two full stops', /。[”）]*。|\.[”）]*。/],
      ['an identity without what is done', /的身份(?:$|[。，；）”])/],
      ['two words for sending to somebody', /发送到(?:[此一]个?|.{0,6}个)?聊天/],
      ['another word for the history of messages', /(?<!消息)历史记录/],
      ['another word for a copy', /迁移/],
      ['an audience without quotation marks', /接收者列表 \{\d\}/],
      ['sending as a thing', /(?:此次?|该|[条次])发送(?:的|$|[。，；：])/],
    ];
    const found = Object.values(texts).flatMap((text) =>
      kinds.flatMap(([kind, pattern]) => (pattern.test(proseOf(text)) ? `${kind}: ${text}` : [])),
    );
    assert.deepEqual(found, []);
  });

  it('contain every string of the manifest in both languages', () => {
    const english = Object.keys(read('package.nls.json')).sort();
    assert.deepEqual(Object.keys(read('package.nls.zh-cn.json')).sort(), english);
    const used = [...readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(used)].sort(), english);
  });
});
