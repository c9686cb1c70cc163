import assert from 'node:assert/strict';
import { assertRefused, dataOf, type Served, served } from './served.ts';

type Json = Record<string, unknown>;

/** A copy of a body with the value at a path such as `content.buttons.0` replaced, or removed if undefined. */
function withValue(body: Json, path: string, value: unknown): Json {
  const copy = structuredClone(body);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce((at, step) => at[step] as Json, copy);
  holder[last] = value;
  return copy;
}

const buttons = [[{ text: 'Open', actionType: 1, url: 'https://example.com', value: 'v' }]];
const contents = {
  text: { text: 'Hello', buttons },
  markdown: { text: '# Hello', buttons },
  html: { text: '<b>Hello</b>', buttons },
  image: { imageKey: 'a.png', buttons },
  file: { fileName: 'a.pdf', fileUrl: 'https://example.com/a.pdf', buttons },
};

const noText = [null, 0, true, {}, ['x']];
const noList = [null, 'x', 0, true, {}];
const noObject = [null, 'x', 0, true];
const required = (values: readonly unknown[]) => [undefined, ...values];
const filled = required(['', ...noText]);

/** The fields of 4.5 and 2.8, with invalid values. */
const fields: Record<string, readonly unknown[]> = {
  recvIds: required(noList),
  'recvIds.0': noText,
  'recvIds.1': noText,
  recvType: required([...noText, '', 'bot', 'Group', 'group ']),
  contentType: required([...noText, '', 'video', 'Text', 'text ', '__proto__', 'constructor']),
  content: required(noObject),
  'content.buttons': noList,
  'content.buttons.0': noList,
  'content.buttons.0.0': noObject,
  'content.buttons.0.0.text': required(noText),
  'content.buttons.0.0.actionType': required([...noText, '1', 4, -1, 1.5]),
  'content.buttons.0.0.url': noText,
  'content.buttons.0.0.value': noText,
};

/** The fields of 2.7, by contentType. */
const contentFields: Record<keyof typeof contents, readonly string[]> = {
  text: ['text'],
  markdown: ['text'],
  html: ['text'],
  image: ['imageKey'],
  file: ['fileName', 'fileUrl'],
};

describe('Sandbox request bodies', () => {
  let service: Served;
  before(async () => {
    service = await served({ messages: 0 });
  });
  after(() => service.close());

  const urlOf = (operation: string) => {
    const { webUrl, openApiUrl } = service.sandbox;
    if (operation === 'group-info') return `${webUrl}/v1/group/group-info`;
    if (operation === 'bot-info') return `${webUrl}/v1/bot/bot-info`;
    return `${openApiUrl}/open-apis/v1/bot/batch_send?token=${service.token}`;
  };
  const bodies: Record<string, Json> = {
    'group-info': { groupId: 'big' },
    'bot-info': { botId: '30481126' },
    batch_send: { recvIds: [], recvType: 'group', contentType: 'text', content: { text: 'Hello' } },
  };
  /** The recorded texts for content. */
  const refusedFor = (field: string) => {
    if (field === 'contentType') return /^contentType取值错误，请翻看文档$/;
    if (/^content(?!\.buttons)/.test(field)) return /^消息内容不能为空$/;
    return new RegExp(`^参数错误: ${field.replaceAll('.', '\\.')}$`);
  };

  for (const [operation, body] of Object.entries(bodies)) {
    describe(`of ${operation}`, () => {
      it('must be a JSON object', async () => {
        const nested = '['.repeat(100_000);
        for (const bad of ['', '{', 'null', '[]', '[{}]', '"big"', '1', 'true', "{'a':1}", '{}{}', nested]) {
          assertRefused(await service.post(urlOf(operation), bad), 1002, /^请求参数应为json格式$/);
        }
      });

      it('must be sent as application/json', async () => {
        const ask = (type?: string) => {
          // Bytes, because fetch sets a content type for text.
          const init = { method: 'POST', body: new TextEncoder().encode(JSON.stringify(body)) };
          return service.ask(
            urlOf(operation),
            type === undefined ? init : { ...init, headers: { 'Content-Type': type } },
          );
        };
        for (const type of [
          undefined,
          'text/plain',
          'text/json',
          'application/jsonx',
          'application/problem+json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
        ]) {
          assertRefused(await ask(type), 1002, /^请求参数应为json格式$/);
        }
        for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=utf-8']) {
          dataOf(await ask(type));
        }
      });

      it('may have unknown fields', async () => {
        const text = JSON.stringify(body).replace('{', '{"__proto__":{},"constructor":1,"toString":null,"extra":[{}],');
        dataOf(await service.post(urlOf(operation), text));
      });

      it('must have their own fields, not in a prototype or the query', async () => {
        const [field = ''] = Object.keys(body);
        const text = `{"__proto__":${JSON.stringify(body)}}`;
        assertRefused(
          await service.post(urlOf(operation), text),
          1002,
          /^(参数错误: (groupId|botId)|contentType取值错误，请翻看文档)$/,
        );
        const url = new URL(urlOf(operation));
        url.searchParams.set(field, 'big');
        assertRefused(await service.post(url.href, withValue(body, field, undefined)), 1002, refusedFor(field));
      });
    });
  }

  for (const [operation, field] of [
    ['group-info', 'groupId'],
    ['bot-info', 'botId'],
  ] as const) {
    it(`of ${operation} need text as ${field}`, async () => {
      for (const value of required(noText)) {
        assertRefused(await service.post(urlOf(operation), { [field]: value }), 1002, refusedFor(field));
      }
      assertRefused(await service.post(urlOf(operation), { [field.toLowerCase()]: 'big' }), 1002, refusedFor(field));
    });
  }

  describe('of batch_send', () => {
    const bodyOf = (contentType: keyof typeof contents) => ({
      recvIds: ['518204736', '518204736'],
      recvType: 'group',
      contentType,
      content: contents[contentType],
    });
    const total = async () => dataOf(await service.messages({ before: '10' })).total;

    for (const contentType of Object.keys(contents) as (keyof typeof contents)[]) {
      const ofContent = contentFields[contentType].map((field) => [`content.${field}`, filled] as const);
      it(`with ${contentType} are refused for each invalid field, and nothing is sent`, async () => {
        for (const [field, values] of [...Object.entries(fields), ...ofContent]) {
          for (const value of values) {
            assertRefused(await service.send(withValue(bodyOf(contentType), field, value)), 1002, refusedFor(field));
          }
        }
        assert.equal(await total(), 0);
      });
    }

    it('need the content of their contentType', async () => {
      for (const [contentType, [field = '']] of Object.entries(contentFields)) {
        const other = contentType === 'image' ? contents.file : contents.image;
        const answer = await service.send({ contentType, content: other });
        assertRefused(answer, 1002, refusedFor(`content.${field}`));
      }
      assertRefused(await service.send({ content: [] }), 1002, refusedFor('content'));
      assert.equal(await total(), 0);
    });
  });
});
