/** Names of the IDs in a preview. They are looked up once, when they are shown. */
import type { Directory } from '../../../directory/directory.ts';
import type { Service } from '../../../platform/service.ts';
import { nameOrId } from '../../../presentation/describe.ts';
import { errorText } from '../../../presentation/errorText.ts';
import { l10n } from '../../../presentation/shown.ts';
import { type Kind, resourceKey } from '../../../service/model.ts';
import { unknownRecipientText } from '../unknownRecipients.ts';

interface Lookup {
  readonly abort: AbortController;
  error?: unknown;
}

export class NameLookups {
  readonly #onFailure: () => void;
  /** The lookups in {@link #directory}, by kind and ID. */
  readonly #requested = new Map<string, Lookup>();
  #directory: Directory | undefined;

  /** Calls back when a lookup has failed. The directory reports what it finds. */
  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  /** Whether this ID was looked up. */
  has(kind: Kind, id: string): boolean {
    return this.#requested.has(resourceKey(kind, id));
  }

  /** The name of an ID, or the ID and why the name is unknown. Starts a lookup if there was none. */
  of(service: Service | undefined, kind: Kind, id: string): { name: string; problem?: string } {
    const found = service?.directory.peek(kind, id);
    if (service) this.#use(service.directory);
    if (!service || found) return { name: service ? nameOrId(service.directory, kind, id) : id };
    const lookup = this.#requested.get(resourceKey(kind, id)) ?? this.#lookUp(service, kind, id);
    if (service.directory.has(kind, id)) return { name: id, problem: unknownRecipientText({ kind, id }) };
    const { error } = lookup;
    return { name: id, ...(error !== undefined && { problem: l10n.t('Not looked up. {0}', errorText(error)) }) };
  }

  /** Cancels the lookup of an ID that isn't shown any more, if it's under way. */
  drop(kind: Kind, id: string): void {
    const key = resourceKey(kind, id);
    this.#requested.get(key)?.abort.abort();
    this.#requested.delete(key);
  }

  cancel(): void {
    for (const { abort } of this.#requested.values()) abort.abort();
    this.#requested.clear();
  }

  /** Starts over if the directory is that of another service, which has other names. */
  #use(directory: Directory): void {
    if (directory !== this.#directory) this.cancel();
    this.#directory = directory;
  }

  #lookUp({ directory }: Service, kind: Kind, id: string): Lookup {
    const lookup: Lookup = { abort: new AbortController() };
    const { signal } = lookup.abort;
    this.#requested.set(resourceKey(kind, id), lookup);
    directory.get(kind, id, { signal }).catch((error: unknown) => {
      if (signal.aborted) return;
      lookup.error = error;
      this.#onFailure();
    });
    return lookup;
  }
}
