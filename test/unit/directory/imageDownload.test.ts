import assert from 'node:assert/strict';
import { downloadImage, ImageError, type ImageRequest } from '../../../src/directory/imageDownload.ts';

const ADDRESS = 'https://pictures.example/a.png';
const LIMITS = { maxBytes: 4, timeout: 1_000, types: ['image/png'] };
const answered = (body: BodyInit | null, headers: Record<string, string>, status = 200) =>
  new Response(body, { status, headers });

/** What is wrong with an image, or the image. */
const outcome = (url: string, response: Response, more: Partial<ImageRequest> = {}) =>
  downloadImage(url, { ...LIMITS, fetch: async () => response, ...more }).catch((error) =>
    error instanceof ImageError ? error.problem : error,
  );

describe('A downloaded image', () => {
  it('has a media type without parameters, and all its bytes', async () => {
    const parts = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of [[1, 2], [3], [4]]) controller.enqueue(Uint8Array.from(part));
        controller.close();
      },
    });
    const image = await outcome(ADDRESS, answered(parts, { 'content-type': 'IMAGE/PNG; charset=binary' }));
    assert.deepEqual(image, { type: 'image/png', bytes: Uint8Array.from([1, 2, 3, 4]) });
  });

  it('says why there is none', async () => {
    const png = { 'content-type': 'image/png' };
    const cases: [unknown, string, Response][] = [
      [{ kind: 'address' }, 'http://pictures.example/a.png', answered('abc', png)],
      [{ kind: 'address' }, 'https://me:pass@pictures.example/a.png', answered('abc', png)],
      [{ kind: 'address' }, 'no address', answered('abc', png)],
      [{ kind: 'status', status: 403 }, ADDRESS, answered('abc', png, 403)],
      [{ kind: 'type', type: 'text/html' }, ADDRESS, answered('abc', { 'content-type': 'text/html' })],
      [{ kind: 'type', type: '' }, ADDRESS, new Response(Uint8Array.from([1]))],
      [{ kind: 'tooLarge' }, ADDRESS, answered('abcde', png)],
      [{ kind: 'tooLarge' }, ADDRESS, answered('a', { ...png, 'content-length': '5' })],
      [{ kind: 'empty' }, ADDRESS, answered('', png)],
      [{ kind: 'empty' }, ADDRESS, answered(null, png)],
    ];
    for (const [problem, url, response] of cases) assert.deepEqual(await outcome(url, response), problem);
  });
});
