// Answers each call as described in its address. A separate thread, so that creating answers doesn't block the client's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { Operation } from '../../../src/service/operations.ts';
import { type Large, textOfLarge } from './large.ts';

const server = createServer((request, response) => {
  const [, large = '', wanted = ''] = (request.url ?? '').split('/');
  const text = textOfLarge(JSON.parse(decodeURIComponent(large)) as Large, wanted as Operation);
  response.setHeader('content-type', 'application/json').end(text);
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
