import assert from 'node:assert/strict';
import { variableProblems } from '../../../../../src/deliveries/draft/recipients/variableProblems.ts';
import { forbiddenPlaceText } from '../../../../../src/deliveries/draft/recipients/variableText.ts';
import { checkMistake, checkProblems, read, readBeside, unmark, withBlock } from '../document/read.ts';

const SHOP = 'https://shop.example';
const AFTER_HOST = forbiddenPlaceText('path', 'afterHost');
const inHost = (name: string) =>
  `{{${name}}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.`;

describe('A variable where no value can be', () => {
  const found = (text: string, keepFrontMatter = false) =>
    variableProblems(text, read(text, keepFrontMatter), undefined);
  const hasProblems = (marked: string, ...said: string[]) => checkProblems(marked, found(unmark(marked).text), said);

  it('is an error in the text, with its place and a fix if one is obvious', () => {
    const link = (path: string) => `{{x}} \`{{c}}\` \\{{d}} [a](${SHOP}${path}) {{y}}`;
    checkMistake(link('‹{{path}}›'), found(link('{{path}}')), AFTER_HOST, [link('/{{path}}')]);
    hasProblems(link('/{{path}}'));
    hasProblems('https://‹{{host}}›/{{x}}', inHost('host'));
    hasProblems('{{x}} [a](‹{{url}}›.evil.example) [b]({{url}}/b)', forbiddenPlaceText('url', 'continued'));
    hasProblems(
      withBlock('type: html').replace('Hi', '<p onclick="‹{{x}}›" title="{{x}}">'),
      forbiddenPlaceText('x', 'attribute'),
    );
  });

  it('is an error in buttons and files', () => {
    const buttons = withBlock(
      '# {{path}}',
      'buttons:',
      '  - - text: "{{path}}"',
      `      opens: ${SHOP}‹{{path}}›`,
      '    - text: Copy',
      '      copies: "https://‹{{host}}›/{{path}}"',
      '    - text: Open',
      '      opens: "http‹{{s}}›://shop.example:‹{{port}}›/"',
    );
    hasProblems(buttons, AFTER_HOST, inHost('host'), inHost('s'), inHost('port'));
    // The same text where a backslash keeps one of the variables isn't meant.
    hasProblems(
      withBlock('# \\{{url}}.a/{{x}}', 'buttons:', '  - text: a', '    opens: "‹{{url}}›.a/{{x}}"'),
      forbiddenPlaceText('url', 'continued'),
    );
    hasProblems(
      withBlock('type: file', 'fileName: a', 'fileUrl: https://‹{{host}}›/a').replace('Hi', ''),
      inHost('host'),
    );
  });

  it('is shown at the top if its text is written in another way', () => {
    hasProblems(withBlock('buttons:', '  - text: Open', `    opens: "${SHOP}{\\x7bpath}}"`));
    const folded = withBlock('buttons:', '  - text: Open', '    copies: "a  b https://{{host}}/', '      c"');
    hasProblems(`‹---›${folded.slice(3)}`, inHost('host'));
  });

  it('is found in the text if front matter is sent, too', () => {
    const text = (path: string) => `---\ntitle: "{{title}}"\nchat:\n  bot: 1\n---\n\n[a](${SHOP}${path})`;
    checkMistake(text('‹{{path}}›'), found(text('{{path}}'), true), AFTER_HOST, [text('/{{path}}')]);
  });
});

/** A draft to the people in a file. */
const toFile = (body: string, ...block: string[]) =>
  withBlock('recipients: all.csv', 'kind: person', ...block).replace('Hi', body);

async function hasProblems(csv: string, marked: string, ...said: string[]) {
  const { problems } = await readBeside({ 'all.csv': csv }, unmark(marked).text);
  checkProblems(marked, problems, said);
}
async function hasMistake(csv: string, marked: string, said: string, ...fixed: string[]) {
  const { problems } = await readBeside({ 'all.csv': csv }, unmark(marked).text);
  checkMistake(marked, problems, said, fixed);
}

const NO_FILE = 'Its values can come from a CSV file that the chat: block names as recipients. ';
const unknown = (name: string, source = '') =>
  `Unknown variable {{${name}}}. ${source}To send the braces as they are, put a backslash before them.`;

describe('A variable that nothing stands for', () => {
  it('can be renamed to a column that looks like it, before what the profile has, or sent as it is', async () => {
    for (const [column, name, ...suggested] of [
      ['order', 'oder', '{{order}}'],
      ['FIRST NAME', 'first  name', '{{FIRST NAME}}'],
      ['Num', 'Ｎｕｍ', '{{Num}}'],
      ['Ｎａｍｅ', 'Name', '{{Ｎａｍｅ}}'],
      // No variable can have such a name.
      ['cit|y', 'city'],
      ['order', 'x'],
    ] as const) {
      const fixed = [...suggested, `\\{{${name}}}`].map((one) => toFile(one));
      await hasMistake(`id,${column}\n7,Ann`, toFile(`‹{{${name}}}›`), unknown(name.replace('  ', ' ')), ...fixed);
    }
  });

  it('isn’t one whose column has line breaks in its name', async () => {
    await hasProblems('id,"姓名\n (必填)\r\n"\n7,Ann', toFile('{{姓名 (必填)}}'));
  });

  it('can get its values from a file, if the keys of the block have lines of their own', async () => {
    const document = (block: string, body: string) => `---\nchat:${block}\n---\n\nHi ${body}`;
    const inLines = '\n    people: [1]';
    const inBraces = ' { people: [1] }';
    const named = document(`\n    recipients: $1${inLines}`, '{{shift}}');
    const said = unknown('shift', NO_FILE);
    await hasMistake('', document(inLines, '‹{{shift}}›'), said, named, document(inLines, '\\{{shift}}'));
    await hasMistake('', document(inBraces, '‹{{shift}}›'), said, document(inBraces, '\\{{shift}}'));
  });

  it('can be written with the plain bar in place of a full-width one', async () => {
    const document = (variable: string) => withBlock('people: [1]').replace('Hi', variable);
    for (const [name, plain] of [
      ['name｜朋友', '{{name|朋友}}'],
      ['nickname ｜ a ｜ b', '{{nickname|a|b}}'],
    ] as const)
      await hasMistake('', document(`‹{{${name}}}›`), unknown(name, NO_FILE), document(plain));
  });

  it('is mended in the quotation marks that it is in', async () => {
    const inButton = (text: string) => toFile('Hi', 'buttons:', `  - text: ${text}`, '    copies: a');
    for (const [marked, name, ...fixed] of [
      ['"Hi ‹{{x}}›"', 'x', '"Hi \\\\{{x}}"'],
      ["'Hi ‹{{x}}›'", 'x', "'Hi \\{{x}}'"],
      ['Hi ‹{{x}}›', 'x', 'Hi \\{{x}}'],
      ['Hi ‹{{TimeUTC}}›', 'TimeUTC', 'Hi {{Time:UTC}}', 'Hi \\{{TimeUTC}}'],
      // A plain value can't have a colon before a blank, or a number sign after one.
      ['Hi ‹{{Day UTC}}›', 'Day UTC', 'Hi \\{{Day UTC}}'],
      ['Hi ‹{{Order}}›', 'Order', 'Hi \\{{Order}}'],
      ['"Hi ‹{{Order}}›"', 'Order', '"Hi {{Order #}}"', '"Hi \\\\{{Order}}"'],
      ['"Hi ‹{{Day UTC}}›"', 'Day UTC', '"Hi {{Day: UTC}}"', '"Hi \\\\{{Day UTC}}"'],
      ['"Hi ‹{{anns}}›"', 'anns', `"Hi {{Ann's}}"`, '"Hi \\\\{{anns}}"'],
      ["'Hi ‹{{anns}}›'", 'anns', "'Hi {{Ann''s}}'", "'Hi \\{{anns}}'"],
      ['"Hi ‹{{the best|a}}›"', 'the best', '"Hi {{the \\"best\\"|a}}"', '"Hi \\\\{{the best|a}}"'],
    ] as const)
      await hasMistake(
        `id,Ann's,"the ""best""",Order #,Time:UTC,Day: UTC\n7,1,2,3,4,5`,
        inButton(marked),
        unknown(name),
        ...fixed.map((one) => inButton(one)),
      );
  });
});

describe('A column that a variable doesn’t stand for', () => {
  const inCode = 'Variables in code stay as they are: {{order}}.';

  it('is warned of in code and after a backslash, and is an error if no variable is left', async () => {
    const csv = 'id,order\n7,1';
    await hasProblems(csv, toFile('{{order}} `‹{{order}}›` `{{other}}`'), `warning: ${inCode}`);
    await hasProblems(csv, toFile('`‹{{order}}›`'), inCode);
    const said = 'warning: Because of the backslash, {{order}} stays as it is.';
    await hasProblems(csv, toFile('C:‹\\{{order}}› `\\{{order}}` \\{{other}}'), said);
  });

  it('is warned of if the profile has a value of that name', async () => {
    const said = "warning: {{name}} is from each recipient's profile, not from the column Name.";
    await hasMistake('id,Name\n7,Ann', toFile('‹{{name}}›'), said, toFile('{{Name}}'));
    await hasProblems('id,Name,name2\n7,Ann,a', toFile('{{Name}} {{nickname}} {{id}}'));
  });

  it('is unknown at the top if YAML puts its name together from several lines', async () => {
    const button = toFile('Hi', 'buttons:', '  - text: "{{or', '      der}}"', '    copies: a');
    await hasProblems('id,order\n7,1', `‹---›${button.slice(3)}`, unknown('or der'));
  });
});

describe('A column in the marks of another program', () => {
  const said = (written: string, name: string) =>
    `warning: ${written} isn't a variable, so it's sent as it is. To insert values, write {{${name}}}.`;
  const CSV = 'id,name,姓名\n7058314,Ann,安\n7102649,Bo,波';

  it('can become a variable in the text', async () => {
    for (const [written, name, other] of [
      ['{name}', 'name', '姓名'],
      ['{ Name }', 'name', '姓名'],
      ['$' + '{name}', 'name', '姓名'],
      ['«name»', 'name', '姓名'],
      ['｛姓名｝', '姓名', 'name'],
      ['【姓名】', '姓名', 'name'],
    ] as const) {
      const fixed = toFile(`{{${other}}} {{${name}}}, hi`);
      await hasMistake(CSV, toFile(`{{${other}}} ‹${written}›, hi`), said(written, name), fixed);
      await hasProblems(CSV, fixed);
    }
    await hasProblems(CSV, toFile('{{name}} {{姓名}} 【姓名】 {other} `{name}` \\{name} {{{name}}} [name] <name>'));
  });

  it('can become one in the buttons, with the quotes that it needs there', async () => {
    const inButton = (lines: string) => toFile('Hi', 'buttons:', lines);
    for (const [marked, written, name, fixed] of [
      ['- text: "For ‹{name}›"\n  copies: a', '{name}', 'name', '- text: "For {{name}}"\n  copies: a'],
      ['- text: For ‹{ Name }›\n  copies: a', '{ Name }', 'name', '- text: "For {{name}}"\n  copies: a'],
      ['- text: For ‹{name}›  # who\n  copies: a', '{name}', 'name', '- text: "For {{name}}"  # who\n  copies: a'],
      ["- { text: a, copies: '?o=‹«name»›' }", '«name»', 'name', "- { text: a, copies: '?o={{name}}' }"],
      ['- { text: a, copies: ‹«name»› }', '«name»', 'name', '- { text: a, copies: "{{name}}" }'],
      ['- { copies: ‹«name»›, text: a }', '«name»', 'name', '- { copies: "{{name}}", text: a }'],
      ['- text: a\n  copies: say "‹【姓名】›"', '【姓名】', '姓名', `- text: a\n  copies: 'say "{{姓名}}"'`],
    ] as const) {
      await hasMistake(CSV, inButton(marked), said(written, name), inButton(fixed));
      await hasProblems(CSV, inButton(fixed));
    }
    // YAML writes it otherwise.
    const escaped = inButton('- text: "\\x7bname}"\n  copies: "{other}"');
    await hasProblems(CSV, `‹---›${escaped.slice(3)}`, said('{name}', 'name'));
    const repeated = inButton('- text: "‹{name}› and ‹{name}›"\n  copies: "‹{name}›"');
    await hasProblems(CSV, repeated, ...Array(3).fill(said('{name}', 'name')));
  });

  it('is found in the block alone, and gets no quotes around a part of a value', async () => {
    for (const key of ['chat:', '"chat":', 'chat :']) {
      const front = ['# Hi {name}', 'title: Hi {name} and all', key, '  recipients: all.csv', '  kind: person'];
      const buttons = ['  buttons:', '    - text: Hi {name}', '      copies: a'];
      const text = ['---', ...front, ...buttons, 'footer: Hi {name}, all', '---', '', 'Hi'].join('\n');
      const { problems } = await readBeside({ 'all.csv': CSV }, text);
      assert.deepEqual(
        problems.map(({ start, fixes }) => [text.slice(text.lastIndexOf('\n', start), start).trim(), fixes?.length]),
        [
          ['- text: Hi', 1],
          // Nobody can tell that nothing of the message stands there, but its quotes would break the line.
          ['footer: Hi', 0],
        ],
        key,
      );
    }
  });
});
