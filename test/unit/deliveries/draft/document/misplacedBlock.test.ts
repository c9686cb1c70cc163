import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fixed, hasMistake, problemsOf, read } from './read.ts';

const BLOCK = 'chat:\n  groups: [518204736]\n';
const DRAFT = `---\n${BLOCK}---\n\nHi`;
const MISPLACED =
  "This chat: block would be sent as text. Move it to YAML front matter that begins with --- on the first line, or into a code block if it's an example.";
const SECOND =
  "This second chat: block would be sent as text. Merge it into the first one, or move it into a code block if it's an example.";
const isSent = (text: string) => read(text).message !== undefined;
/** Marks the key of a block. */
const marked = (text: string) => text.replace('chat:', '‹chat:›');

describe('A chat block that isn’t in front matter on the first line', () => {
  it('is an error, whose fix moves it there', () => {
    for (const [opening, closing] of [
      ['\n\n---', '---\n'],
      [' ---', '---'],
      ['\t---', ' ---'],
      ['\n\uFEFF---', '---'],
      ['\uFEFF\n---', '---'],
      ['--- yaml', '---'],
      ['----', '----'],
      ['—-', '–––'],
      ['—', '—'],
      ['+++', '+++'],
      ['－－－', '－－－'],
      ['---\u200B', '---\u200B'],
      ['\n---', '---'],
    ])
      hasMistake(marked(`${opening}\n${BLOCK}${closing}\nHi`), MISPLACED, DRAFT);
    for (const text of [`${BLOCK}Hi`, `${BLOCK}---\nHi`, '  ---\n  chat:\n    groups: [518204736]\n  ---\nHi']) {
      hasMistake(marked(text), MISPLACED, DRAFT);
      const { message, recipients, hasBlock } = read(text);
      assert.deepEqual({ message, recipients, hasBlock }, { message: undefined, recipients: [], hasBlock: true });
    }
  });

  it('is one in another case, or of several, too', () => {
    for (const key of ['Chat', 'CHAT', 'chats']) {
      hasMistake(`${BLOCK.replace('chat:', `‹${key}:›`)}\nHi`, MISPLACED, DRAFT);
      for (const other of ['\n- groups: 1', '\ngroups: yes', ' groups: [1]', '\n  group: a', '\n  Hi'])
        assert.ok(isSent(`${key}:${other}`), other);
    }
  });

  it('leaves what was above it in the message', () => {
    const move = (above: string) => fixed(`${above}---\n${BLOCK}---\nHi`);
    assert.equal(move('<!-- draft -->\n'), `---\n${BLOCK}---\n\n<!-- draft -->\nHi`);
    assert.equal(move('# Title\n\n'), `---\n${BLOCK}---\n\n# Title\n\nHi`);
    assert.equal(move('---\nHello\n---\n\n'), `---\n${BLOCK}---\n\n---\nHello\n---\n\nHi`);
  });

  it('has a fix that says what it does', () => {
    const titleFor = (text: string) => read(text).problems[0]?.fixes?.[0]?.title;
    assert.equal(titleFor(`———\n${BLOCK}———\nHi`), 'Turn into front matter');
    assert.equal(titleFor(`# Title\n\n${BLOCK}\nHi`), 'Move to the first line');
    assert.equal(titleFor(`---\ntitle: x\n---\n\n---\n${BLOCK}---\nHi`), 'Move into the front matter');
  });

  it('moves into front matter that has no block', () => {
    assert.equal(fixed(`---\ntitle: x\n---\n\n---\n${BLOCK}---\nHi`), `---\ntitle: x\n${BLOCK}---\n\nHi`);
    assert.equal(
      fixed('---\r\ntitle: x\r\n---\r\n\r\n---\r\nchat:\r\n  bot: 1\r\n---\r\nHi'),
      '---\r\ntitle: x\r\nchat:\r\n  bot: 1\n---\r\n\r\nHi',
    );
  });

  it('has no fix if more would have to change', () => {
    for (const text of [
      `---\ntitle: x\n---\n\n---\nlayout: a\n‹chat:›\n  groups: [1]\n---\nHi`,
      `---\n{ title: x }\n---\n\n---\n‹chat:›\n  groups: [1]\n---\nHi`,
      `---\n  title: x\n---\n\n---\n‹chat:›\n  groups: [1]\n---\nHi`,
      '+++\n‹[chat]›\ngroups = ["1"]\n+++\nHi',
      '+++\n‹chat = { groups = ["1"] }›\n+++\nHi',
      '\n---\n{‹chat: {groups: [1]}}›\n---\nHi',
      '{\n  ‹"chat": {›\n    "groups": ["1"]\n  }\n}\nHi',
      '\n---\n‹chat：›\n  groups: [1]\n---\nHi',
    ])
      hasMistake(text, MISPLACED);
    hasMistake(`---\n${BLOCK}---\n---\n${marked(BLOCK)}---\nHi`, SECOND);
  });

  it('may have comments, braces, misspelled keys or no indentation', () => {
    for (const block of [
      'chat: # all\n\n  # c\n  bot: 1',
      'chat: {type: text}',
      'chat: {\n  type: text\n}',
      "'chat' : &a\n  buttons: []",
      'chat:\n  to: [1]',
      'chat:\n  gruops: [1]',
      'chat:\n  x: 1\n  people: [1]',
      'chat:\ngroups: [1]',
      'chat:\n\u00A0\u00A0groups: [1]',
    ])
      assert.ok(!isSent(`\n---\n${block}\n---\nHi`), block);
  });

  it('is only text in code, within other text, or without a key of the block', () => {
    for (const text of [
      `How to:\n\n\`\`\`yaml\n---\n${BLOCK}---\n\`\`\`\n`,
      `~~~\n${BLOCK}~~~\n`,
      `- a\n  \`\`\`\n  ${BLOCK}  \`\`\`\n`,
      '    ---\n    chat:\n      groups: [1]\n    ---\n',
      '\tchat:\n\t  groups: [1]\n',
      'Text\n\n---\n\nchat: hi\n\n---\n',
      'a\n\n---\nchat:\n  hello there\n---\n',
      'chat:\n\n- people: many\n',
      'chat: see below\n  groups: a',
      'Our chat:\n  groups: many',
      'chat = talk\n  groups: many',
      '> chat:\n>   groups: [1]',
      '`chat:` goes above `groups:`',
    ]) {
      assert.ok(isSent(text), text);
      assert.deepEqual(problemsOf(text), [], text);
    }
  });

  it('doesn’t matter in a document whose text isn’t sent', () => {
    const image = '---\nchat:\n  type: image\n  imageKey: a\n---\n';
    hasMistake(`${image}‹${BLOCK}›`, "warning: The document's text isn't sent when the type is image.");
  });

  it('is never sent, whatever is around it, and its fix is complete', () => {
    const above = fc.array(
      fc.constantFrom('', ' ', '<!-- a -->', '# Title', 'Hi', '---', '--- yaml', '\uFEFF', 'a: b', '- x'),
    );
    const key = fc.constantFrom('bot: 1', 'groups: [1]', 'people:\n    - "2"', 'type: text', 'buttons: []');
    const marker = fc.constantFrom('---', ' ---', '----', '–––', '+++', '');
    const eol = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(above, marker, key, marker, fc.string(), eol, (lines, opening, line, closing, body, end) => {
        const text = [...lines, opening, 'chat:', `  ${line}`, closing, '', body].join('\n').replaceAll('\n', end);
        const { message, hasBlock } = read(text);
        assert.ok(hasBlock);
        const sent = message && 'text' in message.content ? message.content.text : '';
        assert.doesNotMatch(sent, /^chat:/m);
        const moved = fixed(text);
        if (read(text).problems[0]?.text !== MISPLACED || moved === text) return;
        const errors = read(moved).problems.filter(({ severity }) => severity === 'error');
        assert.deepEqual(
          errors.filter(({ text }) => text !== 'The message is empty.'),
          [],
          moved,
        );
      }),
    );
  });
});
