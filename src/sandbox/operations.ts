/** The paths of the operations (contract 4): lookups under /web, bot operations under /open. */
const paths = {
  'group-info': '/web/v1/group/group-info',
  'bot-info': '/web/v1/bot/bot-info',
  homepage: '/web/v1/user/homepage',
  messages: '/open/open-apis/v1/bot/messages',
  batch_send: '/open/open-apis/v1/bot/batch_send',
} as const;

/** An operation, named by the last segment of its path. */
export type Operation = keyof typeof paths;

export const operations = Object.keys(paths) as readonly Operation[];

/** The operation at the path of a request, whatever its method. */
export function operationOf({ url }: Request): Operation | undefined {
  const { pathname } = new URL(url);
  return operations.find((operation) => paths[operation] === pathname);
}
