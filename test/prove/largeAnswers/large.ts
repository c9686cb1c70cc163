/** Answers near or beyond the client's size limits: a compact description, and the text made from it. */
import fc from 'fast-check';
import { OPERATIONS, type Operation } from '../../../src/service/operations.ts';
import { examples } from '../../unit/service/answering.ts';

/** The token of a call, which answers may quote. */
export const TOKEN = 'tok-6f1d2c9a8b7e-5d4c3b2a';

/** Limits of one message. */
const PART = { characters: 700_000, values: 5_000 };

/** Numbers of messages requested, or of receivers sent to. */
const COUNTS = [1, 50, 1000];

const texts = {
  plain: 'x',
  chinese: '爱',
  escaped: '\\u7231',
  lines: '\\n',
  quotes: '\\"',
  backslashes: '\\\\',
  token: `say ${TOKEN} `,
  parameters: '?token=a&',
  blanks: ' ',
  surrogates: '\\ud834',
  unseen: '\u200b',
  'unseen in turns': '\u200b\u202e',
  tags: '<b>',
  ticks: '` `` ``` ',
  links: '[a](//b) ',
  'fields of a form': '{\\"label\\":1},',
} as const;

const elements = {
  'empty objects': () => '{}',
  'empty lists': () => '[]',
  zeros: () => '0',
  'empty texts': () => '""',
  nulls: () => 'null',
  'digits for texts': (at: number) => `{"msgId":"m${at}","senderNickname":${at},"content":{"text":${at}}}`,
  'bare messages': (at: number) => `{"msgId":"m${at}"}`,
  'one message': () => '{"msgId":"m"}',
  'odd messages': (at: number) =>
    `{"msgId":"m${at}","parentId":{},"senderId":[],"senderType":{},"sendTime":"x","content":[]}`,
  'messages from the future': (at: number) => `{"msgId":"m${at}","sendTime":${9e15 + at},"contentType":"a${at}"}`,
  'some that can be read': (at: number) => (at % 2 ? '{}' : `{"msgId":"m${at}","sendTime":${at % 7}}`),
  receipts: (at: number) => `{"msgId":"${at}","recvId":"${at}","recvType":"user"}`,
  'one receiver': () => '{"msgId":"m","recvId":"r"}',
  'receivers by number': (at: number) => `{"recvId":${at}}`,
  'odd receivers': (at: number) => `{"recvId":" ${at}"}`,
} as const;

/** What one message or resource may be filled with. */
const fillings = {
  buttons: () => '{}',
  'rows of buttons': () => '[{}]',
  'empty rows': () => '[]',
  'whole buttons': (at: number) => `{"text":"a${at}","actionType":1,"url":"https://a.example/${at}"}`,
  'odd buttons': () => '{"text":[],"actionType":{},"url":[],"value":{}}',
  numbers: (at: number) => `${at}`,
  names: (at: number) => `"${at}"`,
} as const;

export interface Large {
  readonly count: number;
  /** What the answer is filled with. */
  readonly what: keyof typeof texts | keyof typeof elements | keyof typeof fillings | 'keys' | 'levels';
  /** Size as a multiple of the limit. */
  readonly fill: number;
  readonly where: keyof typeof places;
  /** Number of list elements that the texts are spread over. */
  readonly pieces: number;
}

const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T)[];

export const larges = (): fc.Arbitrary<Large> =>
  fc.record({
    count: fc.constantFrom(...COUNTS),
    what: fc.oneof(
      fc.constantFrom(...keysOf(texts)),
      fc.constantFrom(...keysOf(elements)),
      fc.constantFrom(...keysOf(fillings)),
      fc.constantFrom('keys' as const, 'levels' as const),
    ),
    fill: fc.oneof(fc.double({ min: 0.9, max: 0.999, noNaN: true }), fc.constantFrom(0.3, 1.01, 2)),
    where: fc.constantFrom(...keysOf(places)),
    // 40 texts of 100,000 bytes nearly reach the limit of an answer.
    pieces: fc.constantFrom(1, 40, 40, 1000),
  });

const rows = { ...OPERATIONS.lookups, ...OPERATIONS.bots };

/** The answer to a call. */
export function textOfLarge({ count, what, fill, where, pieces }: Large, wanted: Operation): string {
  const { bytes, values, elements: most } = rows[wanted].limits(count);
  const many = (most: number, one: (at: number) => string) =>
    Array.from({ length: Math.floor(most * fill) }, (_, at) => one(at));
  const id = (at: number) => `"msgId":"m${at}","recvId":"r${at}"`;

  if (what in elements) {
    const make = elements[what as keyof typeof elements];
    const each = valuesIn(make(1));
    return answer(wanted, many(Math.min(values / each, most), make));
  }
  if (what in fillings) {
    const make = fillings[what as keyof typeof fillings];
    const of = Math.min(PART.values, values) / valuesIn(make(1));
    const filled = many(of, make).join();
    const full = Math.max(1, Math.floor((values / PART.values) * fill));
    return answer(
      wanted,
      Array.from(
        { length: full },
        (_, at) => `{${id(at)},"content":{"buttons":[${filled}],"at":[]},"medals":[${filled}]}`,
      ),
    );
  }
  if (what === 'keys') {
    const keys = many(Math.min(PART.values, values), (at) => `,"${at % 3 ? `key ${at}` : at}":"__proto__"`).join('');
    const full = Math.max(1, Math.floor((values / PART.values) * fill));
    return answer(
      wanted,
      Array.from({ length: full }, (_, at) => `{${id(at)},"__proto__":{}${keys}}`),
    );
  }
  if (what === 'levels') {
    const depth = Math.floor((fill > 1 ? 5_000 : 96) * fill);
    const deep = `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;
    return answer(
      wanted,
      many(values / (depth + 4), (at) => `{${id(at)},"content":${deep}}`),
    );
  }
  const unit = texts[what as keyof typeof texts];
  const isList = isListed(wanted);
  const parts = isList ? Math.max(pieces, Math.ceil(bytes / PART.characters)) : 1;
  const size = new TextEncoder().encode(unit).length;
  const text = unit.repeat(
    Math.floor(Math.min((bytes * fill) / parts / size, (PART.characters * fill) / unit.length - 9)),
  );
  return answer(
    wanted,
    Array.from(
      { length: parts },
      (_, at) => `{${id(at)},${isList ? places[where](text, at) : `"introduction":"${text}"`}}`,
    ),
  );
}

/** Where a text can be in a message. */
const places = {
  text: (text: string) => `"contentType":"text","content":{"text":"${text}"}`,
  markdown: (text: string) => `"contentType":"markdown","content":{"text":"${text}"}`,
  html: (text: string) => `"contentType":"html","content":{"text":"${text}"}`,
  name: (text: string) => `"senderNickname":"${text}","commandName":"a"`,
  'an address': (text: string) => `"contentType":"image","content":{"imageUrl":"https://a.example/${text}"}`,
  'a button': (text: string) => `"content":{"buttons":[{"text":"a","actionType":2,"value":"${text}"}]}`,
  'a form': (text: string) => `"contentType":"form","content":{"formJson":"[${text}{}]"}`,
  'a kind of its own': (text: string, at: number) => `"contentType":"a${at}","content":{"a":"${text}"}`,
  'what cannot be read': (text: string) => `"msgId":7,"content":"${text}"`,
  'the ID': (text: string, at: number) => `"msgId":"${at}${text}"`,
} as const;

/** Number of values in a JSON text. */
function valuesIn(json: string): number {
  return 1 + (json.match(/[,[{]/g)?.length ?? 0);
}

const fieldOf = (wanted: Operation) => Object.keys(examples[wanted].data).join();
const isListed = (wanted: Operation) => Array.isArray(examples[wanted].data[fieldOf(wanted)]);

function answer(wanted: Operation, elements: string[]): string {
  const all = elements.join();
  const fields = elements.length === 1 ? all.slice(1, -1) : `"medals":[${all}]`;
  const data = isListed(wanted) ? `[${all}]` : `{"${wanted}Id":"1",${fields}}`;
  return `{"code":1,"msg":"success","data":{"${fieldOf(wanted)}":${data}}}`;
}
