/** The client, given all kinds of answers that the contract doesn't allow. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { embedded, operationNames, operations } from '../../unit/service/answering.ts';
import { assertSecret } from '../../unit/service/secret.ts';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { assertValid, goodAnswers, type Json, odd, textOf } from './answers.ts';
import { changedAnswers, oddFields } from './changed.ts';
import { quotedTokens } from './tokens.ts';

const TOKEN = 'tok/6f1d2c+ä=';

const statuses = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 302, 304, 401, 429, 503));
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/html', 'image/png', 'text/event-stream', 'x'),
    'content-length': fc.constantFrom('0', '5', '99999999999', '-1', 'many'),
    'content-encoding': fc.constantFrom('gzip', 'br', 'x'),
    'retry-after': fc.constantFrom('0', '1', '-1', '1.5', '9'.repeat(400), 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon'),
    location: fc.constantFrom('https://evil.example', '//', ''),
  },
  { requiredKeys: [] },
);

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.record({ code: fc.constant<Json>(1), msg: odd, data: odd }).map(textOf),
  fc.record({ code: odd, msg: odd, data: odd }, { requiredKeys: [] }).map((one) => textOf(one as unknown as Json)),
);
/** Splices at random positions of an answer: offset, bytes removed, bytes inserted. */
const cuts = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 9 }), fc.uint8Array({ maxLength: 9 })), { maxLength: 6 });

/** How an answer is aborted: whether before its first byte, and where the error quotes the address. */
const breaks = fc.option(fc.tuple(fc.boolean(), fc.constantFrom('message', 'cause', 'code', 'text')), { freq: 4 });

/** An error that quotes the requested address, like those of some hosts. */
function errorQuoting(address: string, where: string): unknown {
  const message = `fetch failed: ${address}`;
  switch (where) {
    case 'cause':
      return new TypeError('fetch failed', { cause: new Error(message, { cause: new Error(message) }) });
    case 'code':
      return Object.assign(new Error(message), { code: message });
    case 'text':
      return message;
    default:
      return new TypeError(message);
  }
}

/** Answers with any status, headers and bytes, complete or aborted. */
const anyAnswers = (good: Record<Operation, Json>) => {
  const encoder = new TextEncoder();
  const changed = fc.tuple(fc.constantFrom(...operationNames), cuts).map(([name, all]) => {
    let bytes = [...encoder.encode(textOf(good[name]))];
    for (const [at, left, put] of all) bytes = bytes.toSpliced(at % (bytes.length + 1), left, ...put);
    return Uint8Array.from(bytes);
  });
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    texts.map((text) => encoder.encode(text)),
    changed,
  );
  const pieces = fc.integer({ min: 1, max: 5 });

  return {
    'whatever the service answers, an operation returns a value of its type or a ServiceError without the token':
      fc.asyncProperty(statuses, headers, bodies, pieces, breaks, async (status, headers, body, pieces, broken) => {
        const client = embedded(({ url }) => {
          const failure = broken && errorQuoting(url, broken[1]);
          if (broken?.[0]) throw failure;
          const size = Math.ceil(body.length / pieces);
          const stream = new ReadableStream({
            start(controller) {
              for (let at = 0; at < body.length; at += size) controller.enqueue(body.slice(at, at + size));
              if (broken) controller.error(failure);
              else controller.close();
            },
          });
          return new Response([204, 205, 304].includes(status) ? null : stream, { status, headers });
        });
        for (const name of operationNames) {
          const ended = await operations[name](client, undefined, TOKEN).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          if ('value' in ended) assertValid(name, ended.value);
          else {
            const { error } = ended;
            assert.ok(error instanceof ServiceError, `${name} threw ${error instanceof Error ? error.stack : error}`);
            assertSecret(error, TOKEN);
          }
        }
      }),
  };
};

async function run(effort: Effort): Promise<string[]> {
  const good = await goodAnswers();
  const properties = { ...anyAnswers(good), ...changedAnswers(good), ...oddFields(good), ...quotedTokens(good) };
  const { found, cases } = await search({ name, properties, runsPerRound: 100 }, effort);
  effort.tally('answers', cases);
  const result =
    found.length === 0 ? 'valid data or a ServiceError for each, 0 tokens leaked' : `${found.length} found`;
  effort.report(`${name}: ${count(cases, 'cases')} of ${count(Object.keys(properties).length, 'claims')}, ${result}`);
  return found;
}

const name = 'oddAnswers';
export const oddAnswers: Proof = { name, run };
