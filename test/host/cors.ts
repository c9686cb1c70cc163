/** Answers browsers: a page of another origin may read only what a service allows it to (CORS). */

const ALLOWED = { 'access-control-allow-origin': '*' };

/** Headers that a page can read; the others are hidden from it. */
const READABLE = { 'access-control-expose-headers': 'retry-after' };

/** Never remembered: without the last header, a browser may call for 5 more seconds once it isn't allowed to. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '0',
};

/** The handler for pages of all origins. Preflights don't reach it. */
export function withCors(handler: (request: Request) => Response | Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...ALLOWED, ...PREFLIGHT } });
    const { body, status, headers } = await handler(request);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...ALLOWED, ...READABLE } });
  };
}
