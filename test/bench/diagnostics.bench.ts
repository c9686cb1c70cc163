import { parseDraft } from '../../src/deliveries/draft/document/parseDraft.ts';
import { median, type Row, timesOf } from './bench.ts';

const SIZE = 1_000_000;
const ROUNDS = 31;

const BLOCK = `---
title: Sale
chat:
  bot: 30481126
  groups: [518204736, big]
  people: [7058314]
  buttons:
    - - text: Docs
        opens: https://example.com
      - text: Copy code
        copies: ABC
---

`;
const PART = `Some *text* with \`code ![x](y)\`, ![a picture](https://example.com/a.png) and [a link](https://example.com/).

\`\`\`js
const picture = "![x](y)";
\`\`\`

- ![another](<https://example.com/b c.png> "with a title")
`;

const PERSONAL = `Dear {{name|friend}}, your order **{{order}}** is on its way to [{{city}}](https://orders.example/{{id}}).

    {{code}}

`;

/** Measures the work after a pause in typing, in a document of 1 MB. */
export async function bench(): Promise<Row[]> {
  const text = BLOCK + PART.repeat(Math.ceil(SIZE / PART.length));
  const recipients = Array.from({ length: 10_000 }, (_, index) => `\n    - ${index}`).join('');
  const many = `---\nchat:\n  groups:${recipients}\n---\n\nHi`;
  const personal = BLOCK + PERSONAL.repeat(20) + text.slice(BLOCK.length);
  const crowded = BLOCK + PERSONAL.repeat(1_000);
  const options = { keepFrontMatter: false, audiences: () => [] };
  const time = async (document: string) =>
    median(await timesOf(Array<string>(ROUNDS).fill(document), (text) => parseDraft(text, options)));
  return [
    {
      what: 'reading a draft of 1 MB with a block, pictures and code',
      measured: await time(text),
      unit: 'ms',
      bar: 16,
    },
    { what: 'reading one with 100 variables, too', measured: await time(personal), unit: 'ms', bar: 16 },
    { what: 'reading a draft with 5,000 variables', measured: await time(crowded), unit: 'ms' },
    { what: 'reading a draft with 10,000 recipients', measured: await time(many), unit: 'ms' },
  ];
}
