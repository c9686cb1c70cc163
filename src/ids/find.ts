import type { Service } from '../platform/service.ts';
import type { Found, Kind } from '../service/model.ts';

/**
 * Whose an ID is, of a kind or of any; undefined where it is nobody's, or where nothing is remembered and the service
 * may not be asked. Rejects with a ServiceError, also where there is none of that kind.
 */
export async function find(
  id: string,
  kind: Kind | undefined,
  { directory }: Service,
  mayAsk: boolean,
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (!mayAsk) return kind && directory.peek(kind, id);
  return kind ? directory.get(kind, id, { signal }) : directory.identify(id, signal);
}
