import assert from 'node:assert/strict';
import { missingValues } from '../../../../../src/deliveries/draft/recipients/missingValues.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { MessageTemplate } from '../../../../../src/markup/messageTemplate.ts';
import { checkProblems, readBeside, unmark, withBlock } from '../document/read.ts';

describe('Missing values of recipients', () => {
  const templateOf = (text: string) => new MessageTemplate({ contentType: 'markdown', content: { text } });
  const table = parseRecipientTable(
    ['id,order,link', '1,A-1,https://a.example', '2,,https://a.example', '3,A-3,#N/A', '4, ,none'].join('\n'),
    'user',
  );

  const linesOf = (missing: Awaited<ReturnType<typeof missingValues>>['empty']) =>
    Array.from(missing, ([name, { count, first }]) => ({ name, count, line: first.line }));

  const idsOf = (chats: Iterable<{ id: string }>) => Array.from(chats, ({ id }) => id).join();

  it('are counted for each variable, with the line of the first', async () => {
    const template = templateOf('{{order}} [a]({{link}}) {{nickname}} {{ordr}}');
    const { empty, notAddress, sheetErrors, chats } = await missingValues(template, await table);
    assert.deepEqual(linesOf(empty), [{ name: 'order', count: 2, line: 3 }]);
    assert.deepEqual(linesOf(notAddress), [{ name: 'link', count: 2, line: 4 }]);
    assert.deepEqual(linesOf(sheetErrors), []);
    assert.equal(idsOf(chats), '2,3,4');
  });

  it('are no values with line breaks, which are counted, too', async () => {
    const file = 'id,address\n1,"1 Main Street\nRiverside"\n2," one line\n"\n3,"2 Main Street\r\nBern"';
    const { severalLines, empty, chats } = await missingValues(
      templateOf('{{address}} {{name}}'),
      await parseRecipientTable(file, 'user'),
    );
    assert.deepEqual([...linesOf(severalLines), ...linesOf(empty)], [{ name: 'address', count: 2, line: 2 }]);
    assert.equal(idsOf(chats), '1,3');
  });

  it('have a default, or not', async () => {
    const { empty } = await missingValues(templateOf('{{order|none}}'), await table);
    assert.deepEqual([...empty], []);
  });

  it('are known at once while the variables stay the same, and counted for others', async () => {
    const rows = await table;
    const counts = async (text: string) => {
      const { empty, notAddress } = await missingValues(templateOf(text), rows);
      return [...empty, ...notAddress].map(([name, { count }]) => `${name} ${count}`);
    };
    const isKnown = async (text: string) =>
      (await Promise.race([missingValues(templateOf(text), rows), undefined])) !== undefined;
    assert.deepEqual(await counts('Hi {{order}}'), ['order 2']);
    assert.equal(await isKnown('Good morning {{order}}!'), true);
    for (const [text, expected] of [
      ['Hi', []],
      ['{{order}} {{order}}', ['order 2']],
      ['{{order|none}}', []],
      ['[a]({{order}})', ['order 4']],
    ] as const) {
      assert.equal(await isKnown(text), false, text);
      assert.deepEqual(await counts(text), expected, text);
      assert.deepEqual(await counts('Hi {{order}}'), ['order 2']);
    }
  });

  describe('are said where the variables are', () => {
    /** What is said of the marked variables in a draft to the people in a file. */
    const hasProblems = async (csv: string, body: string, ...said: string[]) => {
      const marked = withBlock('recipients: all.csv', 'kind: person').replace('Hi', body);
      checkProblems(marked, (await readBeside({ 'all.csv': csv }, unmark(marked).text)).problems, said);
    };

    it('with the marks that are sent around an empty one', () =>
      hasProblems(
        'id,name,order,city\n7058314,Ann,1\n7102649\n7230581,Cy,3,Oslo',
        'Dear **‹{{name}}›**, ‹{{order}}› ‹{{city|}}›',
        'warning: {{name}} is empty for 1 recipient, on line 3 of all.csv. The marks around it are sent: ****',
        'warning: {{order}} is empty for 1 recipient, on line 3 of all.csv.',
        'warning: {{city}} is empty for 2 recipients, first on line 2 of all.csv.',
      ));

    it('unless they have a default: then, errors of spreadsheets and line breaks are', async () => {
      const rows = [
        '1,#N/A,#1,"a\nb",',
        '2,Bo,#REF!,c,',
        '3,#VALUE!,A-1,d,',
        '4,Di,# 4,"e\nf",',
        '5,##########,none,f,"g\nh"',
      ];
      await hasProblems(
        ['id,name,order,address,note', ...rows].join('\n'),
        'Dear ‹{{name|friend}}›, ‹{{order}}›, ‹{{address}}› ‹{{note|none}}›',
        'warning: {{name}} is a spreadsheet error, such as #N/A, for 3 recipients, first on line 2 of all.csv.',
        'warning: {{order}} is a spreadsheet error, such as #N/A, for 1 recipient, on line 4 of all.csv.',
        'warning: {{address}} has line breaks for 2 recipients, first on line 2 of all.csv. Spaces are sent instead.',
        'warning: {{note}} has line breaks for 1 recipient, on line 8 of all.csv. Spaces are sent instead.',
      );
    });

    it('if one that should be an address is none, or goes to several hosts', async () => {
      const csv = 'id,link,url,other\n1,https://a.test,ftp,a\n2,https://b.test,https://c.test,#N/A';
      await hasProblems(
        csv,
        '[a](‹{{link}}›) [b](‹{{url}}›) [c](‹{{other}}›)',
        'warning: The links in {{link}} go to 2 hosts: a.test, b.test.',
        "{{url}} isn't a web address for 1 recipient, on line 2 of all.csv.",
        "{{other}} isn't a web address for 2 recipients, first on line 2 of all.csv.",
      );
    });
  });
});
